from django.db import models

APART = models.Q(surplus=True) | models.Q(revision__gt=1)  # what no count of first judgments is right without


class Judgment(models.Model):
    """One person's grade for a pair. Append-only: a change of mind is a new revision.

    `active_ms` is the time the page was visible and used, as the page reports it; `wall_ms` runs from the card's
    issue to its arrival here. `early`: before the batch's minimum time. `blind`: the person could not see gold. Columns
    without an index of their own begin another one, or are never asked for: each index is paid for at every judgment.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="+", db_index=False)
    batch = models.ForeignKey("annotation.Batch", models.PROTECT, related_name="judgments")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="judgments")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="judgments")
    assignment = models.ForeignKey("annotation.Assignment", models.PROTECT, related_name="judgments", db_index=False)
    revision = models.PositiveIntegerField()
    token = models.CharField(max_length=22, unique=True)
    criterion = models.CharField(max_length=50)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, related_name="+", db_index=False)
    guideline = models.ForeignKey(
        "annotation.GuidelineVersion", models.PROTECT, null=True, related_name="+", db_index=False
    )
    grade = models.IntegerField()
    comment = models.TextField(blank=True)
    evidence_start = models.PositiveIntegerField(null=True)
    evidence_end = models.PositiveIntegerField(null=True)
    active_ms = models.PositiveBigIntegerField(null=True)
    wall_ms = models.PositiveBigIntegerField(null=True)
    early = models.BooleanField(default=False)
    surplus = models.BooleanField(default=False)
    blind = models.BooleanField(default=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "revision"], name="judgment_revision_once"),
            models.CheckConstraint(
                condition=models.Q(evidence_start__isnull=True, evidence_end__isnull=True)
                | models.Q(evidence_start__lt=models.F("evidence_end")),
                name="judgment_evidence_span",
            ),
        ]
        indexes = [
            models.Index(fields=["collection", "batch"], name="judgment_by_batch"),
            models.Index(fields=["batch"], name="judgment_apart", condition=APART),
        ]
