"""Hostile and broken files in the forms that have named columns or are JSON: what each must be told.

`kind` says what the file is brought in as: qrels, run, pairs, gold or judgments.
"""

import gzip
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from annotation.formats import gold, outside, pairs, qrels
from annotation.formats.file_formats import Columns, FileFormat, recognise_format
from annotation.formats.outside.making import EMPTY
from annotation.formats.problems import FormatError, Problems
from evaluation.formats import run

FORMATS: Mapping[str, Sequence[FileFormat[object]]] = {
    "qrels": cast("Sequence[FileFormat[object]]", qrels.FORMATS),
    "run": cast("Sequence[FileFormat[object]]", run.FORMATS),
    "pairs": cast("Sequence[FileFormat[object]]", pairs.FORMATS),
    "gold": cast("Sequence[FileFormat[object]]", gold.FORMATS),
    "judgments": cast("Sequence[FileFormat[object]]", outside.FORMATS),
}
ALIEN = {  # what a file is told that has none of the forms of its kind
    kind: "not recognised as any of " + ", ".join(f"{form.title} ({form.name})" for form in forms)
    for kind, forms in FORMATS.items()
}
Case: TypeAlias = tuple[str, bytes, str]


@dataclass(frozen=True)
class Hostile:
    """A file and every fault that must be found in it, each as `line: reason`, or the reason alone for a whole file."""

    kind: str
    name: str
    data: bytes
    faults: tuple[str, ...]
    columns: Columns = field(default_factory=dict)


def faults_of(kind: str, data: bytes, columns: Columns, *, form: str = "") -> tuple[str, ...]:
    """What is found in a file brought in as `kind`; nothing where it goes in."""
    problems = Problems("a")
    stream = io.BytesIO(data)
    try:
        file_format, _ = recognise_format(FORMATS[kind], stream, problems, name=form)
        rows = file_format.read(stream, problems, columns)
        for _ in rows if isinstance(rows, Iterable) else ():
            pass
        problems.check()
    except FormatError as error:
        return tuple(f"{each.line}: {each.reason}" if each.line else each.reason for each in error.problems)
    return ()


def hostile(kind: str, cases: Iterable[Case], columns: Columns | None = None) -> list[Hostile]:
    return [Hostile(kind, name, data, tuple(faults.splitlines()), columns or {}) for name, data, faults in cases]


def missing(meaning: str, columns: str) -> str:
    return f"no column for the {meaning} is recognised: choose one of {columns}, or a value for all rows (=value)"


def word(text: str, line: int) -> str:
    return f"{line}: grades that are no whole numbers (1): {text}; say what each is worth (word=grade)"


def no_time(text: str) -> str:
    return f"2: the time '{text}' is not ISO 8601, nor Unix seconds, between 1970 and 2200"


HEADER = b"query,docno,annotator,grade,time,comment\n"
GOOD = b"1,a,w,1,,\n"
WIDTH = "6 cells expected, as in the header"
OPEN = "a quotation mark is opened and never closed"

