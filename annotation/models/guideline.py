from typing import TypedDict

from django.conf import settings
from django.db import models


class Case(TypedDict):
    """A worked example: a topic and a document in a few words, the grade of the pair, and why."""

    topic: str
    document: str
    grade: int
    reason: str


class GuidelineVersion(models.Model):
    """What annotators are told, as it stood at one time (Markdown). Never changed once stored.

    The definitions of the grades belong to the scale; here are the introduction, examples and edge cases. `cases` are
    the worked examples, each a `Case`; versions from before there were any have none, and keep their hash.
    """

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="guideline_versions")
    number = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    introduction = models.TextField(blank=True)
    examples = models.TextField(blank=True)
    cases = models.JSONField(default=list)
    edge_cases = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["collection", "number"], name="guideline_number_once"),
            models.UniqueConstraint(fields=["collection", "sha256"], name="guideline_text_once"),
        ]


class GuidelineReading(models.Model):
    """That a person has acknowledged a version of the guideline. Append-only: the last one is what they have in mind.

    A version that comes back into force is acknowledged again.
    """

    annotator = models.ForeignKey("annotation.Annotator", models.PROTECT, related_name="+")
    guideline = models.ForeignKey("annotation.GuidelineVersion", models.PROTECT, related_name="readings")
    read_at = models.DateTimeField()
