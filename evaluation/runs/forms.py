"""Runs that people upload, and pools made from runs."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.kernel.forms import ALL, LISTED, free_pool_name, listed_numbers
from annotation.kernel.uploads import Upload, require_small_enough
from annotation.models import Collection
from evaluation.engine.fusion import METHODS
from evaluation.engine.fusion.fuse import DEPTH
from evaluation.engine.fusion.normalisation import NORMALISATIONS
from evaluation.engine.fusion.rrf import MOST_K
from evaluation.engine.pooling import RRF_K
from evaluation.models import Run
from evaluation.runs.read import not_in_collection, problem_of_tag

MOST_FILES = 50


class CountForm(forms.Form):
    """What decides the pairs of a pool. `numbers` are the chosen topics once it is valid."""

    runs = forms.ModelMultipleChoiceField(Run.objects.none(), widget=forms.CheckboxSelectMultiple)
    depth = forms.IntegerField(
        min_value=1,
        max_value=10_000,
        initial=10,
        help_text="So many documents from the top of each run, for each topic.",
    )
    topics = forms.ChoiceField(
        choices=[(ALL, "All topics of the collection"), (LISTED, "These topics")],
        initial=ALL,
        widget=forms.RadioSelect,
    )
    numbers = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Topic numbers",
        help_text="Separated by blanks or line ends; for “These topics”.",
    )

    def __init__(self, *args: Any, runs: QuerySet[Run], collection_numbers: set[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection_numbers = collection_numbers
        field = self.fields["runs"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = runs

    def clean(self) -> None:
        super().clean()
        numbers = listed_numbers(self)
        if numbers is None and not self.collection_numbers:
            self.add_error("topics", "The collection has no topics yet.")
        if unknown := [number for number in numbers or () if number not in self.collection_numbers]:
            self.add_error("numbers", not_in_collection(unknown))
        self.cleaned_data["numbers"] = sorted(self.collection_numbers) if numbers is None else numbers


class PoolForm(CountForm):
    name = forms.CharField(max_length=100)
    field_order = ["name", "runs", "depth", "topics", "numbers"]

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])


class FusionForm(forms.Form):
    """Which runs to fuse, how, and what the new run is called."""

    tag = forms.RegexField(
        r"\A\S+\Z",
        max_length=100,
        help_text="What the new run is called.",
        error_messages={"invalid": "A tag has no white space."},
    )
    method = forms.ChoiceField(
        choices=[(name, f"{kind.title}: {kind.meaning}") for name, kind in METHODS.items()],
        initial="rrf",
        widget=forms.RadioSelect,
    )
    k = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_K, label="k", help_text=f"Of RRF alone. Empty: {RRF_K}."
    )
    normalisation = forms.ChoiceField(
        choices=[("", "min-max, where scores are added"), *((name, name) for name in NORMALISATIONS)],
        required=False,
        help_text="Of CombSUM and CombMNZ alone: how scores of different runs come on one scale.",
    )
    depth = forms.IntegerField(
        min_value=1, max_value=100_000, initial=DEPTH, help_text="How many documents of each topic are kept."
    )
    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection
        self.fields["runs"].queryset = Run.objects.filter(collection=collection)  # type: ignore[attr-defined]

    def clean_tag(self) -> str:
        tag: str = self.cleaned_data["tag"]
        if problem := problem_of_tag(self.collection, tag):
            raise forms.ValidationError(problem)
        return tag

    def clean_runs(self) -> list[Run]:
        runs = list(self.cleaned_data["runs"])
        if len(runs) < 2:
            raise forms.ValidationError("Choose at least two runs.")
        return runs

    def clean(self) -> dict[str, Any]:
        """What the method does not take is an error under its name."""
        data = self.cleaned_data
        kind = METHODS.get(data.get("method", ""))
        for name in ("k", "normalisation"):
            if kind and data.get(name) not in (None, "") and name not in kind.parameters():
                self.add_error(name, f"{kind.title} does not take this: leave it empty.")
        return data

    def arguments(self) -> dict[str, Any]:
        """Of the step that asks for the fusion."""
        data = self.cleaned_data
        same = {name: data[name] for name in ("tag", "method", "depth", "runs")}
        return {**same, "parameters": {"k": data["k"], "normalisation": data["normalisation"] or None}}


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files: each is checked as one."""

    widget = FilesInput

    def clean(self, data: Any, initial: object = None) -> list[Upload]:
        files: Sequence[Any] = data if isinstance(data, (list, tuple)) and data else [data]
        if len(files) > MOST_FILES:
            raise forms.ValidationError(f"At most {MOST_FILES} files at a time.")
        return [super(FilesField, self).clean(file, initial) for file in files]


class RunsForm(forms.Form):
    file = FilesField(
        max_length=255,
        label="Files",
        help_text=(
            "TREC runs, plain or gzip, one run a file: topic, Q0, docno, rank, score, tag; or JSON. The order is that "
            "of the scores; a rank is ignored. Topics and documents need not be here."
        ),
    )
    format = forms.ChoiceField(
        required=False,
        label="Read them as",
        help_text="What they were recognised as is shown before anything is stored.",
    )
    tag = forms.RegexField(
        r"\A\S+\Z",
        required=False,
        max_length=100,
        help_text="What the run is called. If you leave it empty, the tag in the file.",
        error_messages={"invalid": "A tag has no white space."},
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    publish = forms.BooleanField(
        required=False,
        label="Publish without asking if there is no problem",
        help_text="Only where you have chosen what they are read as. Otherwise you see first what would be stored.",
    )

    def __init__(self, *args: Any, formats: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["format"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "what their content says"), *formats]

    def clean_file(self) -> list[Upload]:
        files: list[Upload] = self.cleaned_data["file"]
        for file in files:
            require_small_enough(file)
        return files

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("tag") and len(data.get("file", ())) > 1:
            self.add_error("tag", "A tag of your own goes with one file only.")
        if not data.get("format"):
            data["publish"] = False  # nothing that was only recognised is stored unseen
        return data