TABLES = [
    ("a header alone", HEADER, "there is no judgment in this file"),
    ("a cell too few", HEADER + b"1,a,w,1,\n", f"2: {WIDTH}, 5 found"),
    ("a cell too many", HEADER + GOOD + b"1,b,w,1,,,\n", f"3: {WIDTH}, 7 found"),
    ("a comma in a cell without quotes", HEADER + b"1,a,w,1,,so, so\n", f"2: {WIDTH}, 7 found"),
    ("a quotation mark never closed", HEADER + GOOD + b'1,b,w,1,,"so\n1,c,w,1,,\n', f"3: {OPEN}"),
    (
        "a quotation mark never closed, long before the end",
        HEADER + b'1,b,w,1,,"so\n' + GOOD * 20_000,
        "2: a cell is longer than 131072 characters: is a quotation mark missing?",
    ),
    (
        "text behind a quoted cell",
        HEADER + b'1,"a"b,w,1,,\n' + GOOD,
        "2: a quotation mark stands inside a quoted cell: it must be doubled",
    ),
    ("CR alone", HEADER.replace(b"\n", b"\r") + GOOD.replace(b"\n", b"\r"), ALIEN["judgments"]),
    (
        "CR in a line",
        HEADER + b"1,a\r,w,1,,\n",
        "2: a carriage return inside the line: lines must end with LF or CR LF",
    ),
    ("a column twice", b"query,docno,annotator,grade,grade\n", "1: the column 'grade' stands twice in the header"),
    ("Latin-1", HEADER + b"1,caf\xe9,w,1,,\n", "2: not UTF-8 at byte 6 of the line (0xe9)"),
    ("an empty number", HEADER + b",a,w,1,,\n", "2: the topic number is empty"),
    ("an empty docno", HEADER + b"1, ,w,1,,\n", "2: the docno is empty"),
    ("an empty annotator", HEADER + b"1,a,,1,,\n", "2: the annotator is empty"),
    ("an empty grade", HEADER + b"1,a,w,,,\n", f"2: {EMPTY}"),
    ("white space in a docno", HEADER + b"1,a b,w,1,,\n", "2: the docno 'a b' contains white space"),
    ("U+2028 in a docno", HEADER + "1,a\u2028b,w,1,,\n".encode(), "2: the docno 'a\\u2028b' contains white space"),
    ("NUL in a docno", HEADER + b"1,a\0,w,1,,\n", "2: the docno 'a\ufffd' contains a character that cannot be printed"),
    (
        "a line break in an annotator",
        HEADER + b'1,a,"w\nv",1,,\n',
        "2: the annotator 'w\\nv' contains a character that cannot be printed",
    ),
    (
        "a long docno",
        HEADER + b"1," + b"x" * 201 + b",w,1,,\n",
        "2: the docno is 201 characters long, at most 200 are allowed",
    ),
    (
        "a long annotator",
        HEADER + b"1,a," + b"x" * 101 + b",1,,\n",
        "2: the annotator is 101 characters long, at most 100 are allowed",
    ),
    (
        "a long comment",
        HEADER + b"1,a,w,1,," + b"x" * 10_001,
        "2: the comment is 10001 characters long, at most 10000 are allowed",
    ),
    ("a grade with a fraction", HEADER + b"1,a,w,0.7,,\n", word("'0.7'", 2)),
    ("a grade that is no number", HEADER + b"1,a,w,NaN,,\n", word("'NaN'", 2)),
    ("a grade in other digits", HEADER + "1,a,w,٣,,\n".encode(), word("'٣'", 2)),
    ("a grade of ten digits", HEADER + b"1,a,w,1234567890,,\n", word("'1234567890'", 2)),
    ("a time that is none", HEADER + b"1,a,w,1,noon,\n", no_time("noon")),
    ("a time beyond all years", HEADER + b"1,a,w,1,0001-01-01T00:00:00+14:00,\n", no_time("0001-01-01T00:00:00+14:00")),
    ("a column missing", b"query,docno,grade\n1,a,1\n", missing("annotator", "'query', 'docno', 'grade'")),
    (
        "too many columns",
        b",".join(b"c%d" % i for i in range(1000)) + b",grade\n",
        "1: 1001 columns, at most 1000 are read",
    ),
    (
        "a line of 9 MB",
        HEADER + b"1,a,w,1,," + b"x" * (9 << 20) + b"\n",
        "2: the line is longer than the limit of 8388608 bytes",
    ),
]

ROW = b'{"query":"1","docno":"a","annotator":"w","grade":1}'
NOT = "not a JSON object"

OBJECTS = [
    ("a grade that is true", ROW.replace(b":1}", b":true}"), word("'true'", 1)),
    ("a JSON grade with a fraction", ROW.replace(b":1}", b":1.5}"), word("'1.5'", 1)),
    (
        "a grade that is a list",
        ROW + b"\n" + ROW.replace(b":1}", b":[1]}"),
        "2: the grade is neither a text nor a number",
    ),
    ("a grade beyond float64", ROW.replace(b":1}", b":1e999}"), word("'inf'", 1)),
    (
        "a number of 5,000 digits",
        ROW + b"\n" + ROW.replace(b":1}", b":" + b"1" * 5000 + b"}"),
        "2: not a JSON object: a number has too many digits",
    ),
    ("NaN", ROW.replace(b":1}", b":NaN}"), f"1: {NOT}: NaN is not a JSON number"),
    ("a key twice", ROW.replace(b'"1"', b'"1","query":"2"'), f"1: {NOT}: the key 'query' stands twice"),
    ("null for a docno", ROW + b"\n" + ROW.replace(b'"a"', b"null"), "2: the docno is empty"),
    ("a key that comes and goes", ROW + b"\n" + ROW.replace(b"docno", b"doc"), "2: the docno is empty"),
    (
        "half of a surrogate pair",
        ROW.replace(b'"a"', b'"\\ud800"'),
        "1: the docno '\\ud800' contains a character that cannot be printed",
    ),
    (
        "half of a surrogate pair in a comment",
        ROW.replace(b'"w"', b'"w","comment":"\\udc00"'),
        "1: the comment contains half of a surrogate pair",
    ),
    ("a line cut short", ROW + b"\n" + ROW[:20], f"2: {NOT}: Expecting ':' delimiter at character 21"),
    ("nested too deep", ROW + b"\n" + b'{"a":' * 40 + b"1" + b"}" * 40, "2: nested deeper than 32 levels"),
    ("nested without end", ROW + b"\n" + b'{"a":' * 200_000, "2: nested deeper than 32 levels"),
    ("UTF-16", ROW.decode().encode("utf-16"), "this is UTF-16; save it as UTF-8"),
]

