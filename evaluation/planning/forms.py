"""What is known of an experiment, by design: the fields of a question that go with it."""

from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from annotation.models import Collection, Snapshot
from evaluation.engine.measures import is_quality, parse_measure
from evaluation.engine.planning.plan import POWER, Question
from evaluation.leaderboard.pages.words import AVERAGING
from evaluation.leaderboard.read.evaluations import evaluated_snapshots, evaluations_of
from evaluation.planning.read import Estimates, estimates_of

USUAL = Question()
MOST = 10**12
DESIGNS = [
    ("groups", "two groups of units, as in an A/B test"),
    ("topics", "two systems on the same topics"),
    ("interval", "one mean or rate, with an interval"),
]
# Each design with the fields that belong to it.
FIELDS = {
    "groups": ("rate", "baseline", "deviation", "relative", "difference", "n", "power", "ratio"),
    "topics": ("deviation", "difference", "n", "power"),
    "interval": ("rate", "deviation", "width", "n"),
}
FURTHER = ("alpha", "n_tests", "cluster_size", "correlation", "size_variation")  # of every design
EXAMPLES: dict[str, dict[str, str]] = {
    "groups": {"rate": "0.15", "relative": "0.05"},
    "topics": {"deviation": "0.2", "difference": "0.03"},
    "interval": {"deviation": "0.25", "width": "0.05"},
}


def _number(title: str, help_text: str = "", **options: Any) -> forms.FloatField:
    field = forms.FloatField(required=False, label=title, help_text=help_text, **options)
    field.widget.attrs["step"] = "any"
    return field


def _whole(title: str, help_text: str, least: int) -> forms.IntegerField:
    return forms.IntegerField(required=False, label=title, help_text=help_text, min_value=least, max_value=MOST)


class PlanForm(forms.Form):
    """A question as people enter it; empty fields are not said."""

    design = forms.ChoiceField(choices=DESIGNS)
    rate = _number("Rate today", "Share of units with the outcome, as 0.15.")
    baseline = _number("Mean today", "In place of a rate, for a relative difference.")
    deviation = _number("Standard deviation", "In place of a rate.")
    relative = _number("Relative difference", "The smallest that matters: 0.05 is 5 % of today's.")
    difference = _number("Difference", "The smallest that matters, in the measure's unit.")
    width = _number("± of the interval", "Half its width.")
    n = _whole("How many", "Known? Then what they show is the answer.", 2)
    power = _number("Power", f"Empty: {POWER}.")
    ratio = _number("Second group by first", "Empty: 1.")
    alpha = _number("Level", "Alpha, two-sided. Empty: 0.05.")
    n_tests = _whole("Tests that share it", "Bonferroni. Empty: 1.", 1)
    cluster_size = _number("Units of a cluster", "The mean. Empty: 1, no clusters.")
    correlation = _number("Correlation within clusters", "Empty: 0.")
    size_variation = _number("Variation of their sizes", "Standard deviation by mean. Empty: 0.")

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        design = str(self.data.get("design", ""))
        for name in set(self.fields) - {"design", *FIELDS.get(design, FIELDS["groups"]), *FURTHER}:
            del self.fields[name]
        if design == "topics":
            self.fields["deviation"] = _number("Standard deviation of differences", "Over topics, of the two systems.")

    def question(self) -> Question:
        return Question(**{name: value for name, value in self.cleaned_data.items() if value is not None})

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in FURTHER and field.name != "design"]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FURTHER]

    @property
    def has_further(self) -> bool:
        """Whether a field is filled, or wrong, that is folded away at first."""
        return any(self.data.get(name) or self[name].errors for name in FURTHER)


class EstimatesForm(forms.Form):
    """By which measure runs are estimated, on which snapshot; the newest one and its first measure unless said."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    measure = forms.ChoiceField()
    averaging = forms.ChoiceField(choices=AVERAGING, label="Means over")

    def __init__(self, data: Any, *, collection: Collection) -> None:
        entered = {"averaging": "complete", **data.dict()}
        if newest := evaluated_snapshots(collection).first():
            entered.setdefault("snapshot", newest.name)
        super().__init__(entered)
        self.fields["snapshot"].queryset = Snapshot.objects.filter(  # type: ignore[attr-defined]
            collection=collection
        ).order_by("-id")
        chosen = evaluations_of(collection, averaging=entered["averaging"])
        self.evaluations = list(chosen.filter(snapshot__name=entered.get("snapshot", "")))
        names = dict.fromkeys(name for each in self.evaluations for name in each.measures)
        usable = [name for name in names if is_quality(name) and parse_measure(name).summary != "geometric"]
        set_choices(self, "measure", [(name, name) for name in usable])
        for name in ("snapshot", "measure"):  # without an evaluation there is nothing to choose
            self.fields[name].required = bool(self.evaluations)
        if usable:
            entered.setdefault("measure", usable[0])

    def estimates(self) -> Estimates:
        """Raises `ValueError` as `estimates_of`."""
        return estimates_of(self.evaluations, self.cleaned_data["measure"])
