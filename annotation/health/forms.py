"""Forms about alerts and costs."""

from decimal import Decimal
from typing import Any

from django import forms

from annotation.quality.alerts import AlertSettings

SHARES = ("accuracy", "early", "hasty", "cannot")  # in percent on the page


def _cost(help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        min_value=Decimal(0),
        max_digits=10,
        decimal_places=4,
        required=False,
        label="Cost of a judgment",
        help_text=help_text,
    )


def _threshold(name: str, text: str, help_text: str) -> forms.FloatField | forms.IntegerField:
    low, high = AlertSettings.LIMITS[name]
    if name in SHARES:
        return forms.FloatField(min_value=100 * low, max_value=100 * high, label=text, help_text=help_text)
    if name == "quiet_hours":
        return forms.FloatField(min_value=low, max_value=high, label=text, help_text=help_text)
    return forms.IntegerField(min_value=int(low), max_value=int(high), label=text, help_text=help_text)


class AlertsForm(forms.Form):
    """Every threshold, and what a judgment costs."""

    pairs = _threshold(
        "pairs",
        "Agreement falls: pairs of a stretch",
        "The last stretch is compared with all before it. Larger stretches see smaller falls, and see them later.",
    )
    accuracy = _threshold("accuracy", "Wrong on gold: right on less than, %", "The default policy believes from 70 %.")
    golds = _threshold(
        "golds", "Gold judgments a person needs", "Before that nobody is called wrong; who cannot reach it is named."
    )
    early = _threshold("early", "Too fast: before the minimum time, from %", "Share of a person’s judgments.")
    hasty = _threshold("hasty", "Too fast: far faster than everybody, from %", "Share of a person’s judgments.")
    cannot = _threshold("cannot", "Hard to judge: cards of a topic, from %", "That people skipped as not to be judged.")
    quiet_hours = _threshold("quiet_hours", "Nobody judges: for hours", "In a batch that is open, with work left.")
    cost_per_judgment = _cost("Of batches that do not say otherwise. Empty: no costs are shown.")
    currency = forms.CharField(max_length=10, required=False, help_text="As you write it: EUR, $, points.")

    @staticmethod
    def begin(settings: AlertSettings, cost: Decimal | None, currency: str) -> dict[str, Any]:
        """What the form begins with."""
        told = {name: getattr(settings, name) * (100 if name in SHARES else 1) for name in AlertSettings.LIMITS}
        short = {name: f"{value:.6g}" for name, value in told.items()}
        return {**short, "cost_per_judgment": cost, "currency": currency}

    def settings(self) -> AlertSettings:
        told = {name: self.cleaned_data[name] for name in AlertSettings.LIMITS}
        return AlertSettings(**{**told, **{name: told[name] / 100 for name in SHARES}})


class CostForm(forms.Form):
    cost_per_judgment = _cost("In the collection’s currency. Empty: what the collection says.")


class NoteForm(forms.Form):
    note = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What you found, or what you do about it. It stays on record.",
    )
