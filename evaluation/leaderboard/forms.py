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
