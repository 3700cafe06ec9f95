"""The files that people bring, and what is to be done with them."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar, TypeAlias

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from annotation.formats.outside import parse_grade_map
from annotation.models import Collection, Import, Pool, ReadAs, Snapshot

Upload: TypeAlias = "UploadedFile[Any]"

CONFLICT_CHOICES = [
    ("refuse", "refuse the file"),
    ("version", "store a new version; what was judged keeps the version it was judged in"),
    ("skip", "skip it and keep the text that is here"),
]
SHOWN_COLUMNS = 200  # of a file, to choose from
COLUMN = "column_"  # fields that ask for one begin so
SAME = "same_in_all"  # the field of what no column says
IN_WORDS = {"at": "time"}

Choices: TypeAlias = Sequence[tuple[str, str]]  # of forms: the name, the title


class SearchForm(forms.Form):
    q = forms.CharField(required=False, max_length=200, label="Search")


class ImportForm(forms.Form):
    """One file. A subclass says what it looks like and adds what its kind asks.

    `asked_again` names the fields that may be answered otherwise when the file is checked anew.
    """

    file_help = ""
    asked_again: ClassVar[tuple[str, ...]] = ()
    file = forms.FileField(max_length=255)
    format = forms.ChoiceField(
        required=False,
        label="Read it as",
        help_text="What it was recognised as is shown before anything is stored.",
    )
    publish = forms.BooleanField(
        required=False,
        label="Publish without asking if there is no problem",
        help_text="Only where you have chosen above what it is read as. Otherwise you see first what would be stored.",
    )

    def __init__(self, *args: Any, collection: Collection, formats: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection
        self.fields["file"].help_text = self.file_help
        if formats:
            _set_choices(self, "format", [("", "what its content says"), *formats])
        else:  # of what there is one form of; what it brings is always shown first
            del self.fields["format"], self.fields["publish"]

    def clean_file(self) -> Upload:
        file: Upload = self.cleaned_data["file"]
        require_small_enough(file)
        return file

    def clean(self) -> None:
        """Nothing that was only recognised is stored unseen."""
        super().clean()
        if not self.cleaned_data.get("format"):
            self.cleaned_data["publish"] = False

    def options(self) -> dict[str, str]:
        """The form that was chosen, and the fields of the kind: what the importer goes by."""
        return {name: value for name, value in self.cleaned_data.items() if name not in ("file", "publish")}


class SameField(forms.CharField):
    """What no column says and all rows have: `annotator=Amber`, one to a line; cleaned, `=Amber` by its meaning."""

    def __init__(self, meanings: Sequence[str]) -> None:
        self.names = {IN_WORDS.get(meaning, meaning): meaning for meaning in meanings}
        example = "annotator=Amber" if "annotator" in self.names else f"{next(iter(self.names))}=…"
        super().__init__(
            required=False,
            max_length=1000,
            widget=forms.Textarea(attrs={"rows": 2}),
            label="The same in every row",
            help_text=f"What no column says, one to a line: {example}",
        )

    def clean(self, value: str) -> dict[str, str]:
        pairs = [line.partition("=") for line in super().clean(value).splitlines() if line.strip()]
        for name, equals, same in pairs:
            if name.strip() not in self.names or not (equals and same.strip()):
                names = ", ".join(self.names)
                raise forms.ValidationError(f"'{name}{equals}{same}' is not name=value with a name of {names}.")
        return {self.names[name.strip()]: f"={same.strip()}" for name, _, same in pairs}


class CheckForm(forms.Form):
    """A file that is here, checked anew: the form it is read in, which of its columns holds what, and other answers."""

    format = forms.ChoiceField(label="Read it as")

    def __init__(
        self,
        *args: Any,
        record: Import,
        formats: Choices,
        meanings: Sequence[str],
        **kwargs: Any,
    ) -> None:
        """What the check that has been went by is the first answer to everything."""
        super().__init__(*args, **kwargs)
        self.read_as: ReadAs | None = record.preview.get("format")
        self.chosen: Mapping[str, str] = record.options.get("columns") or {}
        if formats:
            _set_choices(self, "format", formats if self.read_as else [("", "Choose"), *formats])
        else:
            del self.fields["format"]
        self.initial["format"] = self.read_as["name"] if self.read_as else record.options.get("format", "")
        if self.read_as and self.read_as["mapped"]:
            self._ask_for_columns(meanings, self.read_as["columns"][:SHOWN_COLUMNS])
        asked = FORMS.get(record.kind, ImportForm)
        for name in asked.asked_again:
            self.fields[name] = deepcopy(asked.base_fields[name])
            self.initial[name] = record.options.get(name, "")

    def _ask_for_columns(self, meanings: Sequence[str], columns: Sequence[tuple[str, str]]) -> None:
        held = {**{meaning: column for column, meaning in columns}, **self.chosen}
        names = [column for column, _ in columns]
        for meaning in meanings:
            now = held.get(meaning, "")
            others = [] if now in names or not now else [(now, now)]
            self.fields[f"{COLUMN}{meaning}"] = forms.ChoiceField(
                choices=[("", "as its name says, if any"), *others, *((name, name) for name in names)],
                required=False,
                initial=now,
                label=f"Column of the {IN_WORDS.get(meaning, meaning)}",
            )
        self.fields[SAME] = SameField(meanings)

    def columns(self) -> dict[str, str]:
        """The columns chosen by what they mean, and values for all rows, which go before them.

        Where another form was chosen its columns are not known yet: there are values only.
        """
        same: dict[str, str] = self.cleaned_data.get(SAME, {})
        if self.read_as is None or self.cleaned_data["format"] != self.read_as["name"]:
            return same
        asked = {name.removeprefix(COLUMN): self.cleaned_data[name] for name in self.fields if name.startswith(COLUMN)}
        unasked = {name: column for name, column in self.chosen.items() if name not in asked}
        return unasked | {name: column for name, column in asked.items() if column} | same

    def options(self) -> dict[str, str]:
        """The other answers."""
        others = {name: value for name, value in self.cleaned_data.items() if not name.startswith(COLUMN)}
        return {name: value for name, value in others.items() if name not in ("format", SAME)}


def _conflict_field(noun: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=CONFLICT_CHOICES,
        initial="refuse",
        widget=forms.RadioSelect,
        label=f"A {noun} that is here already with another text",
    )


class TopicsForm(ImportForm):
    on_conflict = _conflict_field("topic")
    asked_again = ("on_conflict",)
    field_order = ["file", "format", "on_conflict", "publish"]

    file_help = (
        "TSV (number, title and, if you have them, description and narrative, without quotes), JSONL, BEIR "
        "queries.jsonl, TREC SGML or XML. Plain or gzip, UTF-8."
    )


class DocumentsForm(ImportForm):
    on_conflict = _conflict_field("document")
    asked_again = ("on_conflict",)
    field_order = ["file", "format", "on_conflict", "publish"]

    file_help = (
        "JSONL (an object a line with docno, title and text; further keys are kept), BEIR corpus.jsonl, TSV, TREC "
        "SGML, or text and HTML files in a tar. Plain or gzip, UTF-8."
    )


class QrelsForm(ImportForm):
    name = forms.CharField(max_length=100, label="Name of the snapshot")
    asked_again = ("name",)
    field_order = ["file", "format", "name", "publish"]

    file_help = (
        "TREC qrels (topic, iteration, docno, grade), BEIR, CSV or TSV with a header, JSONL or JSON. Plain or gzip. "
        "Topics and documents need not be here. "
        "A negative grade means: pooled, but not judged. A grade above the collection's scale is refused."
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Snapshot.objects.filter(collection=self.collection, name=name).exists():
            raise forms.ValidationError("The collection already has a snapshot of this name.")
        return name


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
    field_order = ["file", "format", "tag", "description", "publish"]

    file_help = (
        "One run, as TREC, JSONL or JSON. The order is that of the scores. Plain or gzip. "
        "Topics and documents need not be here."
    )


class PairsForm(ImportForm):
    name = forms.CharField(max_length=100, label="Name of the pool")
    asked_again = ("name",)
    field_order = ["file", "format", "name", "publish"]

    file_help = (
        "Topic number and docno, plain or gzip. Every topic and document must be here. The order is kept: of each "
        "topic, the pair that stands first counts as the most promising."
    )

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])


def require_grade_map(text: str) -> None:
    try:
        parse_grade_map(text)
    except ValueError as fault:
        raise forms.ValidationError(str(fault)) from fault


def _grades_field(help_text: str) -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=1000,
        label="What the grades of the file are here",
        help_text=help_text,
        validators=[require_grade_map],
    )


class GoldFileForm(ImportForm):
    grades = _grades_field("Where they are of another scale: 0=0, 1=2, 2=4, -2=cannot")
    asked_again = ("grades",)
    field_order = ["file", "format", "grades", "publish"]

    file_help = (
        "Topic number, docno, grade and, if you like, a reason; or qrels. Plain or gzip. Every topic and document "
        "must be here. A pair that is gold with another grade is corrected."
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
    grades = _grades_field(
        "Where they are words or of another scale: highly relevant=3, not relevant=0, broken link=cannot"
    )
    asked_again = ("name", "annotators", "grades")
    field_order = ["file", "format", "name", "annotators", "grades", "publish"]

    file_help = (
        "Topic, document, who judged and the grade, perhaps when and a comment: CSV or TSV with a header, or what "
        "Label Studio, doccano or Mechanical Turk give out. Topics and documents that are not here come in by id."
    )


class FolderForm(ImportForm):
    """A BEIR folder: topics, documents and qrels at once."""

    name = forms.CharField(
        required=False,
        max_length=80,
        label="Name of the snapshot",
        help_text="Without one, the name of the qrels file: test, dev, … Of several, in front of theirs.",
    )
    on_conflict = _conflict_field("topic or document")
    asked_again = ("on_conflict", "name")
    field_order = ["file", "name", "on_conflict", "publish"]

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
    Import.Kind.PAIRS: PairsForm,
    Import.Kind.GOLD: GoldFileForm,
    Import.Kind.JUDGMENTS: JudgmentsForm,
}


def free_pool_name(collection: Collection, name: str) -> str:
    if Pool.objects.filter(collection=collection, name=name).exists():
        raise forms.ValidationError("The collection already has a pool of this name.")
    return name


def _set_choices(form: forms.Form, name: str, choices: Choices) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def require_small_enough(file: Upload) -> None:
    if (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
        raise forms.ValidationError(too_large(file.name or ""))


def too_large(name: str) -> str:
    limit = filesizeformat(settings.TOUCHSTONE_UPLOAD_LIMIT)
    return f"{name} is larger than {limit}, the limit of this installation."
