from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.tokens import new_token


class Notice(models.Model):
    """Something that happened and concerns a person, in their inbox: told once a person and `cause`.

    `kind` says which page shows the thing, `values` which of them it is. `text` names things and counts them; no text
    that somebody wrote is in it. Written in the transaction of what it tells of.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    collection = models.ForeignKey("annotation.Collection", models.PROTECT, null=True, related_name="+")
    token = models.CharField(max_length=22, unique=True, default=new_token)
    kind = models.CharField(max_length=20)
    cause = models.CharField(max_length=300)
    text = models.CharField(max_length=300)
    values = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "cause"], name="notice_once")]
        indexes = [
            models.Index(fields=["user", "-id"], name="notices_of_person"),
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="notices_unread"),
        ]
