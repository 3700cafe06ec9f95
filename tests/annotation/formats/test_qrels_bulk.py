"""Qrels in named columns, many rows at once: whatever stands between, the outcome is that of reading row by row."""

import io
import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.objects import ObjectsInBulk
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import QrelsTable
from annotation.formats.qrels.bulk import PairsInBulk
from annotation.formats.qrels.cells import read_qrels_jsonl, read_qrels_nested, read_qrels_table
from annotation.formats.tables import TableInBulk

Read = Callable[..., QrelsTable]
Outcome = tuple[list[tuple[str, str, int, int]], list[tuple[int, str]], list[tuple[int, str]]]

# The first hundred objects are read one by one: they show which keys there are.
JSONL_HEAD = "".join(f'{{"topic": "0", "docno": "first-{n}", "grade": 1}}\n' for n in range(100))
ODD_OBJECTS = (
    "",
    "  ",
    "not json",
    "[]",
    '{"topic": "1", "docno": "d", "grade": "2"}',
    '{"topic": 1, "docno": 7, "grade": 1.0}',
    '{"topic": "1", "docno": "d", "grade": 1.5}',
    '{"topic": "1", "docno": "d", "grade": null}',
    '{"topic": "1", "docno": "d", "grade": true}',
    '{"topic": "1", "docno": "d", "grade": 1234567890}',
    '{"topic": "1", "docno": "d", "grade": 1, "grade": 2}',
    '{"topic": "1", "docno": "d", "grade" : 1, "grade": 2}',
    '{"topic": "1", "docno": "d", "grade": NaN}',
    '{"topic": "1", "docno": "d", "grade": 1, "more": [1, {"x": 2}]}',
    '{"topic": "1", "docno": "d", "grade": 1, "more": {"x": 2}}',
    '{"topic": "1", "docno": "d"}',
    '{"topic": "1", "docno": ":d", "grade": 1}',
    '{"topic": "1", "docno": "{d}", "grade": 1}',
    '{"topic": "1", "docno": "d\\u0000", "grade": 1}',
    '{"topic": "1", "docno": "d\\ud800", "grade": 1}',
    '{"topic": "1", "docno": " d ", "grade": 1}',
    '{"topic": "1", "docno": "a b", "grade": 1}',
    '{"topic": "1", "docno": "", "grade": 1}',
    '{"topic": "é", "docno": "ü\u2028", "grade": 1}',
    '{"topic": "1", "docno": "d},',
    '{d", "grade": 1}',
    '{"topic": "1", "docno": "d", "grade": 1},{"topic": "1", "docno": "e", "grade": 1}',
    '{"topic": "1", "docno": "d", "grade": 1}\r',
    '{"topic": "1", "docno": "d", "grade": 1}\0',
    f'{{"topic": "1", "docno": "{"d" * 201}", "grade": 1}}',
    f'{{"topic": "1", "docno": "d", "grade": {"9" * 5000}}}',
)
TABLE_HEAD = "topic,docno,grade\n1,first,1\n"
ODD_ROWS = (
    "",
    " ",
    ",,",
    "1,d",
    "1,d,1,1",
    '"1","d","2"',
    '1,"d',
    '","2',
    '1,"d,1',
    '1,d"d,1',
    '1,"d"d,1',
    '1,"d""d",1',
    "1, d ,1",
    "1,d,x",
    "1,d,1.0",
    "1,d,+2",
    "1,d,1234567890",
    "é,ü\u2028,1",
    "1,d,1\r",
    "1\r,d,1",
    "1,d\0,1",
)


class Drips(io.BytesIO):
    """A stream that gives a few bytes at a time, so that small files come in many pieces."""

    def __init__(self, data: bytes, size: int) -> None:
        super().__init__(data)
        self.size = size

    def read(self, _size: int | None = -1) -> bytes:
        return super().read(self.size)


def outcome(read: Read, data: bytes, size: int, *, carefully: bool) -> Outcome:
    """Rows with their lines, problems and notes."""
    problems = Problems("qrels")
    rows: list[tuple[str, str, int, int]] = []
    try:
        table = read(Drips(data, size), problems, {}, carefully=carefully)
        rows = [(*row, line) for row, line in zip(table.rows(), table.line.tolist(), strict=True)]
    except FormatError:
        pass
    return rows, [(p.line, p.reason) for p in problems], [(n.line, n.reason) for n in problems.notes]


def both(read: Read, head: str, lines: Sequence[str], size: int) -> None:
    data = (head + "\n".join(lines) + "\n").encode("utf-8", "surrogatepass")
    fast, careful = (outcome(read, data, size, carefully=carefully) for carefully in (False, True))
    assert fast == careful


