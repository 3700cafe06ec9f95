"""Interleaved lists: drawn of runs, credited their clicks, and how many impressions they need."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from evaluation.beyond.forms.sources import (
    MOST_SEED,
    NONE,
    TABLE,
    SourcesForm,
    choice_field,
    file_field,
    number_field,
    snapshot_field,
)
from evaluation.beyond.steps.asking import Source, snapshot_source
from evaluation.beyond.steps.interleaving import drawn_lists
from evaluation.engine.clicks.models import MODELS, model_named
from evaluation.engine.clicks.power import OUTCOMES
from evaluation.engine.interleaving import METHODS
from evaluation.engine.interleaving.drawing import DEPTH, PARAMETERS, method_named
from evaluation.engine.interleaving.lists import MOST_DEPTH, MOST_RANKERS, Lists
from evaluation.engine.interleaving.probabilistic import MOST_TAU
from evaluation.engine.significance.corrections import CORRECTIONS
from evaluation.models import Description, Run
from evaluation.runs.read import runs_of

SIZES, MOST_SIZES, MOST_SIZE, LEAST_SIZE = "50, 100, 200, 500, 1000, 2000, 5000", 20, 100_000, 4
REPLICATIONS, MOST_REPLICATIONS, MOST_IMPRESSIONS = 1000, 10_000, 10**8
MOST_LISTS = 1000  # of a topic


def _named(names: Mapping[str, str], initial: str = "") -> forms.ChoiceField:
    return forms.ChoiceField(choices=list(names.items()), initial=initial or next(iter(names)))


def _optional(title: str, names: tuple[str, ...], help_text: str) -> forms.ChoiceField:
    choices = [("", "as usual"), *((name, name) for name in names)]
    return forms.ChoiceField(required=False, choices=choices, label=title, help_text=help_text)


class MethodForm(forms.Form):
    """How lists are drawn. Field names are the options of `interleave`."""

    method = _named({name: kind.title for name, kind in METHODS.items()})
    depth = forms.IntegerField(min_value=1, max_value=MOST_DEPTH, initial=DEPTH, label="Documents of a list")
    shared_prefix = _optional(
        "Documents that begin all rankings alike", ("drafted", "teamless"), "Of team draft: they have a team, or none."
    )
    click_credit = _optional("Credit of a click", ("inverse", "linear"), "Of optimised: by 1/rank, or by rank.")
    tau = number_field("Tau", "Of probabilistic: rank r is drawn in proportion to 1/r^tau; 3.", max_value=MOST_TAU)
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0)

    def clean(self) -> None:
        super().clean()
        if "method" in self.cleaned_data:
            try:
                kind = METHODS[self.cleaned_data["method"]]
                method_named(self.cleaned_data["method"], self.parameters())
                if self.cleaned_data.get("depth", 1) > kind.most_depth:
                    self.add_error("depth", f"Of {kind.title} at most {kind.most_depth}.")
            except ValueError as reason:
                self.add_error("method", f"{reason}.")

    def parameters(self) -> dict[str, Any]:
        values = {name: self.cleaned_data.get(name) for name in PARAMETERS}
        return {name: value for name, value in values.items() if value not in (None, "")}


class ListsForm(MethodForm):
    """Lists to be drawn, of runs of the collection."""

    runs = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, help_text=f"2 to {MOST_RANKERS}.")
    lists = forms.IntegerField(
        min_value=1, max_value=MOST_LISTS, initial=10, label="Lists of a topic", help_text="Numbered from 1."
    )
    field_order = ["runs", "method", "lists", "depth", "seed"]

    def __init__(self, *args: Any, collection: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored_runs: dict[str, Run] = {run.tag: run for run in runs_of(collection)}
        set_choices(self, "runs", [(tag, tag) for tag in self.stored_runs])

    def clean(self) -> None:
        super().clean()
        chosen, method = self.cleaned_data.get("runs", []), self.cleaned_data.get("method")
        if len(chosen) == 1:
            self.add_error("runs", "Two at least.")
        if len(chosen) > MOST_RANKERS:
            self.add_error("runs", f"{MOST_RANKERS} at most.")
        if method and METHODS[method].pairs_only and len(chosen) > 2:
            self.add_error("runs", f"Of {METHODS[method].title} two: take team draft.")

    @property
    def key(self) -> str:
        """A hash of all that the lists follow from."""
        entered = {name: value for name, value in self.cleaned_data.items() if name != "runs"}
        hashes = [self.stored_runs[tag].sha256 for tag in self.cleaned_data["runs"]]
        return hashlib.sha256(json.dumps([hashes, entered], sort_keys=True).encode()).hexdigest()

    def drawn(self) -> Lists:
        """Raises `ValueError` as `drawn_lists`."""
        entered = self.cleaned_data
        shared = {name: entered[name] for name in ("method", "depth", "lists", "seed")}
        return drawn_lists([self.stored_runs[tag] for tag in entered["runs"]], parameters=self.parameters(), **shared)


class ClicksForm(SourcesForm):
    """Interleaved lists, and the clicks on them."""

    kind = Description.Kind.INTERLEAVING
    options = ("confidence", "correction")

    lists = file_field("Lists", "JSONL, as they were drawn here or by another tool.")
    log = file_field("Clicks", f"{TABLE}: a row a click, with topic number, list, and position or docno.")
    confidence = number_field(
        "Confidence", "Of intervals.", required=True, initial=0.95, min_value=0.5, max_value=0.9999
    )
    correction = _named({name: name for name in CORRECTIONS}, "holm")

    def clean(self) -> None:
        super().clean()
        for name in ("lists", "log"):
            if not self.has(name) and name not in self.errors:
                self.add_error(name, "Send a file.")

    def sources(self) -> Mapping[str, Source | None]:
        return {name: self.file(name) for name in ("lists", "log")}


class PowerForm(SourcesForm, MethodForm):
    """Two runs, and judgments from which users' clicks are simulated."""

    kind = Description.Kind.INTERLEAVING_POWER
    options = (
        *("method", "depth", *PARAMETERS, "clicks", "eta", "noise", "sizes", "replications", "outcome", "alpha"),
        "seed",
    )

    snapshot = snapshot_field("Judgments", "Clicks follow from grades.", required=True)
    first = choice_field("Run", "")
    second = choice_field("beside", "")
    clicks = _named(
        {name: f"{name.replace('_', ' ')}: {kind.meaning}" for name, kind in MODELS.items()}, "navigational"
    )
    eta = number_field(
        "Eta", "Of position based: position r is looked at (1/r)^eta often; 1.", min_value=0, max_value=10
    )
    noise = number_field("Noise", "Of position based: how often grade 0 is clicked once looked at; .1.", min_value=0)
    sizes = forms.CharField(max_length=200, initial=SIZES, label="Impressions", help_text="In all, each size a point.")
    replications = forms.IntegerField(
        min_value=10, max_value=MOST_REPLICATIONS, initial=REPLICATIONS, help_text="Of each experiment."
    )
    outcome = _named({name: name.replace("_", " ") for name in OUTCOMES})
    alpha = number_field("Level", "Of both tests.", required=True, initial=0.05, min_value=1e-6, max_value=0.5)
    field_order = ["snapshot", "first", "second", "clicks", "sizes", "method", "outcome", "alpha", "replications"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.choose_snapshot()
        for name in ("first", "second"):
            set_choices(self, name, [NONE, *((tag, tag) for tag in self.stored_runs)])

    def clean_sizes(self) -> str:
        try:
            sizes = sorted({int(part) for part in self.cleaned_data["sizes"].split(",")})
        except ValueError as fault:
            raise forms.ValidationError("Whole numbers, with commas between.") from fault
        if sizes[0] < LEAST_SIZE or sizes[-1] > MOST_SIZE or len(sizes) > MOST_SIZES:
            reason = f"Up to {MOST_SIZES} sizes of {LEAST_SIZE} to {MOST_SIZE:,} impressions."
            raise forms.ValidationError(reason)
        return ",".join(map(str, sizes))

    def clean(self) -> None:
        SourcesForm.clean(self)
        MethodForm.clean(self)
        entered = self.cleaned_data
        for name in ("first", "second"):
            if not self.has(name) and name not in self.errors:
                self.add_error(name, "Choose a run.")
        if entered.get("first") and entered.get("first") == entered.get("second"):
            self.add_error("second", "The same run: nothing can be told apart.")
        if int(entered.get("sizes", "0").rpartition(",")[2]) * entered.get("replications", 0) > MOST_IMPRESSIONS:
            self.add_error("sizes", f"Times the replications that is more than {MOST_IMPRESSIONS:,}.")
        if "clicks" in entered:
            try:
                model_named(entered["clicks"], eta=entered.get("eta"), noise=entered.get("noise"))
            except ValueError as reason:
                self.add_error("clicks", f"{reason}.")

    def sources(self) -> Mapping[str, Source | None]:
        return {
            "judgments": snapshot_source(self.cleaned_data["snapshot"]),
            "first": self.stored_run("first"),
            "second": self.stored_run("second"),
        }
