"""Terms of a topic, of any script, and where a document has them."""

import pytest
from hypothesis import given

from annotation.text.terms import find, own_terms, topic_terms, topic_worths
from annotation.text.words import key
from tests.annotation.text.strategies import ODD, TOPICS

TOPIC = "What problems of heat conduction in composite slabs have been solved?"


def words_of(text: str, title: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in find(text, [(0, len(text))], topic_terms(title))]


def test_terms_are_stems_without_stop_words() -> None:
    assert topic_terms(TOPIC) == {"problem", "heat", "conduction", "composit", "slab", "solv"}


def test_a_term_is_worth_what_its_best_field_is() -> None:
    assert topic_worths("heat", "heated slabs", "slabs and walls") == {"heat": 4, "slab": 2, "wall": 1}


def test_forms_and_cases_are_found_and_parts_of_words_are_not() -> None:
    text = "HEATING a problem: non-composite Slabs; heather, solvent, heat_flux"
    assert words_of(text, TOPIC) == ["HEATING", "problem", "composite", "Slabs", "heat"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Café", "cafe"),
        ("cafe\u0301", "café"),
        ("ÉTÉ", "été"),
        ("ＨＥＡＴ", "heat"),
        ("con\u00adduction", "conduction"),
        ("Straße", "STRASSE"),
        ("Æsop", "aesop"),
        ("ТЕПЛА", "тепла"),
        ("هَيْكَل", "هيكل"),
        ("हिन्दी", "हिन्दी"),
        ("می‌روم", "میروم"),
        ("Ψυχή", "ψυχη"),
        ("İstanbul", "istanbul"),
    ],
)
def test_accents_and_other_alphabets(text: str, title: str) -> None:
    assert words_of(f"x {text} y", title) == [text]


def test_vowels_of_other_alphabets_are_not_accents() -> None:
    assert words_of("हानदा", "हिन्दी") == []


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("研究燕子的睡眠", "燕子睡眠研究", ["研究", "燕子", "睡眠"]),
        ("鸟睡觉", "燕子在哪里睡觉", ["睡觉"]),
        ("お茶を飲む。茶", "茶", ["茶", "茶"]),
        ("ツバメの巣", "ツバメ", ["ツバ", "バメ"]),
        ("제비가 잔다", "제비는", ["제비"]),
        ("นกนอนหลับ", "นอน", ["นอน"]),
        ("さくら、する", "さくらする さくら", ["さくら"]),
        ("iPhoneの電池", "電池 iPhone", ["iPhone", "電池"]),
    ],
)
def test_what_is_written_without_blanks(text: str, title: str, expected: list[str]) -> None:
    assert words_of(text, title) == expected


def test_no_word_reaches_over_the_border_of_a_block() -> None:
    text = "heatslab"
    assert [hit.term for hit in find(text, [(0, 4), (4, 8)], topic_terms(TOPIC))] == ["heat", "slab"]
    assert find(text, [(0, 8)], topic_terms(TOPIC)) == []


def test_own_words_may_be_stop_words_and_single_letters() -> None:
    assert own_terms(["Not", "x", "Cafés", "睡眠の"]) == {"not", "x", key("café"), "睡眠の"}
    assert topic_terms("not x の") == frozenset()


def test_no_terms_no_hits() -> None:
    assert find("heat", [(0, 4)], {}) == []
    assert find("", [], {"heat"}) == []


@given(ODD, TOPICS)
def test_hits_are_in_order_and_are_what_they_say(text: str, title: str) -> None:
    terms = topic_terms(title)
    hits = find(text, [(0, len(text))], terms)
    assert hits == sorted(hits, key=lambda hit: (hit.start, hit.end))
    assert all(
        hit.term in terms and hit.term in (key(text[hit.start : hit.end]), text[hit.start : hit.end]) for hit in hits
    )
