from django.db import models

_INTERLEAVING = ("interleaving", "interleaving_power")


class Description(models.Model):
    """What was found of lists, of alarms, of drift or of interleaved lists, from files that were sent, stored runs and
    stored vectors. `key` is the hash of all that it rests on: asked again, nothing is computed anew. `asked` says in
    names and hashes what was asked, `figures` are what the command of the kind gives, `drawing` is what a page draws.
    """

    class Kind(models.TextChoices):
        RECOMMENDATIONS = "recommendations", "Recommendations"
        ALARMS = "alarms", "Alarms"
        DRIFT = "drift", "Drift"
        INTERLEAVING = "interleaving", "Interleaving"
        INTERLEAVING_POWER = "interleaving_power", "Power of interleaving"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="descriptions")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    key = models.CharField(max_length=64)
    asked = models.JSONField()
    figures = models.JSONField()
    drawing = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "key"], name="description_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["recommendations", "alarms", "drift", *_INTERLEAVING]),
                name="description_kind_known",
            ),
        ]
