"""Texts of several lines, as people enter them."""

from django import forms


class PlainText(forms.CharField):
    """Browsers send lines ended by CR LF; stored text has LF, so that an unchanged text is unchanged."""

    def to_python(self, value: object) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")
