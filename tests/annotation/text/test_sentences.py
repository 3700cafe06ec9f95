"""Sentences: the units of excerpts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.graphemes import cut_before
from annotation.text.sentences import LONGEST, sentences
from tests.annotation.text.strategies import LONG_ODD, ODD


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text, [(0, len(text))])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two!  Three?", ["One. ", "Two!  ", "Three?"]),
        ("He said “No.” She left.", ["He said “No.” ", "She left."]),
        ("Version 2.5 of trec_eval... Really?! Yes", ["Version 2.5 of trec_eval... ", "Really?! ", "Yes"]),
        ("燕子睡觉。在空中！「对。」完", ["燕子睡觉。", "在空中！", "「对。」", "完"]),
        ("هل نام؟ نعم", ["هل نام؟ ", "نعم"]),
        ("वह सोया। वह उठा", ["वह सोया। ", "वह उठा"]),
        ("", []),
        (".", ["."]),
    ],
)
def test_where_they_end(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_blocks_end_sentences_and_what_is_between_them_is_in_none() -> None:
    assert list(sentences("ab\n\ncd", [(0, 2), (4, 6)])) == [(0, 2), (4, 6)]


def test_a_sentence_without_an_end_is_cut_at_blanks() -> None:
    parts = cut("swifts sleep " * 100)
    assert "".join(parts) == "swifts sleep " * 100
    assert all(LONGEST - 10 <= len(part) <= LONGEST for part in parts[:-1])
    assert all(part.endswith(" ") for part in parts)


def test_a_long_sentence_is_not_cut_between_a_blank_and_the_joiner_on_it() -> None:
    text = "swifts " * 42 + "a \u200d" + "swifts " * 42
    assert [end for _, end in sentences(text, [(0, len(text))])] == [294, 591]


@pytest.mark.parametrize(
    "text", ["." * 200_000, ".'" * 100_000, "。" * 200_000, ". " * 100_000, "." * 39 + "'" * 200_000]
)
def test_hostile_lengths_end(text: str) -> None:
    assert "".join(cut(text)) == text


@given(st.one_of(ODD, LONG_ODD))
def test_together_they_are_the_block(text: str) -> None:
    parts = cut(text)
    assert "".join(parts) == text
    assert all(0 < len(part) <= LONGEST for part in parts)
    places = [end for _, end in sentences(text, [(0, len(text))])]
    assert [place for place in places if cut_before(text, place) != place] == []
