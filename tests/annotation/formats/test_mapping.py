"""Which column holds what."""

import io
import json

import pytest

from annotation.formats.column_names import JUDGMENT
from annotation.formats.file_formats import recognise_format
from annotation.formats.mapping import Among, Meaning, find_columns, find_columns_among
from annotation.formats.outside import FORMATS
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import FORMATS as QRELS
from annotation.formats.qrels import QrelsTable, table

NUMBER, DOCNO = Meaning("number", ("number", "topic", "id")), Meaning("docno", ("docno", "id"))


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        (["Topic", "number"], {"number": "number"}),
        (["id", "docno"], {"number": "id", "docno": "docno"}),
        (["topic", "id"], {"number": "topic", "docno": "id"}),
        (["id"], {"number": "id"}),
        (["meta.number", "topic"], {"number": "topic"}),
        (["meta.number", "docno.txt"], {"number": "meta.number"}),
        (["query", "DOCNO "], {"docno": "DOCNO "}),
        (["ID", "id"], {"number": "ID", "docno": "id"}),
    ],
)
def test_the_likeliest_name_wins_and_no_column_means_two_things(header: list[str], columns: dict[str, str]) -> None:
    assert find_columns(header, [NUMBER, DOCNO], {}).column == columns


@pytest.mark.parametrize(
    ("chosen", "column", "constant"),
    [
        ({"number": "why"}, {"number": "why", "docno": "docno"}, {}),
        ({"number": "=7"}, {"docno": "docno"}, {"number": "7"}),
        ({"number": "=why"}, {"number": "=why", "docno": "docno"}, {}),
        ({"number": "docno"}, {"number": "docno"}, {}),
        ({"number": "gone"}, {"docno": "docno"}, {}),
        ({"number": ""}, {"number": "topic", "docno": "docno"}, {}),
    ],
)
def test_what_a_person_chose_comes_first(
    chosen: dict[str, str], column: dict[str, str], constant: dict[str, str]
) -> None:
    header = ["topic", "docno", "why", *(["=why"] if chosen["number"] == "=why" else [])]
    where = find_columns(header, [NUMBER, DOCNO], chosen)
    assert (where.column, where.constant) == (column, constant)


@pytest.mark.parametrize(
    ("header", "column"),
    [
        (["in.topic", "topic"], {"number": "in.topic"}),
        (["in.topic", "in.number"], {}),
        (["topic"], {}),
        (["in.x"], {}),
    ],
)
def test_where_a_tool_keeps_it_one_alone_must_fit(header: list[str], column: dict[str, str]) -> None:
    assert find_columns_among(header, [NUMBER], {}, {"number": Among("in.")}).column == column


def test_the_only_one_may_have_any_name() -> None:
    among = {"number": Among("in.", any_name=True)}
    assert find_columns_among(["in.x", "y"], [NUMBER], {}, among).column == {"number": "in.x"}
    assert find_columns_among(["in.x", "in.y"], [NUMBER], {}, among).column == {}


def test_every_faulty_object_is_named_and_not_only_the_first() -> None:
    good = b'{"query":1,"docno":"%d","annotator":"w","grade":1}\n'
    data = b"{\n" + b"".join(good % i for i in range(300)) + b"{\n"
    problems = Problems("a")
    form = next(form for form in FORMATS if form.name == "jsonl")
    assert len(list(form.read(io.BytesIO(data), problems, {}))) == 300
    assert [problem.line for problem in problems] == [1, 302]


def test_many_rows_are_packed_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "PART", 2)
    data = b"number,docno,grade\n" + b"".join(b"%d,%d,%d\n" % (i % 3, i, i % 2) for i in range(7))
    form, _ = recognise_format(QRELS, io.BytesIO(data), Problems("a"))
    read: QrelsTable = form.read(io.BytesIO(data), Problems("a"), {})
    assert list(read.rows()) == [(str(i % 3), str(i), i % 2) for i in range(7)]
    assert read.line.tolist() == [2, 3, 4, 5, 6, 7, 8]
    with pytest.raises(FormatError, match="a:9: document '6' is already judged for topic '0' in line 8"):
        form.read(io.BytesIO(data + b"0,6,1\n"), Problems("a"), {})


def test_no_name_belongs_to_two_meanings() -> None:
    names = [name for meaning in JUDGMENT for name in meaning.names]
    assert len(set(names)) == len(names)


def test_a_comment_that_only_late_objects_have_is_not_lost() -> None:
    rows = [{"topic": "1", "doc": f"d{n}", "worker": "w", "grade": 1} for n in range(150)]
    rows[120] |= {"comment": "off topic", "mood": "tired"}
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    problems = Problems("my.jsonl")
    form, _ = recognise_format(FORMATS, io.BytesIO(data), problems)
    read = list(form.read(io.BytesIO(data), problems, {}))
    assert [(each.line, each.comment) for each in read if each.comment] == [(121, "off topic")]
    assert (len(read), [str(note) for note in problems.notes]) == (
        150,
        ["my.jsonl:121: the comment first stands here, under 'comment'"],
    )
