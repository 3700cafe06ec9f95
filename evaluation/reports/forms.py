"""What a report is of: a snapshot, runs, measures, and how they are compared."""

from collections.abc import Sequence
from typing import Any, get_args

from django import forms

from annotation.kernel.forms import set_choices
from annotation.models import Collection, Snapshot
from evaluation.engine.comparison import Design
from evaluation.engine.conclusions import CORRECTION_WORDS, TEST_WORDS
from evaluation.engine.many_runs import DESIGN as OF_MANY
from evaluation.engine.measures.names import split_names
from evaluation.engine.scorer import Averaging
from evaluation.formats.report.question import Kind
from evaluation.leaderboard.pages.words import AVERAGING
from evaluation.models import Run
from evaluation.reports.steps import USUAL

KINDS: dict[Kind, str] = {
    "evaluation": "an evaluation: means, and ranks by the first measure",
    "comparison": "a comparison: of two runs, of many, or of all against a baseline",
}
KIND_CHOICES = list(KINDS.items())
assert set(KINDS) == set(get_args(Kind))
assert [name for name, _ in AVERAGING] == list(get_args(Averaging))


class ReportForm(forms.Form):
    kind = forms.ChoiceField(choices=KIND_CHOICES, initial="evaluation", label="What")
    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    averaging = forms.ChoiceField(choices=AVERAGING, initial="complete", label="Means over")
    title = forms.CharField(required=False, max_length=200, help_text="Empty: what it is of.")
    measures = forms.CharField(
        required=False,
        max_length=2000,
        help_text=f"Separated by blanks or commas, the first one decides ranks. Empty: "
        f"{', '.join(USUAL['evaluation'])}; compared by {', '.join(USUAL['comparison'])}.",
    )
    test = forms.ChoiceField(
        required=False,
        choices=[("", "the usual one"), *TEST_WORDS.items()],
        help_text="Choose before you look. Usual: the randomization test of two runs or against a baseline, the "
        "randomised Tukey test of more, and of ranks.",
    )
    correction = forms.ChoiceField(
        required=False,
        choices=[(name, words.removesuffix("'s correction")) for name, words in CORRECTION_WORDS.items()],
        initial=OF_MANY.correction,
        help_text="Of p. The randomised Tukey test needs none.",
    )
    alpha = forms.FloatField(
        required=False, min_value=0.0001, max_value=0.5, label="Level", help_text="Of the test, alpha. Empty: 0.05."
    )
    confidence = forms.FloatField(
        required=False, min_value=0.5, max_value=0.9999, help_text="Of intervals. Empty: 0.95."
    )
    minimum = forms.FloatField(
        required=False,
        label="Smallest difference that would matter",
        help_text="Of two runs: gives how many topics it needs.",
    )
    threshold = forms.FloatField(
        required=False, min_value=0, label="Equal up to", help_text="Topics that differ by no more count as equal."
    )
    draws = forms.IntegerField(
        required=False, min_value=1, max_value=100_000, help_text="Of the test. Empty: what it usually takes."
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1, help_text="Of what is drawn. Empty: 0.")
    baseline = forms.ChoiceField(required=False, help_text="Every other run is compared with it. None: all pairs.")
    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(),
        to_field_name="tag",
        widget=forms.CheckboxSelectMultiple,
        label="Runs",
        help_text="A comparison of two is the upper one minus the lower one.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs = Run.objects.filter(collection=collection)
        snapshots = Snapshot.objects.filter(collection=collection).select_related("collection", "policy")
        self.fields["runs"].queryset = runs  # type: ignore[attr-defined]
        self.fields["snapshot"].queryset = snapshots.order_by("-pk")  # type: ignore[attr-defined]
        set_choices(self, "baseline", [("", "none"), *((run.tag, run.tag) for run in runs)])

    def list_first(self, tags: Sequence[str]) -> None:
        """These runs above the others, in this order; their boxes are sent so."""
        index_by_tag = {tag: at for at, tag in enumerate(tags)}
        all_tags = [run.tag for run in self.fields["runs"].queryset]  # type: ignore[attr-defined]
        set_choices(
            self,
            "runs",
            [(tag, tag) for tag in sorted(all_tags, key=lambda tag: index_by_tag.get(tag, len(index_by_tag)))],
        )

    def clean_runs(self) -> list[Run]:
        """In the order in which they were sent."""
        sent = self.fields["runs"].widget.value_from_datadict(self.data, self.files, self.add_prefix("runs"))
        return sorted(self.cleaned_data["runs"], key=lambda run: sent.index(run.tag))

    def clean_measures(self) -> list[str]:
        """The names; the step refuses unknown ones with the nearest that exist."""
        return split_names(str(self.cleaned_data["measures"]))

    def clean_minimum(self) -> float | None:
        minimum: float | None = self.cleaned_data["minimum"]
        if minimum is not None and not minimum > 0:
            raise forms.ValidationError("The smallest difference that would matter is above 0.")
        return minimum

    def arguments(self) -> dict[str, Any]:
        """Of the step that asks for a report."""
        data = self.cleaned_data
        same = {name: data[name] for name in ("kind", "title", "measures", "averaging", "snapshot", "runs")}
        return {**same, "design": self._design(), "seed": data["seed"] or 0}

    def _design(self) -> Design:
        """What was left empty is as it usually is."""
        data = self.cleaned_data
        of_many = data["kind"] == "evaluation" or (len(data["runs"]) > 2 and not data["baseline"])
        test = data["test"] or (OF_MANY.test if of_many else Design().test)
        names = ("alpha", "confidence", "minimum", "threshold")
        numbers = {name: data[name] for name in names if data[name] is not None}
        baseline = data["baseline"] or None if data["kind"] == "comparison" else None
        correction = data["correction"] or OF_MANY.correction
        return Design(test=test, correction=correction, n_draws=data["draws"], baseline=baseline, **numbers)
