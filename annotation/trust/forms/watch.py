"""The form about the watch on critical errors."""

from dataclasses import asdict, fields
from typing import Any

from django import forms

from annotation.quality.settings import SettingError
from annotation.quality.trust import WatchSettings


def _share(name: str, text: str, help_text: str) -> forms.FloatField:
    low, high = WatchSettings.LIMITS[name]
    widget = forms.NumberInput(attrs={"step": "any"})
    return forms.FloatField(min_value=low, max_value=high, label=text, help_text=help_text, widget=widget)


class WatchForm(forms.Form):
    """Every setting of the watch, which itself checks what they may be."""

    good = _share("good", "A good rate", "Share of gold judged without a critical error by people who should go on.")
    poor = _share("poor", "A poor rate", "The same for people who should be stopped. The nearer, the longer it takes.")
    alpha = _share(
        "alpha",
        "Good people stopped, aimed at",
        "Share of people of the good rate stopped before they are cleared (Wald’s α). What comes of it is above.",
    )
    beta = _share(
        "beta",
        "Poor people cleared, aimed at",
        "Share of people of the poor rate who are cleared (Wald’s β). They are still watched, and soon found.",
    )
    false_pauses = _share(
        "false_pauses",
        "Good people stopped after clearing, at most",
        "Share of them, within the number of gold pairs below.",
    )
    per_golds = forms.IntegerField(
        min_value=int(WatchSettings.LIMITS["per_golds"][0]),
        max_value=int(WatchSettings.LIMITS["per_golds"][1]),
        label="Gold pairs after clearing",
        help_text="Over how many of them the share above is counted.",
    )

    def __init__(self, data: Any = None, *, begin: WatchSettings) -> None:
        super().__init__(data, initial=asdict(begin))

    def settings(self) -> WatchSettings:
        return WatchSettings(**{field.name: self.cleaned_data[field.name] for field in fields(WatchSettings)})

    def clean(self) -> None:
        """An error of the watch stands beside its setting."""
        super().clean()
        if self.errors:
            return
        try:
            self.settings()
        except SettingError as error:
            self.add_error(error.field or None, error.reason)
