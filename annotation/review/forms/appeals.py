"""Answering what people object to."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.gold.read.current import GoldChange
from annotation.kernel.forms import named_grades, set_choices
from annotation.models import Appeal, ScaleVersion
from annotation.review.steps.appeals import change_on

DECLINE, CORRECT, WITHDRAW, SETTLED = "decline", "correct", "withdraw", "settled"


class AppealForm(forms.Form):
    """What becomes of the gold, and what the person reads. `has_changed`: gold has changed since they objected."""

    decision = forms.ChoiceField(widget=forms.RadioSelect)
    grade = forms.TypedChoiceField(
        coerce=int, required=False, empty_value=None, help_text="The gold grade, where the gold is corrected."
    )
    accepted = forms.TypedMultipleChoiceField(
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Also accepted",
        help_text="Other grades that count as right for this pair.",
    )
    explanation = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Why this is the grade, for all who judged the pair, once results are due.",
    )
    answer = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The person reads it beside their objection. Say what in the document or the topic decides.",
    )

    def __init__(self, *args: Any, scale: ScaleVersion, has_changed: bool, n_others: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        decisions = [
            (DECLINE, "Decline: the gold stays as it is"),
            (CORRECT, "Uphold: correct the gold"),
            (WITHDRAW, "Uphold: withdraw the gold"),
            *([(SETTLED, "Uphold: it has been changed already")] if has_changed else []),
        ]
        set_choices(self, "decision", decisions)
        set_choices(self, "grade", [("", "Choose a grade"), *named_grades(scale)])
        set_choices(self, "accepted", named_grades(scale))
        if n_others:
            more = f"the {n_others} other open objections" if n_others > 1 else "the other open objection"
            words = f"Where the gold changes, uphold {more} to this pair with the same answer"
            self.fields["all_of_pair"] = forms.BooleanField(required=False, initial=True, label=words)

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("decision") == CORRECT and self.cleaned_data.get("grade") is None:
            self.add_error("grade", "Choose what the grade is to be.")


def change_of(appeal: Appeal, answers: Mapping[str, Any]) -> GoldChange:
    """The change of gold that upholds the objection, by the answers to this form or to the API."""
    return change_on(
        appeal,
        grade=None if answers["decision"] == WITHDRAW else answers["grade"],
        accepted=answers["accepted"],
        answer=answers["answer"],
        explanation=answers["explanation"],
    )
