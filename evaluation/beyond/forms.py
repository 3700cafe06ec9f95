"""What is described, and by what: files that are sent, or runs, vectors and snapshots of the collection."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from annotation.kernel.uploads import require_small_enough
from annotation.models import Collection, Snapshot
from evaluation.beyond.steps.asking import (
    Asked,
    Source,
    file_source,
    run_source,
    snapshot_source,
    vectors_source,
)
from evaluation.engine.beyond.alarm_description import FALSE_RATE
from evaluation.engine.beyond.detectors import NEIGHBOURS
from evaluation.engine.drift.description import (
    ALPHA,
    DIRECTIONS,
    MOST_DIRECTIONS,
    MOST_PERMUTATIONS,
    MOST_SAMPLE,
    PERMUTATIONS,
    SAMPLE,
)
from evaluation.formats.log.alarms import MEANINGS
from evaluation.models import Description
from evaluation.runs.read import runs_of
from evaluation.vectors.read import DOCUMENTS, vectors_of

TABLE = "CSV, TSV, JSONL or Parquet"
K, SEED, MOST_K = 10, 42, 10_000
NONE = ("", "none")
RUN = "run"


def _file(title: str, help_text: str) -> forms.FileField:
    return forms.FileField(required=False, max_length=255, label=title, help_text=help_text)


def _choice(title: str, help_text: str) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, label=title, help_text=help_text)


def _number(title: str, help_text: str, **options: Any) -> forms.FloatField:
    field = forms.FloatField(label=title, help_text=help_text, **{"required": False, **options})
    field.widget.attrs["step"] = "any"
    return field


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


class RecommendationsForm(SourcesForm):
    """Lists of items for people or queries; or a query log alone."""

    kind = Description.Kind.RECOMMENDATIONS
    options = ("k",)

    run = _choice("Run of the collection", "A person or query is a topic, an item a document.")
    run_file = _file("or a file with a run", "In any form that runs are imported from.")
    items = _file("Items", f"{TABLE}: item, popularity, category. Without it the catalogue is what has a vector.")
    vectors = _choice("Vectors of the items", "Of documents. Without them items of one category are alike.")
    snapshot = forms.ModelChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        required=False,
        empty_label="none",
        label="What people wanted",
        help_text="A snapshot, for the hit rate.",
    )
    truth = _file("or a file of qrels", "What people wanted; grade 1 or more.")
    history = _file("What people knew", f"{TABLE}: person, item. For serendipity.")
    asked_file = _file(
        "Who was asked", f"{TABLE}: query or person, how often. Alone, with a column of results: zero results of a log."
    )
    k = forms.IntegerField(min_value=1, max_value=MOST_K, initial=K, label="First items of each list")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "run", [NONE, *((tag, tag) for tag in self.stored_runs)])
        sets = [name for name, one in self.stored_sets.items() if one.side == DOCUMENTS]
        set_choices(self, "vectors", [NONE, *((name, name) for name in sets)])
        snapshots = Snapshot.objects.filter(collection=self.collection).order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]

    def clean(self) -> None:
        super().clean()
        for first, second in (("run", "run_file"), ("snapshot", "truth")):
            if len(self.has(first, second)) > 1:
                self.add_error(second, "One of the two, not both.")
        if self.has("run", "run_file"):
            if not self.has("items", "vectors"):
                self.add_error("items", "Send the items, or choose their vectors: they are the catalogue.")
        elif not self.has("asked_file"):
            self.add_error("run", "Choose a run, or send one; or a query log alone, as who was asked.")
        elif beside := self.has("items", "vectors", "snapshot", "truth", "history"):
            self.add_error(beside[0], "Of no use without a run.")

    def sources(self) -> Mapping[str, Source | None]:
        snapshot = self.cleaned_data["snapshot"]
        return {
            "run": self.stored_run("run") or self.file("run_file"),
            "items": self.file("items"),
            "vectors": self.stored_vectors("vectors"),
            "truth": snapshot_source(snapshot) if snapshot else self.file("truth"),
            "history": self.file("history"),
            "asked": self.file("asked_file"),
        }


class AlarmsForm(SourcesForm):
    """Scores of a detector, with what each row truly was."""

    kind = Description.Kind.ALARMS
    options = ("false_rate", "threshold", "false_alarm", "miss")

    scores = _file("Scores", f"{TABLE}: score, positive (0 or 1); time and event as wanted.")
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Columns of other names",
        help_text="As positive=is_chargeback, score=p.",
    )
    run = _choice("or a run of the collection", "Its scores; with the anomalies among its documents.")
    vectors = _choice("or vectors", "Suspect is what lies far from all others; with the anomalies among them.")
    anomalies = _file("Anomalies among items", f"{TABLE}: item, positive (0 or 1).")
    neighbour = forms.IntegerField(
        min_value=1, max_value=1000, initial=NEIGHBOURS, label="Of vectors: distance to which neighbour"
    )
    false_rate = _number(
        "Rate of false alarms", "At most.", required=True, initial=FALSE_RATE, min_value=0, max_value=0.999
    )
    threshold = _number("Alarm above", "For cost and time to detection; empty: the threshold of that rate is drawn.")
    false_alarm = _number("A false alarm costs", "With the next one.", min_value=0)
    miss = _number("A miss costs", "Both need a threshold.", min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "run", [NONE, *((tag, tag) for tag in self.stored_runs)])
        set_choices(self, "vectors", [NONE, *((name, name) for name in self.stored_sets)])

    def clean_columns(self) -> dict[str, str]:
        known = [meaning.name for meaning in MEANINGS]
        chosen = {}
        for pair in filter(str.strip, self.cleaned_data["columns"].split(",")):
            meaning, sign, column = (part.strip() for part in pair.partition("="))
            if not sign or meaning not in known or not column:
                raise forms.ValidationError(f"{pair.strip()}: one of {', '.join(known)}, an equals sign, a column.")
            chosen[meaning] = column
        return chosen

    def clean(self) -> None:
        super().clean()
        chosen = self.has("scores", "run", "vectors")
        if len(chosen) != 1:
            self.add_error("scores", "One of the three: a file of scores, a run, or vectors.")
        elif (chosen == ["scores"]) == bool(self.has("anomalies")):
            reason = "Of a run or vectors alone: a file of scores says it itself." if self.has("anomalies") else ""
            self.add_error("anomalies", reason or "Say which items are anomalies.")

    def sources(self) -> Mapping[str, Source | None]:
        return {
            "scores": self.file("scores"),
            "run": self.stored_run("run"),
            "vectors": self.stored_vectors("vectors"),
            "anomalies": self.file("anomalies"),
        }

    def chosen_options(self) -> dict[str, Any]:
        options = super().chosen_options()
        if columns := self.cleaned_data["columns"]:
            options["columns"] = columns
        if self.has("vectors"):
            options["neighbour"] = self.cleaned_data["neighbour"]
        return options


class DriftForm(SourcesForm):
    """A reference and a window: vectors beside vectors, or scores beside scores."""

    kind = Description.Kind.DRIFT
    options = ("column", "sample", "permutations", "directions", "alpha", "seed")

    reference = _choice("Reference", "Vectors, or the scores of a run.")
    reference_file = _file("or a file of scores", f"{TABLE}.")
    window = _choice("Window", "The same, of later.")
    window_file = _file("or another file of scores", f"{TABLE}.")
    column = forms.CharField(
        required=False, max_length=200, label="Column of the files", help_text="Which one holds the scores."
    )
    sample = forms.IntegerField(
        min_value=10,
        max_value=MOST_SAMPLE,
        initial=SAMPLE,
        label="Rows of a side",
        help_text="Drawn if it has more.",
    )
    permutations = forms.IntegerField(min_value=99, max_value=MOST_PERMUTATIONS, initial=PERMUTATIONS)
    directions = forms.IntegerField(
        min_value=1, max_value=MOST_DIRECTIONS, initial=DIRECTIONS, help_text="Of vectors, drawn at random."
    )
    alpha = _number("Level of all tests together", "", required=True, initial=ALPHA, min_value=1e-6, max_value=0.999)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=SEED, label="Seed of what is drawn")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs = [(f"{RUN}/{tag}", f"scores of {tag}") for tag in self.stored_runs]
        sets = [(name, f"vectors: {name}") for name in self.stored_sets]
        for name in ("reference", "window"):
            set_choices(self, name, [NONE, *sets, *runs])

    def clean(self) -> None:
        super().clean()
        for name in ("reference", "window"):
            if len(self.has(name, f"{name}_file")) != 1:
                self.add_error(name, "One of the two: choose one, or send a file.")
        chosen = [self.stored_sets.get(self.cleaned_data.get(name, "")) for name in ("reference", "window")]
        if len(set(map(bool, chosen))) > 1:
            self.add_error("window", "Vectors beside vectors, scores beside scores.")
        elif all(chosen) and len({one.dim for one in chosen if one}) > 1:
            self.add_error("window", "Of other dimensions than the reference.")
        if self.has("reference_file", "window_file") and not self.has("column"):
            self.add_error("column", "Say which column of the files holds the scores.")

    def sources(self) -> Mapping[str, Source | None]:
        return {name: self._stored(name) or self.file(f"{name}_file") for name in ("reference", "window")}

    def _stored(self, name: str) -> Source | None:
        """Of `run/TAG`, `documents/MODEL` or `queries/MODEL`."""
        chosen = self.cleaned_data[name]
        if not chosen or chosen in self.stored_sets:
            return self.stored_vectors(name)
        return run_source(self.stored_runs[chosen.removeprefix(f"{RUN}/")])


FORMS: dict[str, type[SourcesForm]] = {form.kind: form for form in (RecommendationsForm, AlarmsForm, DriftForm)}
