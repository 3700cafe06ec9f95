from django.conf import settings
from django.db import models


class Experiment(models.Model):
    """The log of an A/B test, as it came, in a content-addressed file. `variant` and `unit` are columns, the latter
    empty where none names units; `numbers` those that can be measured, `texts` all others; `n` units by variant."""

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="experiments")
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    filename = models.CharField(max_length=255, blank=True)
    form = models.CharField(max_length=10)
    variant = models.CharField(max_length=1000)
    unit = models.CharField(max_length=1000, blank=True)
    numbers = models.JSONField()
    texts = models.JSONField()
    n = models.JSONField()
    n_units = models.PositiveBigIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["collection", "name"], name="experiment_name_once")]

    def __str__(self) -> str:
        return self.name


class ExperimentAnalysis(models.Model):
    """What was found. `key` is the hash of the log and of all that was asked: asked again, nothing is computed anew.
    `asked` is the question, `facts` what `analyse_experiment --json` says of it."""

    experiment = models.ForeignKey(Experiment, models.PROTECT, related_name="analyses")
    key = models.CharField(max_length=64)
    asked = models.JSONField()
    facts = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["experiment", "key"], name="experiment_analysis_once")]
