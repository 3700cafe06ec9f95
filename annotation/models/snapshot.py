from django.conf import settings
from django.db import models


class Snapshot(models.Model):
    """Frozen qrels. `qrels_sha256` names the qrels file; `inputs_sha256` the judgment table, gold, exclusions and
    adjudications it was made from, as one file. An imported snapshot has no policy and no inputs.
    """

    class Origin(models.TextChoices):
        FROZEN = "frozen", "Frozen from judgments"
        IMPORTED = "imported", "Imported"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="snapshots")
    name = models.CharField(max_length=100)
    criterion = models.CharField(max_length=50, default="relevance")
    origin = models.CharField(max_length=8, choices=Origin.choices)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, null=True, related_name="+")
    policy = models.ForeignKey("annotation.Policy", models.PROTECT, null=True, related_name="snapshots")
    batches = models.ManyToManyField("annotation.Batch", related_name="snapshots")
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="snapshots")
    qrels_sha256 = models.CharField(max_length=64)
    pairs_sha256 = models.CharField(max_length=64, blank=True)
    inputs_sha256 = models.CharField(max_length=64, blank=True)
    n_topics = models.PositiveIntegerField()
    n_pairs = models.PositiveIntegerField()
    n_dropped = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="snapshot_name_once"),
            models.CheckConstraint(
                condition=models.Q(origin="imported")
                | models.Q(origin="frozen", policy__isnull=False) & ~models.Q(inputs_sha256=""),
                name="snapshot_frozen_has_policy_and_inputs",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def counts_machines(self) -> bool:
        """Whether machine judges counted in its making. To be said wherever its qrels are shown."""
        return self.policy is not None and self.policy.counts_machines
