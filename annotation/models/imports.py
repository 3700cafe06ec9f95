from typing import NotRequired, TypedDict

from django.conf import settings
from django.db import models


class ReadAs(TypedDict):
    """The form a file was read in, and what each of its columns or keys was taken as; "" for one left aside.

    `mapped`: another column may be chosen for what it means.
    """

    name: str
    title: str
    columns: list[tuple[str, str]]
    mapped: bool


class PreviewTable(TypedDict):
    """The first rows of one file among several; `read_as` is the title of the form it was read in."""

    name: str
    read_as: str
    columns: list[str]
    rows: list[list[str]]


class Preview(TypedDict):
    """What an import would store, or has stored: counts in words, the first rows, what was changed on the way in.

    `facts` is what the check hands on to the publishing of qrels and runs, which are files, not rows. Where several
    files came as one, the first rows of each are in `tables`. `aside`: rows left aside as somebody chose, by file, line
    and reason.
    """

    counts: list[tuple[str, int]]
    columns: list[str]
    rows: list[list[str]]
    notes: list[str]
    facts: dict[str, str | int]
    format: NotRequired[ReadAs]
    tables: NotRequired[list[PreviewTable]]
    aside: NotRequired[list[dict[str, str | int]]]


class Import(models.Model):
    """One file on its way in. What it brings is invisible until `published_at` is set, in one flip."""

    class Kind(models.TextChoices):
        TOPICS = "topics", "Topics"
        DOCUMENTS = "documents", "Documents"
        QRELS = "qrels", "Qrels"
        RUN = "run", "Run"
        PAIRS = "pairs", "Pairs"
        GOLD = "gold", "Gold"
        JUDGMENTS = "judgments", "Judgments"
        VECTORS = "vectors", "Vectors"
        COLLECTION = "collection", "Whole collection"
        QUERIES = "queries", "Query log"
        EXPERIMENT = "experiment", "Experiment"
        CLICKS = "clicks", "Clicks"

    class State(models.TextChoices):
        CHECKING = "checking", "Checking"
        CHECKED = "checked", "Ready to publish"
        REFUSED = "refused", "Refused"
        STORING = "storing", "Storing"
        PUBLISHED = "published", "Published"
        CANCELLED = "cancelled", "Cancelled"
        FAILED = "failed", "Failed"

    collection = models.ForeignKey("annotation.Collection", models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.CHECKING)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    n_problems = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["collection"], condition=models.Q(state="storing"), name="import_one_storing_per_collection"
            ),
            models.CheckConstraint(
                condition=models.Q(state="published", published_at__isnull=False)
                | (~models.Q(state="published") & models.Q(published_at__isnull=True)),
                name="import_published_at_with_state",
            ),
        ]
        indexes = [models.Index(fields=["collection", "-created_at"], name="import_by_collection")]
