"""The judgment table and its frozen form."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.quality.table import COLUMNS, MAGIC, JudgmentTable, codes_of, judgment_table
from tests.annotation.quality.build import table_of

ROWS = [("2", "b", "Zoe", 3), ("10", "a", "Ann", -2), ("2", "é", "Ann", 0)]


def test_ids_become_codes_in_the_order_of_bytes() -> None:
    table = table_of(ROWS)
    assert (table.numbers, table.docnos, table.annotators) == (("10", "2"), ("a", "b", "é"), ("Ann", "Zoe"))
    assert table.topic.tolist() == [1, 0, 1]
    assert table.document.tolist() == [1, 0, 2]
    assert table.annotator.tolist() == [1, 0, 0]
    assert table.grade.tolist() == [3, -2, 0]
    assert (len(table), table.criterion) == (3, "relevance")


def test_columns_not_given_say_nothing_special() -> None:
    table = table_of(ROWS)
    assert table.sequence.tolist() == [0, 1, 2]
    further = [name for name in COLUMNS if name not in {"topic", "document", "annotator", "grade", "sequence"}]
    assert {name: set(getattr(table, name).tolist()) for name in further} == {
        "revision": {1},
        "reading": {1},
        "purpose": {0},
        "surplus": {False},
        "blind": {True},
        "informed": {False},
        "wall_ms": {-1},
        "active_ms": {-1},
    }


def test_further_pairs_and_people_have_codes_too() -> None:
    table = table_of(ROWS, further_pairs=[("11", "c")], further_annotators=["Bob"])
    assert (table.numbers, table.docnos) == (("10", "11", "2"), ("a", "b", "c", "é"))
    assert table.annotators == ("Ann", "Bob", "Zoe")
    assert table.annotator.tolist() == [2, 0, 0]


def test_pair_keys_can_be_split() -> None:
    table = table_of(ROWS)
    topic, document = table.split_key(table.pair)
    assert (topic.tolist(), document.tolist()) == (table.topic.tolist(), table.document.tolist())
    assert len(np.unique(table.pair)) == 3


def test_columns_are_read_only_copies() -> None:
    grade = np.array([1, 2, 3], dtype=np.int64)
    table = judgment_table(number=["1"] * 3, docno=["a", "b", "c"], annotator=["x"] * 3, grade=grade)
    grade[0] = 4
    assert table.grade.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        table.grade[0] = 4


@pytest.mark.parametrize(
    ("column", "values", "reason"),
    [
        ("grade", [1], "grade must be one column of length 3"),
        ("grade", [1.0, 2.0, 3.0], "grade holds float64, int64 expected"),
        ("surplus", [[True], [True], [True]], "surplus must be one column of length 3"),
        ("topic", [0, 1, 2], "a code of topic points outside its id list"),
        ("annotator", [0, -1, 0], "a code of annotator points outside its id list"),
        ("sequence", [1, 1, 2], "sequence must be unique"),
        ("numbers", ("2", "10"), "the ids behind topic must be unique and sorted"),
        ("docnos", ("a", "a", "b"), "the ids behind document must be unique and sorted"),
    ],
)
def test_columns_that_do_not_fit_are_refused(column: str, values: object, reason: str) -> None:
    table = table_of(ROWS)
    columns = {name: getattr(table, name) for name in (*COLUMNS, "numbers", "docnos", "annotators")}
    with pytest.raises(ValueError, match=reason):
        JudgmentTable(**{**columns, column: values})


def test_an_unknown_id_is_refused() -> None:
    with pytest.raises(KeyError):
        codes_of(["c"], ["a", "b"])


def test_the_frozen_form_is_stable_and_comes_back() -> None:
    table = table_of(ROWS, surplus=[True, False, True], wall_ms=[1, 2, 3], criterion="usefulness")
    again = JudgmentTable.from_bytes(table.to_bytes())
    assert (
        again.to_bytes()
        == table.to_bytes()
        == table_of(ROWS, surplus=[True, False, True], wall_ms=[1, 2, 3], criterion="usefulness").to_bytes()
    )
    assert (again.numbers, again.docnos, again.annotators) == (table.numbers, table.docnos, table.annotators)
    assert again.criterion == "usefulness"
    for name in COLUMNS:
        assert getattr(again, name).tolist() == getattr(table, name).tolist()


def test_the_frozen_form_has_not_changed_since_it_was_published() -> None:
    """SHA-256 of the bytes at the time format 1 was fixed; files frozen then must come out the same today."""
    assert (
        hashlib.sha256(table_of(ROWS).to_bytes()).hexdigest()
        == "6fb99bb1310bb1adfbfe85e4ffee46c997be0364a3ac277a3bed569aa3616166"
    )


def test_an_empty_table_freezes_too() -> None:
    empty = table_of([])
    assert len(JudgmentTable.from_bytes(empty.to_bytes())) == 0


@pytest.mark.parametrize("kept", [0, 10, len(MAGIC), len(MAGIC) + 4, len(MAGIC) + 100, -1])
def test_a_cut_file_is_refused(kept: int) -> None:
    with pytest.raises(ValueError, match=r"cut short|not a file|damaged"):
        JudgmentTable.from_bytes(table_of(ROWS).to_bytes()[:kept])


def test_bytes_after_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match="after the end"):
        JudgmentTable.from_bytes(table_of(ROWS).to_bytes() + b"x")


def test_no_pickle_is_ever_read() -> None:
    data = table_of(ROWS).to_bytes().replace(b"'<i8'", b"'|O' ", 1)
    with pytest.raises(ValueError, match="pickle"):
        JudgmentTable.from_bytes(data)


@given(st.lists(st.tuples(st.text("01a"), st.text("xyé"), st.sampled_from("ABC"), st.integers(-9, 9))))
def test_whatever_is_frozen_comes_back(rows: list[tuple[str, str, str, int]]) -> None:
    table = table_of(rows)
    again = JudgmentTable.from_bytes(table.to_bytes())
    rows_again = zip(again.topic, again.document, again.annotator, again.grade, strict=True)
    assert [(again.numbers[t], again.docnos[d], again.annotators[a], g) for t, d, a, g in rows_again] == rows
