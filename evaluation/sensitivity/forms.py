"""What is studied, and how; which two runs have shares."""

from typing import Any

from django import forms

from annotation.models import Collection, Snapshot
from evaluation.engine.sensitivity.evidence import POOL_DEPTH
from evaluation.models import Run
from evaluation.sensitivity.steps import ordering_measure

MOST_DEPTH, MOST_SEED = 1000, 2**63 - 1
MEASURE = "nDCG@10"
ANEW = [
    ("annotators", "annotators left out, in turn"),
    ("posterior", "grades drawn from their calibrated probabilities (needs gold)"),
]


class _OrderForm(forms.Form):
    """A snapshot of the collection, and the measure by which runs are in order."""

    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), to_field_name="name", empty_label=None)
    measure = forms.CharField(max_length=100, initial=MEASURE, help_text="The mean of one measure of quality.")
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED, initial=0, help_text="Of all that is drawn.")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        snapshots = Snapshot.objects.filter(collection=collection).select_related("collection", "scale")
        self.fields["snapshot"].queryset = snapshots.order_by("-pk")  # type: ignore[attr-defined]

    def clean_measure(self) -> str:
        try:
            return str(ordering_measure(self.cleaned_data["measure"]))
        except ValueError as reason:
            raise forms.ValidationError(str(reason)) from reason


class SensitivityForm(_OrderForm):
    """Which runs and how; what is left empty is as usual."""

    runs = forms.ModelMultipleChoiceField(
        Run.objects.none(), to_field_name="tag", widget=forms.CheckboxSelectMultiple, label="Runs"
    )
    beside = forms.ModelMultipleChoiceField(
        Snapshot.objects.none(),
        to_field_name="name",
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="Beside",
        help_text="Other snapshots that judge the same pairs, of machine judges for instance.",
    )
    groups = forms.CharField(
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Runs left out of the pool together, a group a line: bert=*bert*, mono_1",
    )
    pool_depth = forms.IntegerField(
        min_value=1,
        max_value=MOST_DEPTH,
        initial=POOL_DEPTH,
        label="Depth of the pool",
        help_text="How deep each run brought documents to it.",
    )
    judgments_anew = forms.ChoiceField(choices=ANEW, initial="annotators", label="Judgments anew")
    field_order = ("snapshot", "measure", "runs", "beside", "groups", "pool_depth", "judgments_anew", "seed")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, collection=collection, **kwargs)
        runs = Run.objects.filter(collection=collection)
        self.fields["runs"].queryset = runs  # type: ignore[attr-defined]
        self.fields["runs"].initial = [run.tag for run in runs]
        snapshots = Snapshot.objects.filter(collection=collection)
        self.fields["beside"].queryset = snapshots  # type: ignore[attr-defined]
        if len(snapshots) < 2:  # none but the one that is studied
            del self.fields["beside"]

    def clean_groups(self) -> dict[str, list[str]]:
        lines = [line.partition("=") for line in self.cleaned_data["groups"].splitlines() if line.strip()]
        if any(not (name.strip() and tags.strip()) for name, _, tags in lines):
            raise forms.ValidationError("Each line is a name, an equals sign and tags with commas between.")
        return {name.strip(): [tag.strip() for tag in tags.split(",")] for name, _, tags in lines}

    def arguments(self) -> dict[str, Any]:
        """Of the step that asks for it."""
        data = {**self.cleaned_data}
        runs, beside = list(data.pop("runs")), [each for each in data.get("beside", ()) if each != data["snapshot"]]
        return {**data, "runs": runs, "beside": beside}


class SharesForm(_OrderForm):
    """Two runs whose shares are asked for."""

    first = forms.ModelChoiceField(Run.objects.none(), to_field_name="tag", label="Run")
    second = forms.ModelChoiceField(Run.objects.none(), to_field_name="tag", label="beats run")
    field_order = ("snapshot", "measure", "first", "second", "seed")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, collection=collection, **kwargs)
        for name in ("first", "second"):
            self.fields[name].queryset = Run.objects.filter(collection=collection)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("first") and data.get("first") == data.get("second"):
            self.add_error("second", "Choose two different runs.")
        return data
