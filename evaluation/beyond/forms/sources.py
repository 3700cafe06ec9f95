"""What every form of this subject has: sources, each a file that is sent or a thing of the collection, and options."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.uploads import require_small_enough
from annotation.models import Collection, Snapshot
from evaluation.beyond.steps.asking import Asked, Source, file_source, run_source, vectors_source
from evaluation.runs.read import runs_of
from evaluation.vectors.read import vectors_of

TABLE = "CSV, TSV, JSONL or Parquet"
SEED, MOST_SEED = 42, 2**31 - 1
NONE = ("", "none")


def file_field(title: str, help_text: str) -> forms.FileField:
    return forms.FileField(required=False, max_length=255, label=title, help_text=help_text)


def choice_field(title: str, help_text: str) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, label=title, help_text=help_text)


def number_field(title: str, help_text: str, **options: Any) -> forms.FloatField:
    field = forms.FloatField(label=title, help_text=help_text, **{"required": False, **options})
    field.widget.attrs["step"] = "any"
    return field


def snapshot_field(title: str, help_text: str, *, required: bool = False) -> "forms.ModelChoiceField[Snapshot]":
    """Of the collection, once the form is made: `choose_snapshot`."""
    return forms.ModelChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        required=required,
        empty_label=None if required else "none",
        label=title,
        help_text=help_text,
    )


class SourcesForm(forms.Form):
    """`asked` is what was asked, once it is valid. Field names are those of the API."""

    kind: str
    options: tuple[str, ...] = ()  # fields that are no sources

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection
        self.stored_runs = {run.tag: run for run in runs_of(collection)}
        self.stored_sets = {f"{one.side}/{one.model}": one for one in vectors_of(collection)}

    def clean(self) -> None:
        for name, field in self.fields.items():
            file = self.cleaned_data.get(name)
            if isinstance(field, forms.FileField) and file:
                try:
                    require_small_enough(file)
                except forms.ValidationError as reason:
                    self.add_error(name, reason)

    def has(self, *names: str) -> list[str]:
        """Those of the fields that were filled."""
        return [name for name in names if self.cleaned_data.get(name)]

    def file(self, name: str) -> Source | None:
        sent = self.cleaned_data.get(name)
        return file_source(sent.file, sent.name) if sent else None

    def stored_run(self, name: str) -> Source | None:
        chosen = self.cleaned_data.get(name)
        return run_source(self.stored_runs[chosen]) if chosen else None

    def stored_vectors(self, name: str) -> Source | None:
        chosen = self.cleaned_data.get(name)
        return vectors_source(self.stored_sets[chosen]) if chosen else None

    def sources(self) -> Mapping[str, Source | None]:
        raise NotImplementedError

    def asked(self) -> Asked:
        """Files that were sent are stored by it."""
        sources = {part: source for part, source in self.sources().items() if source}
        return Asked(self.kind, sources, self.chosen_options())

    def chosen_options(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.options if self.cleaned_data[name] not in (None, "")}

    def choose_snapshot(self) -> None:
        snapshots = Snapshot.objects.filter(collection=self.collection).order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]
