"""The passage that is read first: which one wins, and that it always is a slice of the document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.text.excerpt import MOST, SHORT, excerpt
from annotation.text.graphemes import may_cut
from annotation.text.paragraphs import shape_of_text
from annotation.text.terms import find, topic_worths
from tests.annotation.text.strategies import LONG_ODD, ODD, TOPICS

FILL = "The weather of that day was as it is on most days of the year. "  # 63 characters


def span(text: str, title: str, description: str = "", narrative: str = "") -> tuple[int, int]:
    blocks, worths = shape_of_text(text).blocks, topic_worths(title, description, narrative)
    return excerpt(text, blocks, find(text, blocks, worths), worths)


def passage(text: str, *topic: str) -> str:
    return text[slice(*span(text, *topic))]


def test_a_short_document_is_its_own_excerpt() -> None:
    text = "Nothing about it. " * 66
    assert len(text) <= SHORT
    assert passage(f"  {text}\n", "swifts") == text.strip()


@pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\u3000" * 3000])
def test_a_document_of_blanks_has_an_empty_one(text: str) -> None:
    start, end = span(text, "swifts")
    assert start == end


def test_without_a_term_it_is_the_beginning() -> None:
    place = span(FILL * 100, "swifts")
    assert place[0] == 0
    assert 600 <= place[1] <= MOST


def test_what_it_found_stands_in_its_middle() -> None:
    excerpt = passage(FILL * 60 + "Swifts sleep in flight. " + FILL * 60, "swifts")
    before, after = excerpt.split("Swifts sleep in flight. ")
    assert abs(len(before) - len(after)) <= len(FILL)
    assert 600 <= len(excerpt) <= MOST


def test_different_terms_beat_many_of_one() -> None:
    many = "Swifts and swifts and swifts. " * 20
    both = "A swift may sleep. "
    assert both in passage(FILL * 40 + many + FILL * 40 + both + FILL * 40, "swifts sleep")


def test_more_of_the_same_decides_among_equals() -> None:
    text = FILL * 30 + "One swift. " + FILL * 30 + "Two swifts, a swift. " + FILL * 30
    assert "Two swifts" in passage(text, "swifts")


def test_the_fourth_of_a_kind_counts_no_more() -> None:
    text = FILL * 30 + "Swift, swift, swift. " + FILL * 30 + "Swift, swift, swift, swift, swift. " + FILL * 30
    assert "swift, swift. " in passage(text, "swifts")
    assert "swift, swift, swift. " not in passage(text, "swifts")


def test_the_earliest_wins_a_tie() -> None:
    text = FILL * 30 + "First swift. " + FILL * 30 + "Second swift. " + FILL * 30
    assert "First swift" in passage(text, "swifts")


def test_the_title_is_worth_more_than_the_rest() -> None:
    text = FILL * 30 + "A nest. " + FILL * 30 + "A swift. " + FILL * 30
    assert "A swift" in passage(text, "swift", "nest")
    assert "A nest" in passage(text, "nest", "", "swift")


def test_a_rare_term_is_worth_more_than_a_frequent_one() -> None:
    text = "A bird came. " * 60 + FILL * 30 + "A swift came. " + FILL * 30
    assert "A swift came" in passage(text, "birds", "swift")
    assert "A bird came" in passage(text.replace("A bird came. " * 60, "A bird came. "), "birds", "swift")


def test_paragraphs_end_sentences() -> None:
    text = "No full stop\n\n" * 200 + "Swifts sleep\n\n" + "No full stop\n\n" * 200
    excerpt = passage(text, "swifts sleep")
    assert excerpt.startswith("No full stop")
    assert "Swifts sleep" in excerpt


def test_a_line_of_a_megabyte() -> None:
    text = "word " * 100_000 + "Swifts sleep here " + "word " * 100_000
    excerpt = passage(text, "swifts sleep")
    assert "Swifts sleep here" in excerpt
    assert 600 <= len(excerpt) <= MOST
    assert excerpt.startswith("word")
    assert excerpt.endswith("word")


def test_what_is_written_without_blanks_or_stops() -> None:
    text = "天气很好" * 2_000 + "燕子在飞行中睡觉" + "天气很好" * 2_000
    excerpt = passage(text, "燕子睡觉")
    assert "燕子在飞行中睡觉" in excerpt
    assert 600 <= len(excerpt) <= MOST


@given(st.one_of(ODD, LONG_ODD), TOPICS)
def test_it_is_a_slice_that_cuts_no_character(text: str, title: str) -> None:
    start, end = span(text, title)
    assert 0 <= start <= end <= len(text)
    assert text[start:end].strip() == text[start:end] or start == 0 or not may_cut(text, start + 1)
    assert may_cut(text, start)
    assert may_cut(text, end)
    assert end - start <= SHORT
    assert bool(text.strip()) == (start < end)


@given(LONG_ODD, TOPICS)
def test_it_has_a_term_where_the_document_has_one(text: str, title: str) -> None:
    start, end = span(text, title)
    hits = find(text, shape_of_text(text).blocks, topic_worths(title))
    assert bool(hits) == any(start <= hit.start < end for hit in hits)
