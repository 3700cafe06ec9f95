from django.conf import settings
from django.db import models


class Pool(models.Model):
    """A fixed set of pairs to judge, and how it came about (`origin`: runs and depth, a pair file or a list).

    `VISIBLE` is what everybody may see: not one that an import under way is filling.
    """

    VISIBLE = models.Q(brought_by__isnull=True) | models.Q(brought_by__published_at__isnull=False)

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="pools")
    name = models.CharField(max_length=100)
    origin = models.JSONField(default=dict)
    n_pairs = models.PositiveIntegerField(default=0)
    brought_by = models.ForeignKey("annotation.Import", models.PROTECT, null=True, related_name="pools")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "name"], name="pool_name_once")]

    def __str__(self) -> str:
        return self.name


class PoolPair(models.Model):
    """A pair of a pool. `rank` orders a topic's pairs (1 = the top of the fused runs, or the order of the file)."""

    pool = models.ForeignKey("annotation.Pool", models.CASCADE, related_name="pairs")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    document = models.ForeignKey("annotation.Document", models.PROTECT, related_name="+")
    rank = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "topic", "document"], name="pool_pair_once")]