TASK = b'{"data":{"qid":1,"docno":"a"},"annotations":[{"completed_by":7,"result":[%b]}]}'
RATED = b'{"from_name":"r","type":"rating","value":{"rating":1}}'

ARRAYS = [
    ("an array without a task", b"[]", "there is no judgment in this file"),
    (
        "tasks without annotations",
        b"[" + TASK.replace(b"annotations", b"predictions") % RATED + b"]",
        "1: a task without `annotations`",
    ),
    ("a task that is a number", b"[" + TASK % RATED + b",\n 7]", "2: an element is not an object ({…})"),
    ("an array cut in a task", b"[" + (TASK % RATED)[:-9], "1: not JSON: Unterminated string starting at"),
    (
        "an array cut between tasks",
        b"[" + TASK % RATED + b",\n",
        "2: an element is not an object ({…}): the file ends here",
    ),
    ("an array without an end", b"[" + TASK % RATED + b"\n", "2: a comma or ] is expected: the file ends here"),
    ("a comma too many", b"[" + TASK % RATED + b",]", "1: a value is expected after the comma, and not ]"),
    ("text behind the array", b"[" + TASK % RATED + b"]\nthanks", "2: something stands behind the end of the JSON"),
    ("two arrays", (b"[" + TASK % RATED + b"]\n") * 2, "2: something stands behind the end of the JSON"),
    ("not UTF-8 in a task", b"[\n" + TASK.replace(b'"a"', b'"\xff"') % RATED + b"]", "2: not UTF-8 (0xff)"),
    (
        "a task nested too deep",
        b"[" + TASK % RATED + b',\n{"data":' + b"[" * 40 + b"]" * 40 + b"}]",
        "2: nested deeper than 32 levels",
    ),
    (
        "a task nested without end",
        b"[" + TASK % RATED + b',\n{"data":' + b"[" * 200_000,
        "2: nested deeper than 32 levels",
    ),
    (
        "a key twice in a task",
        b"[" + TASK.replace(b'"qid"', b'"qid":2,"qid"') % RATED + b"]",
        "1: not JSON: the key 'qid' stands twice",
    ),
    ("two ratings", b"[" + TASK % (RATED + b"," + RATED) + b"]", "1: 2 choices for 'r', one expected"),
    (
        "a task without a document",
        b"[" + TASK.replace(b"docno", b"url") % RATED + b"]",
        missing("docno", "'data.qid', 'data.url'"),
    ),
    (
        "a small gzip of a text without end",
        gzip.compress(b"[" + TASK % RATED + b',{"data":"' + b"x" * (40 << 20), 1, mtime=0),
        "1: a value is longer than 16777216 characters",
    ),
]

MTURK = b"HITId,WorkerId,SubmitTime,Input.q,Input.docno,Answer.r\n"
TURKERS = [
    ("no column is a topic", MTURK + b"H,A,,1,a,1\n", missing("topic’s number", "'Input.q', 'Input.docno'")),
]

