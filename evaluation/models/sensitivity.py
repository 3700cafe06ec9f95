from django.db import models


class SensitivityStudy(models.Model):
    """How sure the order of runs against a snapshot is, by one measure. `key` is the hash of all that it was made from:
    asked again, nothing is computed anew. `result` is what `formats.sensitivity` reads."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="sensitivity_studies")
    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="sensitivity_studies")
    key = models.CharField(max_length=64)
    measure = models.CharField(max_length=100)
    result = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "key"], name="sensitivity_study_once")]
