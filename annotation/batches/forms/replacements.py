"""Forms about slots added in place of judgments that do not count."""

from django import forms


class ReplaceForm(forms.Form):
    """How many slots were proposed to the admin who confirms."""

    n = forms.IntegerField(min_value=1)
