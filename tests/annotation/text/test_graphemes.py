"""Where a text may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.graphemes import MOST, blank_before, cut_before, may_cut
from tests.annotation.text.strategies import ODD


@pytest.mark.parametrize(
    "whole",
    [
        "e\u0301",
        "e\u0301\u0327",
        "\r\n",
        "👍🏽",
        "🇩🇪",
        "👩‍👩‍👧",
        "❤️",
        "हि",
        "\u1112\u1161\u11ab",  # 한 in three parts
        "하\u11ab",
        "नि",
        "स्ते",
        "กำ",
        "\ud83d\ude00",  # two halves, as some programs write them
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
)
def test_one_character_of_several_is_never_cut(whole: str) -> None:
    text = f"a{whole}b"
    assert [place for place in range(len(text) + 1) if may_cut(text, place)] == [
        *(0, 1),
        *(len(text) - 1, len(text)),
    ]
    assert {cut_before(text, place) for place in range(1, len(text) - 1)} == {1}


def test_flags_are_cut_between_two() -> None:
    assert [place for place in range(7) if may_cut("🇩🇪🇫🇷🇪🇸", place)] == [0, 2, 4, 6]


def test_a_mark_after_a_line_end_begins_a_line() -> None:
    assert may_cut("a\n\u0301", 2)


def test_a_heap_of_marks_is_cut_somewhere() -> None:
    text = "e" + "\u0301" * 3 * MOST
    assert cut_before(text, 2 * MOST) == 2 * MOST
    assert blank_before(text, 0, 2 * MOST) == 2 * MOST


@pytest.mark.parametrize(
    ("text", "end", "place"),
    [
        ("one two three", 9, 8),
        ("one two three", 8, 8),
        ("one two three", 3, 3),
        ("one", 9, 3),
        ("abcdef", 4, 4),
        ("one two \u200dthree", 9, 4),
        ("one \u0301two", 5, 5),
        ("one \u0301two", 4, 3),
        ("", 0, 0),
    ],
)
def test_a_line_ends_behind_a_blank(text: str, end: int, place: int) -> None:
    assert blank_before(text, 0, end) == place


@given(ODD, st.integers(0, 300), st.integers(1, 40))
def test_a_line_always_goes_on(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    place = blank_before(text, start, end)
    assert (start < place <= end) or place == start == end
