from django.db import models


class Collection(models.Model):
    """A test collection: the project, and the boundary of access.

    `language`: in which its topics and documents are written, as a tag of BCP 47; empty where that is not told.
    `watch`: settings of the watch on critical errors by name; what is not there is built in. `pausing`: which rules
    pause people by themselves, in the same way, and `pause_note`: what everybody reads who is paused, as whom to ask.
    `alerts`: the same for the thresholds of alerts. `cost_per_judgment`, in `currency`: what a judgment costs where its
    batch says nothing else; None where nobody has said.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    language = models.CharField(max_length=35, blank=True)
    scale = models.ForeignKey("annotation.ScaleVersion", models.PROTECT, null=True, related_name="+")
    guideline = models.ForeignKey("annotation.GuidelineVersion", models.PROTECT, null=True, related_name="+")
    watch = models.JSONField(default=dict)
    pausing = models.JSONField(default=dict)
    pause_note = models.TextField(blank=True)
    alerts = models.JSONField(default=dict)
    cost_per_judgment = models.DecimalField(max_digits=10, decimal_places=4, null=True)
    currency = models.CharField(max_length=10, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "slug"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cost_per_judgment__isnull=True) | models.Q(cost_per_judgment__gte=0),
                name="collection_cost_not_negative",
            )
        ]

    def __str__(self) -> str:
        return self.name
