"""Finding gold by words and grade."""

from typing import Any

from django import forms

from annotation.kernel.forms import named_grades
from annotation.models import ScaleVersion


class GoldSearchForm(forms.Form):
    q = forms.CharField(required=False, max_length=200, label="Search")
    grade = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, scale: ScaleVersion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        grade = self.fields["grade"]
        assert isinstance(grade, forms.ChoiceField)
        grade.choices = [("", "All grades"), *named_grades(scale)]
