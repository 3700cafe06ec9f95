"""Finding by words."""

from django import forms


class SearchForm(forms.Form):
    q = forms.CharField(required=False, max_length=200, label="Search")
