"""What each kind of file asks."""

from typing import Any

from django import forms

from annotation.exchange.steps.importing import formats_of
from annotation.formats.file_formats import listed_formats
from annotation.kernel.forms import free_pool_name, free_snapshot_name
from annotation.kernel.store import put
from annotation.kernel.uploads import (
    OTHER_SCALE,
    UNKNOWN_CHOICES,
    Choices,
    ImportForm,
    Upload,
    grades_field,
    require_small_enough,
    unknown_field,
)
from annotation.models import Import, Snapshot

CONFLICT_CHOICES = [
    ("refuse", "refuse the file"),
    ("version", "store a new version; what was judged keeps the version it was judged in"),
    ("skip", "skip it and keep the text that is here"),
]


def _conflict_field(noun: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=CONFLICT_CHOICES,
        initial="refuse",
        widget=forms.RadioSelect,
        label=f"A {noun} that is here already with another text",
    )


class _ListingForm(ImportForm):
    """The help of the file begins with the formats of `kind`, which are loaded when a page shows them."""

    kind: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = f"{listed_formats(formats_of(self.kind))}. {self.file_help}"


class TopicsForm(_ListingForm):
    kind = Import.Kind.TOPICS
    on_conflict = _conflict_field("topic")
    asked_again = ("on_conflict",)

    file_help = "Plain or gzip, UTF-8."


class DocumentsForm(_ListingForm):
    kind = Import.Kind.DOCUMENTS
    on_conflict = _conflict_field("document")
    asked_again = ("on_conflict",)

    file_help = "Plain or gzip, UTF-8."


class QrelsForm(_ListingForm):
    kind = Import.Kind.QRELS
    name = forms.CharField(max_length=100, label="Name of the snapshot")
    grades = grades_field(OTHER_SCALE)
    asked_again = ("name", "grades")

    file_help = (
        "Plain or gzip. Topics and documents need not be here. "
        "A negative grade means: pooled, but not judged. A grade above the collection's scale is refused, unless a map "
        "says what it is worth."
    )

    def clean_name(self) -> str:
        return free_snapshot_name(self.collection, self.cleaned_data["name"])


class RunForm(ImportForm):
    tag = forms.RegexField(
        r"\A\S+\Z",
        required=False,
        max_length=100,
        help_text="What the run is called. If you leave it empty, the tag in the file.",
        error_messages={"invalid": "A tag has no white space."},
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    asked_again = ("tag",)

    file_help = (
        "One run, as TREC, JSONL or JSON. The order is that of the scores. Plain or gzip. "
        "Topics and documents need not be here."
    )


class VectorsForm(_ListingForm):
    """Vectors of a model, with a file of ids for forms that have none."""

    kind = Import.Kind.VECTORS
    ids = forms.FileField(
        required=False,
        max_length=255,
        label="Ids",
        help_text="Of .npy and .safetensors: a text file with an id a line, in the order of the rows.",
    )
    model = forms.RegexField(
        r"\A\S+\Z",
        max_length=100,
        help_text="What the model is called: intfloat/e5-base-v2, say.",
        error_messages={"invalid": "The name of a model has no white space."},
    )
    side = forms.ChoiceField(
        choices=[("documents", "documents: ids are docnos"), ("queries", "queries: ids are topic numbers")],
        initial="documents",
        widget=forms.RadioSelect,
        label="Vectors of the",
    )
    similarity = forms.ChoiceField(
        choices=[("cosine", "cosine"), ("inner", "inner product"), ("euclidean", "Euclidean distance")],
        initial="cosine",
        label="Meant for",
        help_text="What the model was trained with; its authors say which. No vector may be zero for cosine.",
    )
    unknown = forms.ChoiceField(
        choices=[*UNKNOWN_CHOICES, ("keep", "kept: topics and documents need not be here")],
        required=False,
        initial="refuse",
        widget=forms.RadioSelect,
        label="A vector whose topic or document is not here is",
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    asked_again = ("model", "side", "similarity", "unknown")

    file_help = "A row a vector; numbers are kept as float32. Not packed."

    def clean_ids(self) -> "Upload | None":
        file: Upload | None = self.cleaned_data.get("ids")
        if file:
            require_small_enough(file)
        return file

    def options(self) -> dict[str, str]:
        """The file of ids is kept as the file itself is, under its hash."""
        options = super().options()
        ids = self.cleaned_data["ids"]
        kept = {"ids": put(ids.file), "ids_filename": ids.name} if ids else {}
        return {**{name: value for name, value in options.items() if name != "ids"}, **kept}


class PairsForm(ImportForm):
    name = forms.CharField(max_length=100, label="Name of the pool")
    unknown = unknown_field()
    asked_again = ("name", "unknown")

    file_help = (
        "Topic number and docno, plain or gzip. The order is kept: of each "
        "topic, the pair that stands first counts as the most promising."
    )

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])


