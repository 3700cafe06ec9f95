from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.kernel.forms import free_pool_name, set_choices
from annotation.models import Collection, Snapshot
from evaluation.engine.comparison import Design
from evaluation.engine.conclusions import CORRECTION_WORDS, TEST_WORDS
from evaluation.engine.many_runs import DESIGN, OF_MEANS
from evaluation.engine.measures.names import split_names
from evaluation.engine.significance.pairs import PairsTest
from evaluation.engine.two_runs import TESTS
from evaluation.leaderboard.pages.words import AVERAGING
from evaluation.models import Run

USUAL = Design()
# Another snapshot or way has other runs to evaluate: the form comes anew, with its own ticks.
CHOOSES_RUNS = {
    "hx-trigger": "change",
    "hx-target": "closest form",
    "hx-select": "main form",
    "hx-swap": "outerHTML",
    "hx-include": "[name=snapshot], [name=averaging], [name=measures]",
    "hx-push-url": "true",
}


def _level(least: float, most: float, usual: float, **options: Any) -> forms.FloatField:
    """Empty: the usual one."""
    field = forms.FloatField(required=False, min_value=least, max_value=most, initial=usual, **options)
    field.widget.attrs["step"] = "any"
    return field


class LeaderboardForm(forms.Form):
    """Which snapshot, and over which topics the means are."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    averaging = forms.ChoiceField(choices=AVERAGING, label="Means over")

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        snapshots = Snapshot.objects.filter(collection=collection).select_related("collection").order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]


class BoardForm(LeaderboardForm):
    """What of the leaderboard is shown, and against which run."""

    primary = forms.ChoiceField(required=False, help_text="Rows stand by it, and it alone is tested.")
    baseline = forms.ChoiceField(required=False, help_text="Every other run shown is tested against it.")
    alpha = _level(0.0001, 0.5, USUAL.alpha, label="Level", help_text="Of tests and ranks, alpha. Empty: 0.05.")
    confidence = _level(0.5, 0.9999, USUAL.confidence, help_text="Of intervals, each for itself. Empty: 0.95.")
    tag = forms.CharField(required=False, max_length=200, label="Tags with", help_text="Shows these runs alone.")
    measure = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Columns", help_text="None ticked: those that fit."
    )
    field_order = ("snapshot", "averaging", "primary", "baseline", "alpha", "confidence", "tag", "measure")

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection)
        set_choices(self, "primary", [("", "the first"), *((each, each) for each in measures)])
        set_choices(self, "measure", [(each, each) for each in measures])
        set_choices(self, "baseline", [("", "none"), *((each, each) for each in sorted(tags))])

    def design(self, test: PairsTest, *, baseline: str | None = None) -> Design:
        """What was left empty, or is no level, is as usual."""
        asked = getattr(self, "cleaned_data", {})
        named = {name: asked.get(name) for name in ("alpha", "confidence")}
        levels = {name: value for name, value in named.items() if value is not None}
        return Design(test=test, baseline=baseline, **levels)

    @property
    def confidence_of_means(self) -> float:
        return self.design("t").confidence


class TopicsForm(LeaderboardForm):
    """By which measure, and of which runs, values are shown topic by topic."""

    measure = forms.ChoiceField(required=False)
    run = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Runs", help_text="None ticked: the best that fit."
    )

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection)
        set_choices(self, "measure", [(each, each) for each in measures])
        set_choices(self, "run", [(each, each) for each in tags])


class PlotForm(LeaderboardForm):
    """Which measures are drawn."""

    x = forms.ChoiceField(label="To the right")
    y = forms.ChoiceField(label="Upwards")
    family = forms.ChoiceField(required=False, label="By cutoff")
    field_order = ("snapshot", "averaging", "x", "y", "family")

    def __init__(
        self, data: object, *, collection: Collection, measures: Sequence[str], families: Sequence[str]
    ) -> None:
        super().__init__(data, collection=collection)
        for name, choices in (("x", measures), ("y", measures), ("family", families)):
            set_choices(self, name, [(each, each) for each in choices])


class ComparedForm(LeaderboardForm):
    """By which measure, test and levels evaluated runs are compared."""

    measure = forms.ChoiceField()
    test = forms.ChoiceField(required=False, help_text="Choose before you look.")
    confidence = _level(0.5, 0.9999, USUAL.confidence, help_text="Of intervals. Empty: 0.95.")
    alpha = _level(0.0001, 0.5, USUAL.alpha, label="Level", help_text="Of the test, alpha. Empty: 0.05.")
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1, help_text="Of what is drawn. Empty: 0.")
    tests: Sequence[PairsTest] = ()

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection)
        set_choices(self, "measure", [(each, each) for each in measures])
        set_choices(self, "test", [(each, TEST_WORDS[each]) for each in self.tests])

    def clean_test(self) -> str:
        return self.cleaned_data["test"] or self.tests[0]

    def clean_confidence(self) -> float:
        return self._or_usual("confidence", USUAL.confidence)

    def clean_alpha(self) -> float:
        return self._or_usual("alpha", USUAL.alpha)

    def clean_seed(self) -> int:
        return self.cleaned_data["seed"] or 0

    def _or_usual(self, name: str, usual: float) -> float:
        value: float | None = self.cleaned_data[name]
        return usual if value is None else value


class CompareForm(ComparedForm):
    """Two evaluated runs, a measure, and what the researcher names beforehand."""

    first = forms.ChoiceField(label="Run")
    second = forms.ChoiceField(label="minus run")
    minimum = forms.FloatField(
        required=False,
        label="Smallest difference that would matter",
        help_text="Named before you look: gives how many topics it needs.",
    )
    threshold = forms.FloatField(
        required=False, min_value=0, label="Equal up to", help_text="Topics that differ by no more count as equal."
    )
    field_order = (
        *("snapshot", "averaging", "measure", "first", "second", "minimum", "threshold"),
        *("test", "alpha", "confidence", "seed"),
    )
    tests = TESTS

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection, measures=measures, tags=tags)
        for name in ("first", "second"):
            set_choices(self, name, [(each, each) for each in tags])

    def clean(self) -> None:
        super().clean()
        minimum = self.cleaned_data.get("minimum")
        if minimum is not None and minimum <= 0:
            self.add_error("minimum", "The smallest difference that would matter is above 0.")
        if self.cleaned_data.get("first") and self.cleaned_data["first"] == self.cleaned_data.get("second"):
            self.add_error("second", "Choose another run.")

    def design(self) -> Design:
        asked = self.cleaned_data
        same = {name: asked[name] for name in ("test", "confidence", "alpha", "minimum")}
        return Design(**same, threshold=asked["threshold"] or 0.0)


class BesideForm(LeaderboardForm):
    """Two runs of the collection and a measure, for one topic."""

    averaging = forms.ChoiceField(required=False, choices=AVERAGING)
    measure = forms.CharField(max_length=100)
    first = forms.ModelChoiceField(Run.objects.none(), to_field_name="tag")
    second = forms.ModelChoiceField(Run.objects.none(), to_field_name="tag")

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data, collection=collection)
        for name in ("first", "second"):
            self.fields[name].queryset = Run.objects.filter(collection=collection)  # type: ignore[attr-defined]

    def in_address(self) -> dict[str, str]:
        asked = self.cleaned_data
        tags = {name: asked[name].tag for name in ("first", "second")}
        return {"snapshot": asked["snapshot"].name, "measure": asked["measure"], **tags}


class CompareManyForm(ComparedForm):
    """Evaluated runs, all unless some are chosen, and how all their pairs are tested."""

    correction = forms.ChoiceField(
        required=False,
        choices=[(name, words.removesuffix("'s correction")) for name, words in CORRECTION_WORDS.items()],
        initial=DESIGN.correction,
        help_text="Of p. The randomised Tukey test needs none.",
    )
    draws = forms.IntegerField(
        required=False, min_value=1, max_value=100_000, help_text="Of the test. Empty: what it usually takes."
    )
    run = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Runs", help_text="None ticked: all."
    )
    field_order = (
        *("snapshot", "averaging", "measure", "test", "correction", "alpha", "confidence", "draws", "seed"),
        "run",
    )
    tests = OF_MEANS

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection, measures=measures, tags=tags)
        set_choices(self, "run", [(each, each) for each in sorted(tags)])

    def clean_run(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["run"]
        if len(chosen) == 1:
            raise forms.ValidationError("Choose two runs or more, or none for all.")
        return chosen

    def design(self) -> Design:
        asked = self.cleaned_data
        same = {name: asked[name] for name in ("test", "confidence", "alpha")}
        return Design(**same, correction=asked["correction"] or DESIGN.correction, n_draws=asked["draws"])


class DepthForm(forms.Form):
    depth = forms.IntegerField(min_value=1, max_value=1000, initial=10, help_text="So many documents of each topic.")


class UnjudgedForm(DepthForm):
    """A pool of what a run has at its tops and nobody has judged."""

    name = forms.CharField(max_length=100, label="Name of the pool")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean_name(self) -> str:
        return free_pool_name(self.collection, self.cleaned_data["name"])


class EvaluateForm(LeaderboardForm):
    """Which runs to evaluate, and by what besides the usual measures."""

    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )
    measures = forms.CharField(
        required=False,
        label="More measures",
        help_text="Besides the usual ones, separated by blanks or commas: nDCG@20 P@5 AP(rel=2)",
    )

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data, collection=collection)
        self.fields["runs"].queryset = Run.objects.filter(collection=collection)  # type: ignore[attr-defined]

    def say_which(self, snapshot: Snapshot, *, path: str) -> None:
        """Whose runs are ticked; the page at `path` ticks those of another choice, where scripts run."""
        for name in ("snapshot", "averaging"):
            self.fields[name].widget.attrs |= CHOOSES_RUNS | {"hx-get": path}
        self.fields["runs"].help_text = f"Ticked: those not evaluated against {snapshot.name} this way yet."

    def clean_measures(self) -> list[str]:
        """The names; the step refuses unknown ones with the nearest that exist."""
        return split_names(str(self.cleaned_data["measures"]))
