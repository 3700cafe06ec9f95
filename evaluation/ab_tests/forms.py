"""What is asked of the log of an A/B test."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from evaluation.engine.ab_tests.always_valid import EVENTS, NARROWEST_AT, START
from evaluation.engine.ab_tests.bootstrap import REPLICATES, SEED
from evaluation.engine.ab_tests.question import MOST_REPLICATES, Question
from evaluation.engine.ab_tests.sample_ratio import THRESHOLD
from evaluation.engine.significance.corrections import CORRECTIONS
from evaluation.formats.experiment_question import question_of
from evaluation.models import Experiment, ExperimentAnalysis

MOST, MOST_SEED = 10**12, 2**63 - 1
CONTROLS = ("control", "a", "baseline", "old", "0")  # what the control is often called


def _margin(one: Mapping[str, Any]) -> str:
    return f"{100 * one['value']:.12g}%" if one["relative"] else f"{one['value']:.12g}"


def _texts(title: str, help_text: str) -> forms.CharField:
    return forms.CharField(required=False, max_length=10_000, label=title, help_text=help_text)


def _chosen(title: str, help_text: str) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, label=title, help_text=help_text)


def _whole(title: str, initial: int, least: int, most: int, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(label=title, initial=initial, min_value=least, max_value=most, help_text=help_text)


class QuestionForm(forms.Form):
    """The fields are the options of `analyse_experiment`; lists of texts have commas between."""

    control = forms.ChoiceField(help_text="The variant beside which the others are set.")
    measures = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, help_text="Means over units. Name few: p is adjusted."
    )
    ratio = _texts("Ratios", "Of two sums: clicks/views.")
    covariate = _chosen("Covariate", "Measured before assignment: it saves variance (CUPED).")
    guardrail = _texts("Guardrails", "The change that is too much: bought=-1%, seconds=0.2.")
    segments = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, help_text="From before assignment, named beforehand."
    )
    time = _chosen("Time", "When a unit came: looks over time, and where it could have been stopped.")
    every = forms.CharField(
        required=False, max_length=30, label="A look every", help_text="hour, day (of dates, if empty), week, a number"
    )
    cluster = _chosen("Cluster", "What was assigned, where rows are parts of it, as sessions of a user.")
    share = _texts("Shares of the variants", "Empty: equal. A=9, B=1.")
    correction = forms.ChoiceField(
        choices=[(name, name) for name in CORRECTIONS], initial="holm", help_text="Of p, over measures and treatments."
    )
    alpha = forms.FloatField(initial=0.05, help_text="Of tests and intervals.")
    threshold = forms.FloatField(initial=THRESHOLD, help_text="Of the sample ratio's p.")
    start = _whole("Looks begin at", START, 2, MOST, "Units a group; named before the data are seen.")
    events = _whole("and at", EVENTS, 0, MOST, "Events a group.")
    narrowest_at = _whole("Narrowest at", NARROWEST_AT, 2, MOST, "Units of both: where always-valid intervals are.")
    replicates = _whole("Draws of clusters", REPLICATES, 2, MOST_REPLICATES)
    seed = _whole("Seed", SEED, 0, MOST_SEED, "Of the draws.")
    further = ("share", "correction", "alpha", "threshold", "start", "events", "narrowest_at", "replicates", "seed")

    def __init__(self, data: Any = None, *, experiment: Experiment, **options: Any) -> None:
        super().__init__(data, **options)
        variants = sorted(experiment.n)
        numbers, texts = ([(name, name) for name in names] for names in (experiment.numbers, experiment.texts))
        set_choices(self, "control", [(name, name) for name in variants])
        self.fields["control"].initial = next((each for each in variants if each.lower() in CONTROLS), variants[0])
        for name, choices in (("measures", numbers), ("segments", texts)):
            set_choices(self, name, choices)
        for name, choices in (("covariate", numbers), ("time", [*texts, *numbers]), ("cluster", [*texts, *numbers])):
            set_choices(self, name, [("", "none"), *choices])
        self.fields["alpha"].widget.attrs["step"] = self.fields["threshold"].widget.attrs["step"] = "any"

    @classmethod
    def asking(cls, stored: ExperimentAnalysis | None, experiment: Experiment) -> "QuestionForm":
        """As it was filled for this analysis; None: as it is at first."""
        if stored is None:
            return cls(experiment=experiment)
        asked = stored.asked
        margins = [f"{one['measure']}={_margin(one)}" for one in asked["guardrails"]]
        shares = [f"{name}={share:g}" for name, share in (asked["shares"] or {}).items()]
        texts = {"ratio": ["/".join(pair) for pair in asked["ratios"]], "guardrail": margins, "share": shares}
        initial = {name: asked[name] for name in cls.base_fields if name in asked}
        initial |= {name: ", ".join(each) for name, each in texts.items()}
        return cls(experiment=experiment, initial=initial)

    def clean(self) -> None:
        super().clean()
        if self.errors:
            return
        entered = dict(self.cleaned_data)
        for name in ("ratio", "guardrail", "share"):
            entered[name] = [part for part in re.split(r"[,\n]\s*", entered[name].strip()) if part]
        try:
            self.question: Question = question_of(entered)
        except ValueError as reason:
            self.add_error(None, f"This cannot be asked: {reason}.")

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.further]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.further]

    @property
    def has_further(self) -> bool:
        """Whether something is wrong that is folded away at first."""
        return any(self[name].errors for name in self.further)
