from django.db import models


class Feedback(models.Model):
    """What a person is told of one of their judgments: which grades were right, and why. Written by a job once due.

    It is a copy: what people see while they judge reads this table and none that says what is still to come. A judgment
    that has feedback can no longer be revised.
    """

    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="feedback_rows")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="+")
    assignment = models.OneToOneField("annotation.Assignment", models.PROTECT, related_name="feedback")
    grade = models.IntegerField()
    accepted = models.JSONField(default=list)
    explanation = models.TextField(blank=True)
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["annotator", "batch"], name="feedback_by_person")]
