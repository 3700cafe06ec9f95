"""The form of the information text."""

from django import forms

from annotation.kernel.forms import PlainText

LONGEST_TEXT = 20_000  # characters


class InformationForm(forms.Form):
    text = PlainText(
        widget=forms.Textarea(attrs={"rows": 24}),
        max_length=LONGEST_TEXT,
        help_text="What people are to know before they take part. Markdown: **bold**, lists with “- ”, headings “## ”.",
    )
    based_on = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
