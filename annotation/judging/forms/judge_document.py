import re

from django import forms

from annotation.judging.forms.judge import CardForm
from annotation.models import JudgingChoices

MOST_WORDS = 30


class ViewForm(CardForm):
    """Which card's document, and how much of it."""

    view = forms.ChoiceField(choices=JudgingChoices.Reading.choices, required=False)


class ReadingForm(forms.Form):
    """What a person prefers: excerpt first or all of it, marks or none. What is not sent stays as it is."""

    reading = forms.ChoiceField(choices=JudgingChoices.Reading.choices, required=False)
    marks = forms.TypedChoiceField(
        choices=[("on", "on"), ("off", "off")], coerce=lambda given: given == "on", required=False, empty_value=None
    )


class WordsForm(CardForm):
    """Words to mark, with blanks, commas or semicolons between them; none takes all away."""

    words = forms.CharField(max_length=500, required=False)

    def clean_words(self) -> list[str]:
        given = re.split(r"[\s,;、，；]+", self.cleaned_data["words"])
        words = list(dict.fromkeys(word for word in given if word))
        if len(words) > MOST_WORDS:
            raise forms.ValidationError(f"{MOST_WORDS} words at most.")
        return words
