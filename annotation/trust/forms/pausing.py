"""Forms about who gets cards and who counts."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from django import forms

from annotation.kernel.forms import ReasonForm
from annotation.models import Rule
from annotation.quality.trust.rules import PAUSE, PROPOSE, PauseRules

MODES = [(PROPOSE, "is proposed here"), (PAUSE, "is paused by itself")]


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


def _mode(text: str, help_text: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=MODES, label=text, help_text=help_text)


class RulesForm(forms.Form):
    """For each rule whether it only proposes or pauses by itself. `PauseRules` checks the numbers."""

    stop = _mode(
        "Whom the watch stops before clearing",
        "A test of whether critical errors come too often (Wald’s); set under Watch.",
    )
    alarm = _mode(
        "Whom the watch stops after clearing",
        "A running count of critical errors, for those cleared (CUSUM); set under Watch.",
    )
    accuracy = _mode("Who is unreliable under the default policy", "Too few right on gold, once there is enough of it.")
    speed = _mode("Who is much faster than the others", "By the pace of their answers beside everybody’s.")
    speed_spreads = forms.FloatField(
        min_value=PauseRules.LIMITS["speed_spreads"][0],
        max_value=PauseRules.LIMITS["speed_spreads"][1],
        label="How much faster, in spreads",
        help_text="A spread is the usual difference between people’s paces. 3 is far out; 2 happens by chance.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    speed_answers = forms.IntegerField(
        min_value=int(PauseRules.LIMITS["speed_answers"][0]),
        max_value=int(PauseRules.LIMITS["speed_answers"][1]),
        label="Timed answers before speed is looked at",
        help_text="And five people must have ten of them, or nobody knows what is usual.",
    )
    note = forms.CharField(
        max_length=1000,
        required=False,
        label="What everybody reads who is paused or excluded",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Whom to ask, and how. A rule never tells a person which one it was.",
    )

    def __init__(self, data: Any = None, *, begin: PauseRules, note: str) -> None:
        super().__init__(data, initial={**asdict(begin), "note": note})

    def rules(self) -> PauseRules:
        return PauseRules(**{field.name: self.cleaned_data[field.name] for field in fields(PauseRules)})


def rule_of(query: Mapping[str, Any]) -> str:
    """The rule that proposed the deed, as the address says; empty for none."""
    named = query.get("rule", "")
    return named if named in Rule.values else ""
