"""What people may say about their own work."""

from django import forms


class ObjectionForm(forms.Form):
    reason = forms.CharField(
        max_length=2000,
        label="Why you see it otherwise",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Say what in the document or in the topic speaks for your grade. Those who lead the collection read "
        "it with your pseudonym, and answer here.",
    )
