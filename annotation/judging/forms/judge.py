from typing import Any

from django import forms

from annotation.models import Assignment, Batch

MOST_CHARACTERS = 2**31 - 1


class CardForm(forms.Form):
    """Any deed on a card: its token."""

    token = forms.CharField(max_length=22)


class GradeForm(CardForm):
    """A grade of the batch's scale, with what travels with it."""

    grade = forms.TypedChoiceField(coerce=int)
    comment = forms.CharField(max_length=4000, required=False, strip=True)
    active_ms = forms.IntegerField(min_value=0, max_value=10**9, required=False)
    wall_ms = forms.IntegerField(min_value=0, max_value=10**9, required=False)
    evidence_start = forms.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False)
    evidence_end = forms.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False)

    def __init__(self, data: object, *, batch: Batch) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["grade"].choices = [  # type: ignore[attr-defined]
            (str(each["grade"]), each["name"]) for each in batch.scale.grades
        ]

    def clean(self) -> dict[str, Any]:
        """Evidence is a span of the document's text: from the first character up to the one after the last."""
        given = self.cleaned_data
        start, end = given.get("evidence_start"), given.get("evidence_end")
        if (start is None) != (end is None) or (start is not None and end is not None and start >= end):
            raise forms.ValidationError("The evidence must begin before it ends.")
        return given


class UndoForm(CardForm):
    """Which judgment to open again; the last without a token."""

    token = forms.CharField(max_length=22, required=False)


class ReleaseForm(CardForm):
    """Which page goes, as it names itself."""

    page = forms.CharField(max_length=22, required=False)


class SkipForm(CardForm):
    reason = forms.TypedChoiceField(choices=Assignment.SkipReason.choices, coerce=Assignment.SkipReason)
    note = forms.CharField(max_length=2000, required=False, strip=True)
