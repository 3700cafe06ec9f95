from typing import Any

from django import forms

from annotation.models import Deed, JudgingChoices

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class KeysForm(forms.Form):
    """One letter for each deed of the judging page, or none; no letter for two."""

    def __init__(self, data: object = None, *, choices: JudgingChoices) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        bound = choices.bindings
        for deed in Deed:
            self.fields[deed.value] = forms.CharField(
                required=False,
                max_length=1,
                initial=bound.get(deed.value, ""),
                label=deed.label,
                widget=forms.TextInput(attrs={"class": "key", "autocapitalize": "none", "autocomplete": "off"}),
            )

    def clean(self) -> dict[str, Any]:
        keys = {deed: (key or "").lower() for deed, key in self.cleaned_data.items()}
        for deed, key in keys.items():
            self._check(deed, key, keys)
        return keys

    def _check(self, deed: str, key: str, keys: dict[str, str]) -> None:
        if key and key not in LETTERS:
            self.add_error(deed, "A letter from A to Z: digits are the grades, other keys belong to the browser.")
        others = [Deed(other).label for other, taken in keys.items() if taken == key and other != deed]
        if key and others:
            self.add_error(deed, f"{key.upper()} is taken: {'; '.join(others)}. Choose another for one of them.")