class GoldFileForm(ImportForm):
    grades = grades_field(OTHER_SCALE)
    unknown = unknown_field()
    asked_again = ("grades", "unknown")

    file_help = (
        "Topic number, docno, grade and, if you like, a reason and an explanation for those who judge; or qrels. Plain "
        "or gzip. Pairs that are gold with another grade are named first."
    )


class JudgmentsForm(ImportForm):
    """Judgments made elsewhere, which become a batch of their own."""

    name = forms.CharField(
        required=False, max_length=100, label="Name of the batch", help_text="Without one, the name of the file."
    )
    annotators = forms.ChoiceField(
        choices=[
            ("", "a reason to refuse the file"),
            ("same", "the same person"),
            ("new", "somebody else, who gets another name here"),
        ],
        required=False,
        widget=forms.RadioSelect,
        label="An id that came with earlier judgments is",
    )
    machines = forms.CharField(
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Machine judges among the annotators of the file",
        help_text="Language models and other programs: their ids, one to a line; * for all. Their grades stand beside "
        "those of people and count in nothing, unless a policy says so.",
    )
    grades = grades_field(
        "Where they are words or of another scale: highly relevant=3, not relevant=0, broken link=cannot"
    )
    asked_again = ("name", "annotators", "machines", "grades")

    file_help = (
        "Topic, document, who judged and the grade, perhaps when and a comment: CSV or TSV with a header, or what "
        "Label Studio, doccano or Mechanical Turk give out. Topics and documents that are not here come in by id."
    )


def _further(title: str, help_text: str, **options: Any) -> forms.CharField:
    return forms.CharField(required=False, max_length=1000, label=title, help_text=help_text, **options)


class QueryLogForm(ImportForm):
    """A log of queries, from which topics are drawn by strata; docs/samples.md says how."""

    total = forms.IntegerField(min_value=1, max_value=100_000, label="Topics wanted")
    minimum = forms.IntegerField(
        required=False, min_value=0, max_value=100_000, label="At least, of each stratum", help_text="Empty: none."
    )
    by = _further("Strata by the column", "Empty: head, torso and tail, by how often a query was asked.")
    head = forms.FloatField(
        required=False,
        min_value=0,
        help_text="So many of the most frequent queries, or, below 1, such a share of all traffic. Empty: a third.",
    )
    torso = forms.FloatField(required=False, min_value=0, help_text="The same of those that follow. Empty: a third.")
    rule = forms.ChoiceField(
        choices=[
            ("proportional", "by size: as many in a hundred of each"),
            ("equal", "as many of each"),
            ("neyman", "by size and deviation (Neyman)"),
        ],
        initial="proportional",
        label="Shares",
    )
    deviation = _further("Standard deviation of each stratum", "For Neyman's rule: head=0.2, torso=0.3, tail=0.4")
    oversample = _further("Oversample", "So many times its share, beyond the total: tail=3")
    rounding = forms.ChoiceField(
        choices=[("largest_remainder", "so that the sum is the total"), ("floor", "down, as tutorials do")],
        initial="largest_remainder",
        label="Shares are rounded",
    )
    seed = forms.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, help_text="The same one draws the same topics. Empty: 0."
    )
    number_prefix = forms.RegexField(
        r"\A\S*\Z",
        required=False,
        max_length=50,
        label="Before the numbers",
        help_text="Where numbers from 1 are taken already: q",
        error_messages={"invalid": "A number has no white space."},
    )
    query_column = _further("Column of the queries", "Empty: as its name says.")
    count_column = _further("Column of the counts", "Empty: as its name says; without one each row is one time.")
    asked_again = (
        *("total", "minimum", "by", "head", "torso", "rule", "deviation", "oversample", "rounding", "seed"),
        *("number_prefix", "query_column", "count_column"),
    )

    file_help = (
        "CSV, TSV or JSONL, plain or gzip, or Parquet: a row a query, with how often it was asked. Topics are drawn "
        "from it, and keep their inclusion probabilities. You see the strata first, and may change what follows."
    )


