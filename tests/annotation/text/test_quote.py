"""Evidence as it is quoted."""

import pytest

from annotation.text.quote import BEGINNING, END, MOST, quoted

LONG = "".join(f"{n:04} " for n in range(1000))


@pytest.mark.parametrize(
    ("text", "start", "end", "quote"),
    [
        ("Swifts sleep on the wing.", 7, 12, "sleep"),
        (" a \n", 0, 4, "a"),
        ("😀😀 bees", 3, 7, "bees"),
        ("a\x00b\u202ec", 0, 5, "a�b↤c"),
        ("short", 2, 90, "ort"),
        ("short", 70, 90, ""),
    ],
)
def test_short_ones_are_whole(text: str, start: int, end: int, quote: str) -> None:
    assert quoted(text, start, end) == quote


def test_long_ones_have_beginning_and_end() -> None:
    assert quoted(LONG, 5, 5 + MOST) == LONG[5 : 5 + MOST].strip()
    quote = quoted(LONG, 5, 4000)
    assert quote == f"{LONG[5 : 5 + BEGINNING].strip()} … {LONG[4000 - END : 4000].strip()}"
