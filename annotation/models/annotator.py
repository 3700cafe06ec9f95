from django.conf import settings
from django.db import models


class Annotator(models.Model):
    """Who judged, as a pseudonym within a collection. Judgments from elsewhere have an annotator without a user.

    A machine judge's grades stand beside those of people, never among them; it has no user, for an account is a
    person's. `gets_cards`: false while somebody is paused or excluded; it follows from the events of both.
    """

    class Kind(models.TextChoices):
        PERSON = "person", "Person"
        MACHINE = "machine", "Machine judge"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="annotators")
    pseudonym = models.CharField(max_length=100)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="annotators")
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="annotators")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.PERSON)
    simulated = models.BooleanField(default=False)
    gets_cards = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "pseudonym"], name="annotator_pseudonym_once"),
            models.UniqueConstraint(fields=["collection", "user"], name="annotator_user_once"),
            models.CheckConstraint(condition=models.Q(kind__in=["person", "machine"]), name="annotator_kind_known"),
            models.CheckConstraint(
                condition=models.Q(kind="person") | models.Q(user__isnull=True), name="annotator_machine_without_user"
            ),
        ]
        # every page counts those who are paused
        indexes = [
            models.Index(fields=["collection"], name="annotator_without_cards", condition=models.Q(gets_cards=False))
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def is_machine(self) -> bool:
        return self.kind == self.Kind.MACHINE
