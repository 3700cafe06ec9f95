"""What people may send on the judging page and about their own work."""

import re
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from django import forms

from annotation.kernel.forms import ShownVersionForm
from annotation.models import Assignment, Deed, JudgingChoices, ScaleVersion

MOST_CHARACTERS = 2**31 - 1
MOST_WORDS = 30
MOST_RELEASED = 10  # cards at once
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class SharedFields(dict[str, forms.Field]):
    """Fields that no form changes: all forms share them, where Django copies each for each form."""

    def __deepcopy__(self, _memo: object) -> dict[str, forms.Field]:
        return dict(self)


class ConsentForm(ShownVersionForm):
    """`then`: what the person had begun when the text came before it."""

    TRAINING = "training"

    then = forms.ChoiceField(choices=[(TRAINING, "Training")], required=False)


class AnswerForm(forms.Form):
    """A grade of the scale."""

    grade = forms.TypedChoiceField(coerce=int)

    def __init__(self, data: object, *, scale: ScaleVersion) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        field = self.fields["grade"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(step["grade"], step["name"]) for step in scale.grades]


class CardForm(forms.Form):
    """Any deed on a card: its token."""

    token = forms.CharField(max_length=22)


class GradeForm(AnswerForm, CardForm):
    """The grade of a card, with what travels with it."""

    comment = forms.CharField(max_length=4000, required=False, strip=True)
    active_ms = forms.IntegerField(min_value=0, max_value=10**9, required=False)
    wall_ms = forms.IntegerField(min_value=0, max_value=10**9, required=False)
    evidence_start = forms.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False)
    evidence_end = forms.IntegerField(min_value=0, max_value=MOST_CHARACTERS, required=False)

    def __init__(self, data: object, *, scale: ScaleVersion) -> None:
        fields = SharedFields(self.base_fields, grade=deepcopy(self.base_fields["grade"]))
        vars(self)["base_fields"] = fields
        super().__init__(data, scale=scale)

    def clean(self) -> dict[str, Any]:
        """Evidence is a span of the document's text: from the first character up to the one after the last."""
        fields = self.cleaned_data
        start, end = fields.get("evidence_start"), fields.get("evidence_end")
        if (start is None) != (end is None) or (start is not None and end is not None and start >= end):
            raise forms.ValidationError("The evidence must begin before it ends.")
        return fields


class UndoForm(CardForm):
    """Which judgment to open again; the last without a token."""

    token = forms.CharField(max_length=22, required=False)


class ReleaseForm(forms.Form):
    """Which page goes, as it names itself, and the cards that it has fetched ahead."""

    token = forms.CharField(max_length=23 * MOST_RELEASED, help_text="Of one card, or of several with commas between.")
    page = forms.CharField(max_length=22, required=False)

    def clean_token(self) -> list[str]:
        return [token.strip() for token in self.cleaned_data["token"].split(",")]


class SkipForm(CardForm):
    reason = forms.TypedChoiceField(choices=Assignment.SkipReason.choices, coerce=Assignment.SkipReason)
    note = forms.CharField(max_length=2000, required=False, strip=True)


class ViewForm(CardForm):
    """Which card's document, and how much of it."""

    view = forms.ChoiceField(choices=JudgingChoices.Reading.choices, required=False)


class ReadingForm(forms.Form):
    """What a person prefers: excerpt first or all of it, marks or none. What is not sent stays as it is."""

    reading = forms.ChoiceField(choices=JudgingChoices.Reading.choices, required=False)
    marks = forms.TypedChoiceField(
        choices=[("on", "on"), ("off", "off")], coerce=lambda value: value == "on", required=False, empty_value=None
    )


class ReadingPageForm(ReadingForm):
    """The same from a page: whether it is that of a lesson, to which a browser without a script goes back."""

    lesson = forms.BooleanField(required=False)


class WordsForm(CardForm):
    """Words to mark, with blanks, commas or semicolons between them; none takes all away."""

    words = forms.CharField(max_length=500, required=False)

    def clean_words(self) -> list[str]:
        pieces = re.split(r"[\s,;、，；]+", self.cleaned_data["words"])
        words = list(dict.fromkeys(word for word in pieces if word))
        if len(words) > MOST_WORDS:
            raise forms.ValidationError(f"{MOST_WORDS} words at most.")
        return words


class KeysForm(forms.Form):
    """One letter for each deed of the judging page, or none; no letter for two.

    Of the grades, those of `grades` alone are asked for; the others keep their letter unless a deed takes it.
    """

    def __init__(self, data: object = None, *, choices: JudgingChoices, grades: Iterable[int]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        bound = choices.bindings
        asked = {f"grade_{grade}" for grade in grades}
        self._kept = {deed: key for deed, key in bound.items() if deed.startswith("grade_") and deed not in asked}
        for deed in Deed:
            if deed.startswith("grade_") and deed not in asked:
                continue
            self.fields[deed.value] = forms.CharField(
                required=False,
                max_length=1,
                initial=bound.get(deed.value, ""),
                label=deed.label,
                widget=forms.TextInput(attrs={"class": "key", "autocapitalize": "none", "autocomplete": "off"}),
            )

    def clean(self) -> dict[str, Any]:
        keys = {deed: (key or "").lower() for deed, key in self.cleaned_data.items()}
        for deed, key in keys.items():
            self._check(deed, key, keys)
        return {deed: key for deed, key in self._kept.items() if key not in keys.values()} | keys

    def _check(self, deed: str, key: str, keys: dict[str, str]) -> None:
        if key and key not in LETTERS:
            self.add_error(deed, "A letter from A to Z: digits are the grades, other keys belong to the browser.")
        others = [Deed(other).label for other, letter in keys.items() if letter == key and other != deed]
        if key and others:
            self.add_error(deed, f"{key.upper()} is taken: {'; '.join(others)}. Choose another for one of them.")


class ObjectionForm(forms.Form):
    reason = forms.CharField(
        max_length=2000,
        label="Why you see it otherwise",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Say what in the document or in the topic speaks for your grade. Those who lead the collection read "
        "it with your pseudonym, and answer here.",
    )
