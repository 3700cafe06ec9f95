"""The answer to a pair of a qualification round."""

from typing import Any

from django import forms

from annotation.models import ScaleVersion


class AnswerForm(forms.Form):
    grade = forms.TypedChoiceField(coerce=int)

    def __init__(self, *args: Any, scale: ScaleVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["grade"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(step["grade"], step["name"]) for step in scale.grades]
