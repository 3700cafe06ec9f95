from django.db import models


class Evaluation(models.Model):
    """The values of one run against one snapshot. Per-topic values stand in the content-addressed file `sha256`."""

    snapshot = models.ForeignKey("annotation.Snapshot", models.PROTECT, related_name="evaluations")
    run = models.ForeignKey("evaluation.Run", models.PROTECT, related_name="evaluations")
    measures = models.JSONField()
    averaging = models.CharField(max_length=10)
    means = models.JSONField()
    means_form = models.PositiveSmallIntegerField(default=1, db_default=1)  # 1: before there were forms
    n_topics = models.PositiveIntegerField()
    n_missing = models.PositiveIntegerField(default=0)
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["snapshot", "run", "averaging"], name="evaluation_once"),
            models.CheckConstraint(
                condition=models.Q(averaging__in=["complete", "retrieved"]), name="evaluation_averaging_known"
            ),
        ]
