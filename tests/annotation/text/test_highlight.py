"""The words of a topic, and the reader's own, as marks in a document."""

from itertools import pairwise

from hypothesis import given

from annotation.text.highlight import marks
from annotation.text.terms import find, own_terms, topic_terms
from annotation.text.writing import Mark
from tests.annotation.text.strategies import ODD, TOPICS

TOPIC = "What problems of heat conduction in composite slabs have been solved?"


def marked(text: str, topic: str = TOPIC, *own: str) -> list[str]:
    return [text[mark.start : mark.end] for mark in of(text, topic, *own)]


def of(text: str, topic: str, *own: str) -> list[Mark]:
    terms, added = topic_terms(topic), own_terms(own)
    return marks(text, find(text, [(0, len(text))], {*terms, *added}), topic=terms, own=added)


def test_only_blanks_join_two_terms() -> None:
    text = "heat  slab; heat, slab; heat\nslab; heat-slab"
    assert marked(text) == ["heat  slab", "heat", "slab", "heat", "slab", "heat", "slab"]


def test_own_terms_are_marked_apart() -> None:
    assert of("heat flux slab", TOPIC, "flux", "heat") == [Mark(0, 4), Mark(5, 9, is_own=True), Mark(10, 14)]


def test_strings_that_overlap_are_one_mark() -> None:
    assert marked("ツバメの巣", "ツバメ") == ["ツバメ"]
    assert of("睡眠研究所", "睡眠研究", "研究所") == [Mark(0, 4), Mark(4, 5, is_own=True)]


def test_a_topic_of_stop_words_marks_nothing() -> None:
    assert marked("what is the heat", "what is the") == []
    assert marked("", TOPIC) == []


def test_terms_of_neither_kind_are_passed_over() -> None:
    text = "heat wall"
    assert marks(text, find(text, [(0, 9)], {"heat", "wall"}), topic={"heat"}) == [Mark(0, 4)]


@given(ODD, TOPICS, TOPICS)
def test_marks_are_in_order_and_apart(text: str, topic: str, own: str) -> None:
    marks = of(text, topic, own)
    assert all(0 <= mark.start < mark.end <= len(text) for mark in marks)
    assert all(a.end <= b.start for a, b in pairwise(marks))
