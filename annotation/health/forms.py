"""Forms about alerts and costs."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms

from annotation.quality.alerts import THRESHOLDS, AlertSettings, Threshold, alert_settings_of

DIGITS = 6  # of a share in percent


def _cost(help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        min_value=Decimal(0),
        max_digits=10,
        decimal_places=4,
        required=False,
        label="Cost of a judgment",
        help_text=help_text,
    )


def _threshold(threshold: Threshold[int] | Threshold[float]) -> forms.FloatField | forms.IntegerField:
    low, high = _shown(threshold, threshold.lowest), _shown(threshold, threshold.highest)
    if isinstance(threshold.default, int):
        low, high = int(low), int(high)
        return forms.IntegerField(min_value=low, max_value=high, label=threshold.title, help_text=threshold.help)
    return forms.FloatField(min_value=low, max_value=high, label=threshold.title, help_text=threshold.help)


def _shown(threshold: Threshold[int] | Threshold[float], value: float) -> float:
    """Shares are in percent on the page."""
    return 100 * value if threshold.share else value


class AlertsForm(forms.Form):
    """Every threshold, and what a judgment costs."""

    cost_per_judgment = _cost("Of batches that do not say otherwise. Empty: no costs are shown.")
    currency = forms.CharField(max_length=10, required=False, help_text="As you write it: EUR, $, points.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {**{name: _threshold(threshold) for name, threshold in THRESHOLDS.items()}, **self.fields}

    @staticmethod
    def begin(settings: AlertSettings, cost: Decimal | None, currency: str) -> dict[str, Any]:
        """What the form begins with."""
        values = {name: _shown(THRESHOLDS[name], value) for name, value in settings.values.items()}
        short = {name: f"{value:.6g}" for name, value in values.items()}
        return {**short, "cost_per_judgment": cost, "currency": currency}

    def settings(self) -> AlertSettings:
        values = {name: self.cleaned_data[name] for name in THRESHOLDS}
        shares = {name: values[name] / 100 for name, threshold in THRESHOLDS.items() if threshold.share}
        return alert_settings_of({**values, **shares})


class CostForm(forms.Form):
    cost_per_judgment = _cost("In the collection’s currency. Empty: what the collection says.")


class DueForm(forms.Form):
    due = forms.DateField(
        required=False,
        label="Due",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="The day by which all judgments are wanted. Empty: none.",
    )


class NoteForm(forms.Form):
    note = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What you found, or what you do about it. It stays on record.",
    )


def in_percent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Shares as parts of 1, as the form has them; what is no number stays, for the form to refuse."""
    shares = {name for name, threshold in THRESHOLDS.items() if threshold.share}
    return {name: _percent(value) if name in shares else value for name, value in values.items()}


def _percent(value: Any) -> Any:
    try:
        return round(100 * float(value), DIGITS)
    except (TypeError, ValueError):
        return value
