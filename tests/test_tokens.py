"""The colours of the pages: enough contrast in light and in dark on every ground (WCAG 1.4.3, 1.4.11)."""

import re
from pathlib import Path

import pytest

SHEET = (Path(__file__).resolve().parent.parent / "static/css/tokens.css").read_text("utf-8")
BASE, CONTRAST = SHEET.split('[data-theme="contrast"]')
COLOUR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
GROUNDS = ("paper", "surface", "sunken")
SOFT = ("accent-soft", "ok-soft", "warn-soft", "bad-soft")
TEXT = [
    *((text, ground) for text in ("ink", "muted", "accent", "accent-strong") for ground in (*GROUNDS, *SOFT, "mark")),
    *((text, ground) for text in ("ok", "warn", "bad") for ground in (*GROUNDS, f"{text}-soft")),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-strong"),
]
EDGES = [(edge, ground) for edge in ("line-strong", "focus", "accent") for ground in GROUNDS]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def colours(sheet: str, scheme: str) -> dict[str, str]:
    return {name: light if scheme == "light" else dark for name, light, dark in COLOUR.findall(sheet)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("sheet", "text", "edge"), [(BASE, 4.5, 3), (CONTRAST, 7, 4.5)], ids=["usual", "contrast"])
def test_text_and_edges_stand_out(sheet: str, text: float, edge: float, scheme: str) -> None:
    drawn = colours(sheet, scheme)
    contrasts = {pair: contrast(drawn[pair[0]], drawn[pair[1]]) for pair in (*TEXT, *EDGES)}
    assert {pair: contrasts[pair] for pair in TEXT if contrasts[pair] < text} == {}
    assert {pair: contrasts[pair] for pair in EDGES if contrasts[pair] < edge} == {}


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
