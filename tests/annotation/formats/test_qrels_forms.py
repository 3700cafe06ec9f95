"""Qrels in all their forms: what each is recognised by, and that all of them say the same."""

import gzip
import io
import json

import pytest

from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.problems import FormatError, Problems
from annotation.formats.qrels import FORMATS, QrelsTable, write_qrels
from annotation.formats.qrels_export import QrelsPair, qrels_csv, qrels_jsonl

NO_NUMBER = (
    "no column for the topic’s number is recognised: choose one of 'docno', 'grade', or a value for all rows (=value)"
)
ROWS = [("301", "FR-17", 4), ("301", "FR-18", 0), ("9", "é-1", -1)]


def parse(data: bytes, columns: Columns | None = None, name: str = "") -> tuple[str, QrelsTable, Problems]:
    problems = Problems("a")
    stream = io.BytesIO(data)
    form, _ = recognise_format(FORMATS, stream, problems, name=name)
    return form.name, form.read(stream, problems, columns or {}), problems


def meanings_of(data: bytes) -> list[tuple[str, str]]:
    form, head = recognise_format(FORMATS, io.BytesIO(data), Problems("a"))
    return form.columns(head)


def faults(data: bytes, columns: Columns | None = None) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse(data, columns)
    return [str(problem) for problem in caught.value.problems]


def joined(head: str, line: str, end: str = "\n") -> bytes:
    return (head + "".join(line.format(*row) + end for row in ROWS)).encode()


OBJECTS = [{"query_id": n, "doc_id": d, "relevance": g} for n, d, g in ROWS]
NESTED: dict[str, dict[str, int]] = {"301": {"FR-17": 4, "FR-18": 0}, "9": {"é-1": -1}}
FILES = [
    ("trec", write_qrels(ROWS)),
    ("trec", joined("", "{} Q0 {} {}", "\r\n")),
    ("beir", joined("query-id\tcorpus-id\tscore\n", "{}\t{}\t{}")),
    ("beir", joined("\n \nquery-id\tcorpus-id\tscore\r\n", "{}\t{}\t{}", "\r\n")),
    ("beir", gzip.compress(joined("query-id\tcorpus-id\tscore\n", "{}\t{}\t{}"), mtime=0)),
    ("three-columns", joined("", "{}   {}   {}      ", "\r\n")),
    ("table", joined("number,docno,grade\n", "{},{},{}")),
    ("table", joined("Topic;Doc ID;Label\r\n", "{};{};{}", "\r\n")),
    ("table", joined("docid\tqid\titeration\trel\n", "{1}\t{0}\t0\t{2}")),
    ("table", joined("query_id,document,grade\n", '{},"{}",{}')),
    ("jsonl", joined("", '{{"number": "{}", "docno": "{}", "grade": {}}}')),
    ("jsonl", joined("", '{{"number": "{}", "docno": "{}", "grade": "{}", "confidence": 0.5}}')),
    ("jsonl", joined("", '{{"query-id": {}, "corpus-id": "{}", "score": {}.0}}')),
    ("json", json.dumps(OBJECTS).encode()),
    ("json", json.dumps(OBJECTS, indent=1).encode()),
    ("nested", json.dumps(NESTED).encode()),
    ("nested", json.dumps(NESTED, indent=2, ensure_ascii=False).encode()),
]


@pytest.mark.parametrize(("form", "data"), FILES)
def test_all_forms_of_the_same_qrels(form: str, data: bytes) -> None:
    name, table, problems = parse(data)
    assert (name, sorted(table.rows())) == (form, sorted(ROWS))
    assert problems.notes == [] or form == "three-columns"
    assert write_qrels(table.rows()) == write_qrels(ROWS)


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        (b"1 0 a 1\n", [("1st", "number"), ("2nd", ""), ("3rd", "docno"), ("4th", "grade")]),
        (b"query-id\tcorpus-id\tscore\n", [("query-id", "number"), ("corpus-id", "docno"), ("score", "grade")]),
        (b"1 a 1\n", [("1st", "number"), ("2nd", "docno"), ("3rd", "grade")]),
        (b"Doc ID,Label,why\n", [("Doc ID", "docno"), ("Label", "grade"), ("why", "")]),
        (b'{"qid": 1, "text": "", "did": 2, "score": 1}\n', [("qid", "number"), ("text", ""), ("did", "docno")]),
        (b'[{"qid": 1, "did": 2, "score": 1}]', [("qid", "number"), ("did", "docno"), ("score", "grade")]),
    ],
)
def test_what_each_column_is_taken_as(data: bytes, columns: list[tuple[str, str]]) -> None:
    assert meanings_of(data)[: len(columns)] == columns