QRELS = [
    ("a header of BEIR and nothing else", b"query-id\tcorpus-id\tscore\n", "no judged pair in the file"),
    (
        "BEIR with a column too many",
        b"query-id\tcorpus-id\tscore\n1\ta\t1\tx\n",
        "2: 3 fields expected (number, docno, grade), 4 found",
    ),
    ("BEIR with a fraction", b"query-id\tcorpus-id\tscore\n1\ta\t0.5\n", "2: the grade '0.5' is not a whole number"),
    (
        "BEIR with a pair twice",
        b"query-id\tcorpus-id\tscore\n1\ta\t1\n1\ta\t2\n",
        "3: document 'a' is already judged for topic '1' in line 2",
    ),
    ("three columns, then four", b"1 a 1\n1 b 1\n1 0 c 1\n", "3: 3 fields expected (number, docno, grade), 4 found"),
    ("JSONL with a fraction", b'{"qid":1,"docno":"a","grade":0.5}\n', "1: the grade '0.5' is not a whole number"),
    (
        "JSONL with a pair twice",
        b'{"qid":1,"docno":"a","grade":1}\n{"qid":"1","docno":"a","grade":1}\n',
        "2: document 'a' is already judged for topic '1' in line 1",
    ),
    ("nested with a text", b'{"1":{"a":1},\n"2":{"a":"high"}}', "2: the grade 'high' is not a whole number"),
    ("nested too deep", b'{"1":{"a":1},"2":{"b":{}}}', "1: the grade '{}' is not a whole number"),
    ("nested with a number for a topic", b'{"1":{"a":1},"2":3}', "1: the value of '2' is not an object ({…})"),
    (
        "pairs that were left out",
        b'{"number":"1","docno":"a","reason":"two apart"}\n',
        missing("grade", "'number', 'docno', 'reason'"),
    ),
    ("a table with a grade in words", b"qid,docno,grade\n1,a,high\n", "2: the grade 'high' is not a whole number"),
    ("HTML", b"<!DOCTYPE html>\n<title>Not found</title>\n", ALIEN["qrels"]),
    ("a PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "this is a PDF; save it as CSV or text"),
]

PAIRS = [
    (
        "qrels",
        b"1 0 a 1\n",
        "1: 2 columns expected (number docno), 4 found; which look like qrels: keep the first and third",
    ),
    ("a header alone", b"query_id\tdoc_id\n", "there is no pair in this file"),
    ("a pair twice", b"query_id,doc_id\n1,a\n1,a\n", "3: topic 1, document a twice, first on line 2"),
    ("JSONL without a docno", b'{"qid":1}\n', missing("docno", "'qid'")),
    ("white space in a docno", b'{"qid":1,"docno":"a b"}\n', "1: the docno 'a b' contains white space"),
]

GOLD = [
    ("a header alone", b"query_id\tdoc_id\tgold\n", "there is no gold in this file"),
    ("a grade in words", b"query_id\tdoc_id\tgold\n1\ta\tyes\n", "2: the grade 'yes' is not a whole number"),
    (
        "a pair twice",
        b'{"qid":1,"docno":"a","grade":1}\n{"qid":1,"docno":"a","grade":2}\n',
        "2: topic 1, document a twice, first on line 1",
    ),
    (
        "half of a surrogate pair in a reason",
        b'{"qid":1,"docno":"a","grade":1,"reason":"\\ud800"}\n',
        "1: the reason contains half of a surrogate pair",
    ),
]

RUNS = [
    ("no score", b'{"qid":1,"docno":"a","rank":1,"tag":"t"}\n', missing("score", "'qid', 'docno', 'rank', 'tag'")),
    (
        "a score that is not finite",
        b'{"qid":1,"docno":"a","score":-1e999,"tag":"t"}\n',
        "1: the score '-inf' is not a finite decimal number",
    ),
    (
        "a score in words",
        b'{"qid":1,"docno":"a","score":"high","tag":"t"}\n',
        "1: the score 'high' is not a finite decimal number",
    ),
    (
        "a document twice",
        b'{"qid":1,"hits":[{"docno":"a","score":1},{"docno":"a","score":2}],"tag":"t"}\n',
        "1: document 'a' is already retrieved for topic '1' in line 1",
    ),
    (
        "two tags",
        b'[{"qid":1,"docno":"a","score":1,"tag":"t"},\n{"qid":1,"docno":"b","score":1,"tag":"u"}]',
        "2: the tag is 'u', but 't' in line 1: a file holds one run",
    ),
    (
        "hits that are no rows",
        b'{"qid":1,"hits":[1,2],"tag":"t","score":1,"docno":"a"}\n',
        "1: document 'a' is already retrieved for topic '1' in line 1",
    ),
    (
        "a nested run cut short",
        b'{"1": {"a": 1.5}, "2": {"b"',
        "1: not JSON: Expecting ':' delimiter: the file ends here",
    ),
    ("qrels", b"1 0 a 1\n", ALIEN["run"]),
]

CASES = [
    *hostile("judgments", TABLES),
    *hostile("judgments", OBJECTS),
    *hostile("judgments", ARRAYS),
    *hostile("judgments", TURKERS),
    *hostile("qrels", QRELS),
    *hostile("pairs", PAIRS),
    *hostile("gold", GOLD),
    *hostile("run", RUNS),
]

CUT = "the gzip is cut short: the upload or the file is incomplete"
WRONG_FOR_ALL = [  # of every kind
    ("empty", b"", "there is nothing in this file"),
    ("noise", bytes(range(128, 256)) * 9, ""),
    ("gzip cut in the middle", gzip.compress(b"query\tdocno\tgrade\n" * 99, mtime=0)[:-20], CUT),
    (
        "gzip of gzip",
        gzip.compress(gzip.compress(b"x", mtime=0), mtime=0),
        "this was packed with gzip twice; unpack it once",
    ),
    ("zip", b"PK\x03\x04" + b"\0" * 40, "this is a zip archive; unpack it, or pack the file with gzip instead"),
    ("UTF-16", "1 0 a 1\n".encode("utf-16"), "this is UTF-16; save it as UTF-8"),
]
FILES = [case.data for case in CASES]
