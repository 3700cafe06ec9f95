"""Forms about who gets cards and who counts."""

from django import forms
from django.http import QueryDict

from annotation.forms.quality import ReasonForm
from annotation.models import Rule

__all__ = ["PauseForm", "ReasonForm", "rule_of"]


class PauseForm(ReasonForm):
    """Why somebody is paused: for the record, and for themselves."""

    told = forms.CharField(
        max_length=1000,
        required=False,
        label="What the person reads",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown to them instead of the next card, with the note that everybody reads who is paused. Say how "
        "they can go on and whom to ask. Do not name pairs: that would tell which ones are checked.",
    )


def rule_of(query: QueryDict) -> str:
    """The rule that proposed the deed, as the address says; empty for none."""
    named = query.get("rule", "")
    return named if named in Rule.values else ""