class ExperimentForm(ImportForm):
    """The log of an A/B test; docs/experiments.md says what is made of it."""

    name = forms.RegexField(
        r"\A[^\s/?#]+\Z",
        max_length=100,
        help_text="What the experiment is called: checkout-button, say.",
        error_messages={"invalid": "A name has no white space, and none of / ? #."},
    )
    variant_column = _further("Column of the variants", "Empty: the one called variant, arm, group or bucket.")
    unit_column = _further("Column of the units", "A unit that stands twice is refused. Empty: not looked at.")
    number_columns = _further(
        "Columns of numbers", "With commas between. Empty: those whose first thousand values are numbers."
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    asked_again = ("name", "variant_column", "unit_column", "number_columns")

    file_help = (
        "CSV, TSV or JSONL, plain or gzip, or Parquet: a row a unit, as a user, with its variant and the values of its "
        "measures. All of it is checked, and you see first what was read."
    )


class ClickLogForm(ImportForm):
    """A log of clicks, set beside the judgments of a snapshot; docs/clicks.md says how."""

    name = forms.CharField(max_length=100, label="Name of the clicks")
    snapshot = forms.CharField(max_length=100, widget=forms.Select, label="Beside the judgments of")
    attraction = forms.ChoiceField(
        choices=[("pair", "each pair for itself"), ("grade", "all pairs of a grade alike")],
        initial="pair",
        label="What attracts",
        help_text="For how often positions are looked at. The second needs fewer impressions, and assumes more.",
    )
    estimator = forms.ChoiceField(
        choices=[("ips", "by inverse propensity"), ("ratio", "clicks by expected looks, steadier")],
        initial="ips",
        label="Clicks are corrected",
    )
    asked_again = ("name", "attraction", "estimator")

    file_help = (
        "CSV, TSV or JSONL, plain or gzip, or Parquet: topic number, docno, position, clicks and impressions a row; "
        "without impressions a row is one."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["snapshot"].widget.choices = [(name, name) for name in self._snapshots()]

    def clean_snapshot(self) -> str:
        name: str = self.cleaned_data["snapshot"]
        if name not in self._snapshots():
            raise forms.ValidationError(f"The collection has no snapshot {name}.")
        return name

    def _snapshots(self) -> list[str]:
        """The newest first."""
        newest = Snapshot.objects.filter(collection=self.collection).order_by("-id")
        return list(newest.values_list("name", flat=True))


class FolderForm(ImportForm):
    """A BEIR folder: topics, documents and qrels at once."""

    name = forms.CharField(
        required=False,
        max_length=80,
        label="Name of the snapshot",
        help_text="Without one, the name of the qrels file: test, dev, … Of several, in front of theirs.",
    )
    grades = grades_field(OTHER_SCALE)
    on_conflict = _conflict_field("topic or document")
    asked_again = ("on_conflict", "name", "grades")

    file_help = (
        "A BEIR folder, packed as zip or tar.gz: queries.jsonl, corpus.jsonl and qrels/*.tsv. Each file of qrels "
        "becomes a snapshot. All of it goes in, or nothing."
    )


FORMS: dict[str, type[ImportForm]] = {
    Import.Kind.TOPICS: TopicsForm,
    Import.Kind.COLLECTION: FolderForm,
    Import.Kind.DOCUMENTS: DocumentsForm,
    Import.Kind.QRELS: QrelsForm,
    Import.Kind.RUN: RunForm,
    Import.Kind.VECTORS: VectorsForm,
    Import.Kind.PAIRS: PairsForm,
    Import.Kind.GOLD: GoldFileForm,
    Import.Kind.JUDGMENTS: JudgmentsForm,
    Import.Kind.QUERIES: QueryLogForm,
    Import.Kind.EXPERIMENT: ExperimentForm,
    Import.Kind.CLICKS: ClickLogForm,
}


def format_choices(kind: str) -> Choices:
    """What a file of the kind can be read as."""
    return [(each.name, each.title) for each in formats_of(kind)]
