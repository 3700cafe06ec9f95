from django.conf import settings
from django.db import models


class JudgingChoices(models.Model):
    """How a person likes the judging page: their keys (deed → key), excerpt or whole document first, marks or none."""

    class Reading(models.TextChoices):
        EXCERPT = "excerpt", "Excerpt first"
        WHOLE = "whole", "Whole document"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="judging_choices"
    )
    keys = models.JSONField(default=dict)
    reading = models.CharField(max_length=7, choices=Reading.choices, default=Reading.EXCERPT)
    marks = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(reading__in=["excerpt", "whole"]), name="choices_reading_known")
        ]


class ExtraTerms(models.Model):
    """Words that a person wants marked in the documents of a topic, besides the topic's own."""

    annotator = models.ForeignKey("annotation.Annotator", models.CASCADE, related_name="+")
    topic = models.ForeignKey("annotation.Topic", models.PROTECT, related_name="+")
    words = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "topic"], name="extra_terms_once")]
