from collections.abc import Sequence

from django import forms

from annotation.models import Collection, Snapshot
from evaluation.engine.measures.names import split_names
from evaluation.models import Run

AVERAGING = [
    ("complete", "all topics of the snapshot (a missing one counts 0)"),
    ("retrieved", "only topics that the run has"),
]
# Another snapshot or way has other runs to evaluate: the form comes anew, with its own ticks.
CHOOSES_RUNS = {
    "hx-trigger": "change",
    "hx-target": "closest form",
    "hx-select": "main form",
    "hx-swap": "outerHTML",
    "hx-include": "[name=snapshot], [name=averaging], [name=measures]",
    "hx-push-url": "true",
}


class LeaderboardForm(forms.Form):
    """Which snapshot, and over which topics the means are."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    averaging = forms.ChoiceField(choices=AVERAGING, label="Means over")

    def __init__(self, data: object, *, collection: Collection) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        snapshots = Snapshot.objects.filter(collection=collection).select_related("collection").order_by("-id")
        self.fields["snapshot"].queryset = snapshots  # type: ignore[attr-defined]


class CompareForm(LeaderboardForm):
    """Two evaluated runs, a measure, and what the researcher names beforehand."""

    measure = forms.ChoiceField()
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
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**63 - 1, help_text="Of what is drawn. Empty: 0.")
    field_order = ("snapshot", "averaging", "measure", "first", "second", "minimum", "threshold", "seed")

    def __init__(self, data: object, *, collection: Collection, measures: Sequence[str], tags: Sequence[str]) -> None:
        super().__init__(data, collection=collection)
        for name, choices in (("measure", measures), ("first", tags), ("second", tags)):
            self.fields[name].choices = [(each, each) for each in choices]  # type: ignore[attr-defined]

    def clean(self) -> None:
        super().clean()
        minimum = self.cleaned_data.get("minimum")
        if minimum is not None and minimum <= 0:
            self.add_error("minimum", "The smallest difference that would matter is above 0.")
        if self.cleaned_data.get("first") and self.cleaned_data["first"] == self.cleaned_data.get("second"):
            self.add_error("second", "Choose another run.")


class EvaluateForm(LeaderboardForm):
    """Which runs to evaluate, and by what besides the usual measures."""

    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )
    measures = forms.CharField(
        required=False,
        label="More measures",
        help_text="Besides the usual ones, separated by blanks: nDCG@20 P@5 AP(rel=2)",
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
