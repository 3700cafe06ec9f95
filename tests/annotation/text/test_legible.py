"""Characters that cannot be read as they are."""

import pytest
from hypothesis import given

from annotation.text.legible import legible
from tests.annotation.text.strategies import ODD


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b\x1b[0m\x08", "a\ufffdb\ufffd[0m\ufffd"),
        ("\x7f\x9c", "\ufffd\ufffd"),
        ("a\r\nb\rc\u2028d\x0be\x85f\x0cg", "a \nb\nc\nd\ne\nf\ng"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("safe \u202egpj.exe\u202c", "safe ↤gpj.exe\u202c"),
        ("\u2067שלום\u2069 \u200f", "\u2067שלום\u2069 \u200f"),
        ("\ufffe\ud800", "\ufffd\ufffd"),
        ("👩‍👩‍👧 e\u0301 \u00ad", "👩‍👩‍👧 e\u0301 \u00ad"),
    ],
)
def test_signs(text: str, shown: str) -> None:
    assert legible(text) == shown


@given(ODD)
def test_one_character_for_one(text: str) -> None:
    shown = legible(text)
    assert len(shown) == len(text)
    assert legible(shown) == shown
