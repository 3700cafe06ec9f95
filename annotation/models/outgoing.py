from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.tokens import new_token


class Recipient(models.Model):
    """Where a collection's messages go: a webhook's address, or one of mail. The secret by which a webhook's messages
    are signed is made from `salt` and the installation's key, and stored nowhere. `everything`: also what stands in
    the inboxes of those who lead, not alerts of series alone."""

    class Kind(models.TextChoices):
        WEBHOOK = "webhook", "Webhook"
        MAIL = "mail", "Mail"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="recipients")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    address = models.CharField(max_length=500)
    everything = models.BooleanField(default=False)
    salt = models.CharField(max_length=22, default=new_token)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "address"], condition=Q(ended_at__isnull=True), name="recipient_once"
            ),
        ]

    def __str__(self) -> str:
        return self.address


class Delivery(models.Model):
    """A message to one recipient, sent at least once; `token` is its id, by which a recipient knows it again. `cause`
    names what it tells of: it is told once."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"

    recipient = models.ForeignKey(Recipient, models.PROTECT, related_name="deliveries")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    cause = models.CharField(max_length=100)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    n_tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField(null=True)
    answer = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recipient", "cause"], name="delivery_once"),
            models.CheckConstraint(
                condition=Q(state="waiting", next_try__isnull=False) | (~Q(state="waiting") & Q(next_try__isnull=True)),
                name="delivery_waits_for_a_moment",
            ),
        ]
        indexes = [models.Index(fields=["state", "next_try"], name="deliveries_due")]
