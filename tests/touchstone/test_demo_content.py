"""The demo collection is whole: ids, lengths, grades, guideline and scale; and Touchstone's own readers take it."""

import json
import re
from collections import Counter
from itertools import pairwise

import pytest

from annotation.formats.gold import read_gold
from annotation.formats.problems import Problems
from tests.corpus.texts import read_documents, read_topics
from touchstone.demo.content import (
    CONTENT,
    DOCUMENTS,
    GRADES,
    TOPICS,
    demo_cases,
    demo_documents,
    demo_grades,
    demo_guideline,
    demo_information,
    demo_round,
    demo_scale,
    demo_topics,
)

pytestmark = pytest.mark.pure
ALL_GRADES = [0, 1, 2, 3, 4]


def test_there_is_enough() -> None:
    assert len(demo_topics()) >= 10
    assert len(demo_documents()) >= 130


def test_ids_are_unique_and_in_order() -> None:
    numbers = [topic.number for topic in demo_topics()]
    docnos = [document.docno for document in demo_documents()]
    assert numbers == sorted(set(numbers))
    assert docnos == [f"ALM-{place:04d}" for place in range(1, len(docnos) + 1)]


def test_titles_and_texts_are_each_used_once() -> None:
    documents = demo_documents()
    assert len({document.title for document in documents}) == len(documents)
    assert len({document.text for document in documents}) == len(documents)


def test_no_sentence_is_used_twice() -> None:
    sentences = Counter(
        sentence
        for document in demo_documents()
        for sentence in re.split(r"(?<=[.?!])\s+", document.text)
        if len(sentence.split()) > 4
    )
    assert [sentence for sentence, uses in sentences.items() if uses > 1] == []


def test_documents_are_short_but_not_scraps() -> None:
    words = {document.docno: len(document.text.split()) for document in demo_documents()}
    assert {docno: count for docno, count in words.items() if not 60 <= count <= 160} == {}


def test_every_text_is_filled_in() -> None:
    empty = [topic for topic in demo_topics() if not (topic.title and topic.description and topic.narrative)]
    assert empty == []
    assert all(document.title and document.section for document in demo_documents())


def test_grades_name_known_pairs_once_and_say_why() -> None:
    numbers = {topic.number for topic in demo_topics()}
    docnos = {document.docno for document in demo_documents()}
    grades = demo_grades()
    pairs = [(row.number, row.docno) for row in grades]
    assert len(set(pairs)) == len(pairs)
    assert {row.number for row in grades} == numbers
    assert {row.docno for row in grades} <= docnos
    assert {row.grade for row in grades} == set(ALL_GRADES)
    assert [row for row in grades if not 1 <= len(row.reason.split()) <= 12] == []


@pytest.mark.parametrize("number", [topic.number for topic in demo_topics()])
def test_every_topic_has_all_grades_and_a_dozen_zeros(number: str) -> None:
    counts = Counter(row.grade for row in demo_grades() if row.number == number)
    assert sorted(counts) == ALL_GRADES
    assert counts[0] >= 12
    assert counts[4] >= 2


def test_every_document_is_graded_for_some_topic() -> None:
    assert {document.docno for document in demo_documents()} - {row.docno for row in demo_grades()} == set()


def test_scale_is_ordered_and_explained() -> None:
    scale = demo_scale()
    assert [each["grade"] for each in scale] == ALL_GRADES
    assert all(each["name"] and each["definition"] and each["example"] for each in scale)
    assert len({each["name"] for each in scale}) == len(scale)


def test_guideline_gives_away_no_document() -> None:
    guideline = demo_guideline()
    text = f"{guideline.introduction} {guideline.examples} {guideline.edge_cases} {json.dumps(demo_scale())}"
    assert min(len(guideline.introduction), len(guideline.examples), len(guideline.edge_cases)) > 200
    assert [document.docno for document in demo_documents() if document.title in text or document.docno in text] == []


def test_worked_examples_cover_the_scale_and_give_away_no_document() -> None:
    cases = demo_cases()
    assert {case["grade"] for case in cases} == set(ALL_GRADES)
    text = json.dumps([*cases, demo_information()])
    assert [document.docno for document in demo_documents() if document.title in text] == []
    titles = {topic.title for topic in demo_topics()}
    assert {case["topic"] for case in cases} & titles == set()
    assert all(case["document"] and case["reason"] for case in cases)


def test_the_round_teaches_every_grade_as_it_is_known() -> None:
    truth = {(row.number, row.docno): row.grade for row in demo_grades()}
    lessons = demo_round()
    assert sorted(truth[lesson.number, lesson.docno] for lesson in lessons) == ALL_GRADES
    assert [lesson for lesson in lessons if truth[lesson.number, lesson.docno] not in lesson.accepted] == []
    assert all(lesson.hint and len(lesson.explanation) > 80 for lesson in lessons)


def test_docnos_do_not_follow_the_topics() -> None:
    """Neighbouring docnos say nothing: those that answer the same topic are not in a row."""
    topic_of = {row.docno: row.number for row in demo_grades() if row.grade >= 3}
    docnos = [document.docno for document in demo_documents()]
    together = [pair for pair in pairwise(docnos) if topic_of.get(pair[0], "") == topic_of.get(pair[1], "-")]
    assert len(together) <= 6


def test_our_own_readers_take_the_files_without_a_word() -> None:
    problems = Problems("demo")
    with (CONTENT / TOPICS).open("rb") as file:
        topics = [(row.number, row.title) for row in read_topics(file, problems)]
    with (CONTENT / DOCUMENTS).open("rb") as file:
        documents = [(row.docno, row.text) for row in read_documents(file, problems)]
    with (CONTENT / GRADES).open("rb") as file:
        grades = [(row.number, row.docno, row.grade, row.reason) for row in read_gold(file, problems)]
    assert not problems
    assert topics == [(topic.number, topic.title) for topic in demo_topics()]
    assert documents == [(document.docno, document.text) for document in demo_documents()]
    assert grades == [(row.number, row.docno, row.grade, row.reason) for row in demo_grades()]
