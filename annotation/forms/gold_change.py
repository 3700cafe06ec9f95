"""Confirming a change of gold, once it is said whom it touches."""

from typing import Any

from django import forms

from annotation.queries.gold.effect import Effect, Touched


class ConfirmForm(forms.Form):
    """`bring_back`: whom the change frees; all of them, unless somebody is unticked."""

    confirmed = forms.BooleanField(widget=forms.HiddenInput)
    seen = forms.IntegerField(widget=forms.HiddenInput)
    bring_back = forms.MultipleChoiceField(
        required=False,
        label="Bring back",
        widget=forms.CheckboxSelectMultiple,
        help_text="Their judgments count again, and they get cards again, with this change of gold as the reason.",
    )

    def __init__(self, *args: Any, effect: Effect, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["confirmed"].initial, self.fields["seen"].initial = True, effect.held
        back = self.fields["bring_back"]
        assert isinstance(back, forms.MultipleChoiceField)
        back.choices = [(person.pseudonym, _in_words(person)) for person in effect.freed]
        back.initial = [person.pseudonym for person in effect.freed]
        if not effect.freed:
            del self.fields["bring_back"]


def _in_words(person: Touched) -> str:
    event = person.exclusion if person.exclusion_over else person.pause
    rule = event.get_rule_display().lower() if event else ""
    out = "excluded" if person.exclusion_over else "paused"
    return f"{person.pseudonym}: {out} by a rule ({rule}); then {person.after.n_right} right of {person.after.n_gold}"