USUAL_OBJECTS = st.integers(0, 10**6).map(lambda n: f'{{"topic": "{n % 3}", "docno": "D{n}", "grade": {n % 5}}}')
USUAL_ROWS = st.integers(0, 10**6).map(lambda n: f"{n % 3},D{n},{n % 5}")


@given(st.lists(USUAL_OBJECTS | st.sampled_from(ODD_OBJECTS), max_size=12), st.integers(20, 400))
def test_objects_in_bulk_come_to_the_same(lines: list[str], size: int) -> None:
    both(read_qrels_jsonl, JSONL_HEAD, lines, size)


@given(st.lists(USUAL_ROWS | st.sampled_from(ODD_ROWS), max_size=12), st.integers(20, 400))
def test_rows_in_bulk_come_to_the_same(lines: list[str], size: int) -> None:
    both(read_qrels_table, TABLE_HEAD, lines, size)


@pytest.mark.parametrize("size", [60, 1000])
@pytest.mark.parametrize("odd", ODD_OBJECTS)
def test_an_odd_object_among_many(odd: str, size: int) -> None:
    usual = [f'{{"topic": "1", "docno": "D{n}", "grade": 1}}' for n in range(40)]
    both(read_qrels_jsonl, JSONL_HEAD, [*usual[:30], odd, *usual[30:]], size)


@pytest.mark.parametrize("size", [30, 1000])
@pytest.mark.parametrize("odd", ODD_ROWS)
def test_an_odd_row_among_many(odd: str, size: int) -> None:
    usual = [f"1,D{n},1" for n in range(60)]
    both(read_qrels_table, TABLE_HEAD, [*usual[:40], odd, *usual[40:]], size)


def nested(text: str) -> tuple[list[tuple[str, str, int]], list[tuple[int, str]]]:
    problems = Problems("qrels")
    try:
        return list(read_qrels_nested(io.BytesIO(text.encode()), problems, {}).rows()), []
    except FormatError:
        return [], [(p.line, p.reason) for p in problems]


def test_topics_of_nested_grades_are_read_together() -> None:
    rows = [(str(topic), f"D{n}", n % 3) for topic in range(3) for n in range(4)]
    of_topic = {topic: {d: g for t, d, g in rows if t == topic} for topic in "012"}
    text = json.dumps(of_topic).replace("}, ", "},\n")
    assert nested(text) == (rows, [])
    assert nested(text.replace('"D3": 0', '"D3": 1.0').replace('"D1": 1', '"D1": "1"')) == nested(
        text.replace('"D3": 0', '"D3": 1')
    )
    bad, odd = (2, "the grade 'x' is not a whole number"), (3, "the docno 'D 2' contains white space")
    lines = text.splitlines()
    lines[1], lines[2] = lines[1].replace('"D1": 1', '"D1": "x"'), lines[2].replace("D2", "D 2")
    assert nested("\n".join(lines)) == ([], [bad, odd])
    broken = (3, "a key in quotation marks is expected")
    assert nested("\n".join(lines)[:-1] + ", oops") == ([], [bad, broken, odd])


def test_usual_objects_are_taken_as_they_are() -> None:
    pairs = PairsInBulk()
    bulk = ObjectsInBulk(pairs.take)
    text = b'{"docno": "a", "grade": 1, "t": 7}\r\n{"t": 8, "docno": "b", "grade": 0, "more": "x"}\r'
    assert not bulk.takes(text, 5)
    bulk.keys = ["t", "docno", "grade"]
    assert bulk.takes(text, 5)
    (part,) = pairs.parts
    assert (list(part.number), list(part.docno)) == (["7", "8"], ["a", "b"])
    assert (part.grade.tolist(), part.line.tolist()) == ([1, 0], [5, 6])


def test_usual_rows_are_taken_as_they_are() -> None:
    pairs = PairsInBulk()
    bulk = TableInBulk(pairs.take)
    bulk.delimiter, bulk.width = ";", 4
    text = b'1;"a";x; 1\r\n2;b;"y;z";0\r'
    assert not bulk.takes(text, 5)
    bulk.at = [0, 1, 3]
    assert bulk.takes(text, 5)
    (part,) = pairs.parts
    assert (list(part.number), list(part.docno)) == (["1", "2"], ["a", "b"])
    assert (part.grade.tolist(), part.line.tolist()) == ([1, 0], [5, 6])


def test_rows_keep_the_order_of_the_file() -> None:
    """Those around the odd one come in bulk, before and after it."""
    lines = [f"1,D{n:03},1" for n in range(50)]
    lines[25] = '1,"D025",1'
    problems = Problems("qrels")
    table = read_qrels_table(Drips((TABLE_HEAD + "\n".join(lines)).encode(), 40), problems, {})
    assert table.docno == ["first", *(f"D{n:03}" for n in range(50))]
    assert table.line.tolist() == list(range(2, 53))