def test_a_number_of_beir_may_begin_as_comments_do() -> None:
    assert list(parse(b"query-id\tcorpus-id\tscore\n#1\ta\t1\n")[1].rows()) == [("#1", "a", 1)]


@pytest.mark.parametrize(
    "rows", [ROWS, [("#1", "=1+1", 1), ("'2", 'a"b,c;d', 0), ("301", "[{'", 2)], [("[1]", "{}", 0), ("{1", "[", 0)]]
)
def test_what_is_given_out_comes_back(rows: list[tuple[str, str, int]]) -> None:
    pairs = [QrelsPair(number, docno, "=criterion", grade) for number, docno, grade in rows]
    for form, data in [
        ("table", b"".join(qrels_csv(pairs))),
        ("jsonl", b"".join(qrels_jsonl(pairs))),
        ("trec", write_qrels(rows)),
    ]:
        name, table, _ = parse(data)
        assert (name, sorted(table.rows())) == (form, sorted(rows))


def test_each_pair_knows_its_line() -> None:
    assert parse(b"# judged\n1 0 a 1\n\n1 0 b 1\n")[1].line.tolist() == [2, 4]
    assert parse(b'number,docno,grade\n1,"a",1\n\n1,b,1\n')[1].line.tolist() == [2, 4]
    assert parse(json.dumps(NESTED, indent=1).encode())[1].line.tolist() == [2, 2, 6]
    assert parse(b"\nquery-id\tcorpus-id\tscore\n\n1\ta\t1\n")[1].line.tolist() == [4]


def test_cranfields_codes_are_not_turned_round() -> None:
    _, table, problems = parse(b"1 184 1 \r\n1 29 4 \r\n1 31 -1 \r\n")
    assert table.grade.tolist() == [1, 4, -1]
    assert [str(note) for note in problems.notes] == [
        "a: grades are taken as they stand; in Cranfield's own qrels 1 is the best and 4 the least"
    ]


def test_a_person_chooses_columns() -> None:
    data = b"topic,docno,grade,second_grade,code\nwings,a,1,3,301\n"
    assert list(parse(data)[1].rows()) == [("wings", "a", 1)]
    assert list(parse(data, {"number": "code", "grade": "second_grade"})[1].rows()) == [("301", "a", 3)]
    assert list(parse(data, {"number": "=7"})[1].rows()) == [("7", "a", 1)]


def test_a_chosen_form_is_read_whatever_fits() -> None:
    assert list(parse(b"1 a 1\n", name="beir")[1].rows()) == [("1", "a", 1)]
    with pytest.raises(FormatError, match="4 fields expected"):
        parse(b"1 a 1\n", name="trec")


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (b"docno,grade\na,1\n", [NO_NUMBER]),
        (b"query-id\tcorpus-id\tscore\n", ["no judged pair in the file"]),
        (b"number,docno,grade\n", ["no judged pair in the file"]),
    ],
)
def test_faults_of_the_file(data: bytes, reasons: list[str]) -> None:
    assert faults(data) == [f"a: {reason}" for reason in reasons]


def test_a_column_that_is_not_there_cannot_be_chosen() -> None:
    assert faults(b"number,docno,grade\n1,a,1\n", {"grade": "Grade"}) == [
        "a: there is no column 'Grade' for the grade; there are 'number', 'docno', 'grade'"
    ]
