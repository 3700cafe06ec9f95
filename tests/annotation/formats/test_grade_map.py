"""What the grades of a file are worth, whatever form the file has."""

import io
from collections.abc import Iterable

import pytest

from annotation.formats import gold, qrels
from annotation.formats.file_formats import recognise_format
from annotation.formats.grade_map import BEYOND, CANNOT_JUDGE, GRADES, GradeMap, parse_grade_map
from annotation.formats.problems import Problems

BACKGROUND_LINKING = "2=1, 4=2, 8=3, 16=4"
OBJECTS = [
    '{"number": "1", "docno": "a", "grade": 0}',
    '{"number": "1", "docno": "b", "grade": 2}',
    '{"number": "1", "docno": "c", "grade": 16}',
    '{"number": "2", "docno": "a", "grade": 8}',
]
QRELS = [
    "1 0 a 0\n1 0 b 2\n1 0 c 16\n2 0 a 8\n",
    "query-id\tcorpus-id\tscore\n1\ta\t0\n1\tb\t2\n1\tc\t16\n2\ta\t8\n",
    "1 a 0\n1 b 2\n1 c 16\n2 a 8\n",
    "query_id,docno,grade\n1,a,0\n1,b,2\n1,c,16\n2,a,8\n",
    "".join(f"{row}\n" for row in OBJECTS),
    f"[{', '.join(OBJECTS)}]",
    '{"1": {"a": 0, "b": 2, "c": 16}, "2": {"a": 8}}',
]


def read_qrels(text: str, grades: str) -> tuple[list[tuple[str, str, int]], list[str]]:
    problems, stream = Problems("x"), io.BytesIO(text.encode())
    file_format, _ = recognise_format(qrels.FORMATS, stream, problems)
    table = file_format.read(stream, problems, {GRADES: grades})
    return list(table.rows()), [note.reason for note in problems.notes]


@pytest.mark.parametrize("text", QRELS)
def test_qrels_of_background_linking_in_every_form(text: str) -> None:
    rows, _ = read_qrels(text, BACKGROUND_LINKING)
    assert rows == [("1", "a", 0), ("1", "b", 1), ("1", "c", 4), ("2", "a", 3)]


@pytest.mark.parametrize("text", QRELS)
def test_what_nobody_can_judge_is_left_aside(text: str) -> None:
    rows, notes = read_qrels(text, "2=1, 8=cannot, 16=Cannot")
    assert rows == [("1", "a", 0), ("1", "b", 1)]
    assert [note for note in notes if "left aside: 2" in note]


def test_words_and_empty_grades_of_a_table() -> None:
    text = "query_id,docno,grade\n1,a,Relevant\n1,b,2\n1,c,\n1,d,not\n"
    rows, notes = read_qrels(text, "relevant=2, 2=4, not=0, =cannot")
    assert rows == [("1", "a", 2), ("1", "b", 4), ("1", "d", 0)]
    assert len(notes) == 1


def test_a_word_has_one_grade_however_it_is_spelt() -> None:
    with pytest.raises(ValueError, match="'relevant' has two grades"):
        parse_grade_map("Relevant=2, relevant=3")
    assert parse_grade_map("Highly  relevant=2, highly relevant=2") == {"highly relevant": 2}


def test_a_word_is_not_mapped_twice() -> None:
    grades = GradeMap({"relevant": 2, "2": 4})
    assert (grades.grade("relevant"), grades.grade("2"), grades.grade("3"), grades.grade("x")) == (2, 4, 3, None)
    assert grades.code("relevant") == BEYOND
    assert [grades.worth_of(code) for code in (BEYOND, 2, 3)] == [2, 4, 3]


def test_gold_takes_words_negative_grades_and_accepted_ones() -> None:
    def rows(text: str, grades: str) -> list[tuple[str, int, tuple[int, ...] | None]]:
        problems, stream = Problems("x"), io.BytesIO(text.encode())
        file_format, _ = recognise_format(gold.FORMATS, stream, problems)
        read: Iterable[gold.GoldRow] = file_format.read(stream, problems, {GRADES: grades})
        return [(row.docno, row.grade, row.accepted) for row in read] + [(str(p), 0, None) for p in problems]

    assert rows("1 0 a 2\n1 0 b -2\n1 0 c -1\n", "2=4, -2=cannot, -1=0") == [("a", 4, None), ("c", 0, None)]
    table = "number,docno,grade,accepted\n1,a,yes,no 1\n1,b,,\n"
    assert rows(table, "yes=2, no=0, 1=1, =cannot") == [("a", 2, (0, 1))]
    assert CANNOT_JUDGE not in [grade for _, grade, _ in rows(table, "yes=2, no=cannot, =cannot")]
