"""Lists that a person keeps under a name."""

from django import forms

from annotation.kernel.list_views import LISTS

LONGEST_QUERY = 1000
LONGEST_NAME = 60


class SavedViewForm(forms.Form):
    """`page`: the name of a list's address; `query`: what it asks for."""

    page = forms.ChoiceField(choices=[(name, name) for name in LISTS], help_text="Which list.")
    name = forms.CharField(
        max_length=LONGEST_NAME, help_text="What you call it; one of the same list and name is replaced."
    )
    query = forms.CharField(
        max_length=LONGEST_QUERY, required=False, help_text="The address after the question mark: sort, q, columns …"
    )


class ViewNameForm(forms.Form):
    name = forms.CharField(max_length=LONGEST_NAME, help_text="What you call it from now on.")
