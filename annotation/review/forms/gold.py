"""Forms about gold."""

from typing import Any

from django import forms

from annotation.corpus.read.texts import visible_documents, visible_topics
from annotation.gold.steps.events import scale_of
from annotation.kernel.forms import named_grades, set_choices
from annotation.kernel.uploads import OTHER_SCALE, Upload, grades_field, require_small_enough, unknown_field
from annotation.models import Collection, Pool, Snapshot

ZERO, LEAVE = "zero", "leave"


class PairForm(forms.Form):
    """A pair by its external ids: `topic` and `document` are the rows once it is valid."""

    number = forms.CharField(max_length=200, label="Topic number")
    docno = forms.CharField(max_length=400, label="Docno")

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.collection = collection

    def clean(self) -> None:
        super().clean()
        number, docno = self.cleaned_data.get("number"), self.cleaned_data.get("docno")
        self.cleaned_data["topic"] = visible_topics(self.collection).filter(number=number).first()
        self.cleaned_data["document"] = visible_documents(self.collection).filter(docno=docno).first()
        if number and self.cleaned_data["topic"] is None:
            self.add_error("number", f"The collection has no topic {number}.")
        if docno and self.cleaned_data["document"] is None:
            self.add_error("docno", f"The collection has no document {docno}.")


class GoldForm(PairForm):
    grade = forms.TypedChoiceField(coerce=int)
    accepted = forms.TypedMultipleChoiceField(
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Also accepted",
        help_text="Other grades that count as correct for this pair. Where there are any, all that are left are "
        "critical errors: somebody has said what may pass.",
    )
    reason = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Why it is gold, for admins. Not shown to annotators.",
    )
    explanation = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Why this is the grade, for annotators: shown to those who judged the pair, once results are due.",
    )

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, collection=collection, **kwargs)
        grades = named_grades(scale_of(collection))
        set_choices(self, "grade", [("", "Choose a grade"), *grades])
        set_choices(self, "accepted", grades)


class WithdrawForm(PairForm):
    reason = forms.CharField(max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))


def _correct_field() -> forms.BooleanField:
    return forms.BooleanField(
        required=False,
        label="Correct pairs that are gold with another grade",
        help_text="Without this nothing is taken where there are such pairs: they are named, and you send it again.",
    )


class GoldFileForm(forms.Form):
    file = forms.FileField(
        max_length=255,
        help_text=(
            "Topic number, docno, grade and, if you like, a reason and an explanation for those who judge, separated "
            "by tabs; or TREC qrels. Plain or gzip. A large file "
            "is better brought under Imports, where it is read in the background."
        ),
    )
    grades = grades_field(OTHER_SCALE)
    unknown = unknown_field()
    correct = _correct_field()

    def clean_file(self) -> Upload:
        file: Upload = self.cleaned_data["file"]
        require_small_enough(file)
        return file


class GoldSnapshotForm(forms.Form):
    snapshot = forms.ModelChoiceField(Snapshot.objects.none(), label="Imported qrels", empty_label="Choose qrels")
    per_grade = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=10_000,
        label="Pairs of each topic and grade, at most",
        help_text="Drawn by the seed. Empty: every listed pair becomes gold.",
    )
    unlisted = forms.ChoiceField(
        choices=[
            (LEAVE, "Take only what the qrels list"),
            (ZERO, "Pairs of their topics that they do not list have the lowest grade: take some of them too"),
        ],
        widget=forms.RadioSelect,
        label="Pairs that the qrels do not list",
    )
    pool = forms.ModelChoiceField(
        Pool.objects.none(), required=False, empty_label="No pool", help_text="Where unlisted pairs are drawn from."
    )
    n_unlisted = forms.IntegerField(required=False, min_value=1, max_value=10_000, label="Unlisted pairs of each topic")
    seed = forms.IntegerField(min_value=0, max_value=2**62)
    correct = _correct_field()

    def __init__(self, *args: Any, collection: Collection, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        snapshots, pools = self.fields["snapshot"], self.fields["pool"]
        assert isinstance(snapshots, forms.ModelChoiceField)
        assert isinstance(pools, forms.ModelChoiceField)
        imported = Snapshot.objects.filter(collection=collection, origin=Snapshot.Origin.IMPORTED)
        snapshots.queryset = imported.order_by("-created_at")
        pools.queryset = Pool.objects.filter(Pool.VISIBLE, collection=collection).order_by("-created_at")

    @property
    def has_qrels(self) -> bool:
        """Whether there are any to choose from."""
        snapshots = self.fields["snapshot"]
        assert isinstance(snapshots, forms.ModelChoiceField)
        return bool(snapshots.queryset and snapshots.queryset.exists())

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("unlisted") != ZERO:
            return
        if self.cleaned_data.get("pool") is None:
            self.add_error("pool", "Choose the pool that unlisted pairs are drawn from.")
        if self.cleaned_data.get("n_unlisted") is None and "n_unlisted" not in self.errors:
            self.add_error("n_unlisted", "Say how many.")

    def arguments(self) -> dict[str, Any]:
        """Of the step that takes gold from qrels."""
        same = ("snapshot", "per_grade", "pool", "seed", "correct")
        return {
            **{name: self.cleaned_data[name] for name in same},
            "unlisted_are_zero": self.cleaned_data["unlisted"] == ZERO,
            "n_unlisted": self.cleaned_data["n_unlisted"] or 0,
        }
