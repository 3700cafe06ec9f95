"""Confirming a change of gold, once it is said whom it touches."""

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from annotation.trust.read.gold_effect import Touched


class ConfirmForm(forms.Form):
    """`freed`: pseudonyms of whom the change frees, each with words about them; all come back but who is unticked.

    `last_event`: that of the pair, as whoever confirms has seen it.
    """

    confirmed = forms.BooleanField(widget=forms.HiddenInput)
    seen = forms.IntegerField(widget=forms.HiddenInput)
    bring_back = forms.MultipleChoiceField(
        required=False,
        label="Bring back",
        widget=forms.CheckboxSelectMultiple,
        help_text="Their judgments count again, and they get cards again, with this change of gold as the reason. "
        "Who is unticked and paused stays paused by your decision: no rule brings them back.",
    )

    def __init__(self, *args: Any, freed: Sequence[tuple[str, str]], last_event: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["confirmed"].initial, self.fields["seen"].initial = True, last_event
        set_choices(self, "bring_back", freed)
        self.fields["bring_back"].initial = [pseudonym for pseudonym, _ in freed]
        if not freed:
            del self.fields["bring_back"]


def freed_in_words(person: Touched) -> str:
    event = person.exclusion if person.exclusion_over else person.pause
    rule = event.get_rule_display().lower() if event else ""
    out = "excluded" if person.exclusion_over else "paused"
    return f"{person.pseudonym}: {out} by a rule ({rule}); then {person.after.n_right} right of {person.after.n_gold}"
