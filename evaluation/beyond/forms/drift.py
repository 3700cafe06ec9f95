"""A reference and a window: vectors beside vectors, or scores beside scores."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from evaluation.beyond.forms.sources import (
    MOST_SEED,
    NONE,
    SEED,
    TABLE,
    SourcesForm,
    choice_field,
    file_field,
    number_field,
)
from evaluation.beyond.steps.asking import Source, run_source
from evaluation.engine.drift.description import (
    ALPHA,
    DIRECTIONS,
    MOST_DIRECTIONS,
    MOST_PERMUTATIONS,
    MOST_SAMPLE,
    PERMUTATIONS,
    SAMPLE,
)
from evaluation.models import Description

RUN = "run"


class DriftForm(SourcesForm):
    """A reference and a window: vectors beside vectors, or scores beside scores."""

    kind = Description.Kind.DRIFT
    options = ("column", "sample", "permutations", "directions", "alpha", "seed")

    reference = choice_field("Reference", "Vectors, or the scores of a run.")
    reference_file = file_field("or a file of scores", f"{TABLE}.")
    window = choice_field("Window", "The same, of later.")
    window_file = file_field("or another file of scores", f"{TABLE}.")
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
    alpha = number_field(
        "Level of all tests together", "", required=True, initial=ALPHA, min_value=1e-6, max_value=0.999
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=SEED, label="Seed of what is drawn")

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
