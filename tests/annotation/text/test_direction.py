"""The direction in which a text is laid out."""

import pytest

from annotation.text.direction import direction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Swifts סיסים", "ltr"),
        ("סיסים Swifts", "rtl"),
        ("طيور swifts", "rtl"),
        ("1,234 (…) סיסים", "rtl"),
        ("雨燕", "ltr"),
        ("\u200f 12", "rtl"),
        ("\u2067 Swifts \u2069", "ltr"),
        ("12 – 13 …", "ltr"),
        ("", "ltr"),
    ],
)
def test_the_first_letter_decides(text: str, expected: str) -> None:
    assert direction(text) == expected
