"""Runs in all their forms: what each is recognised by, and that all of them say the same."""

import io
import json
from collections.abc import Mapping, Sequence

import pytest

from annotation.formats.file_formats import Columns, recognise_format
from annotation.formats.problems import FormatError, Problems
from evaluation.engine.run import RunTable, load_run, pack_run
from evaluation.formats.run import FORMATS, parse_run
from evaluation.formats.run_export import run_jsonl, run_trec

SCORES = {"301": {"FR-17": 12.75, "FR-18": 11.0}, "9": {"é-1": -1e-07}}
ROWS = [(number, docno, score) for number, scores in SCORES.items() for docno, score in scores.items()]
TREC = "".join(f"{number} Q0 {docno} 1 {score!r} bm25\n" for number, docno, score in ROWS).encode()

OBJECTS = [{"number": n, "docno": d, "score": s, "rank": 1, "tag": "bm25"} for n, d, s in ROWS]
RERANKED = [
    {"query": {"text": "wings", "qid": n}, "candidates": [{"docid": d, "score": s, "doc": {}} for d, s in of.items()]}
    for n, of in SCORES.items()
]
HITS = [
    {"qid": n, "tag": "bm25", "hits": [{"did": d, "score": str(s)} for d, s in of.items()]} for n, of in SCORES.items()
]


def lines(objects: Sequence[Mapping[str, object]]) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in objects).encode()


def parse(data: bytes, columns: Columns | None = None) -> tuple[str, RunTable]:
    problems, stream = Problems("a"), io.BytesIO(data)
    form, _ = recognise_format(FORMATS, stream, problems)
    return form.name, form.read(stream, problems, columns or {})


def faults(data: bytes, columns: Columns | None = None) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse(data, columns)
    return [str(problem) for problem in caught.value.problems]


CHOSEN = {"tag": "=bm25"}
FILES = [
    ("trec", TREC, {}),
    ("trec", TREC.replace(b"\n", b" and more\r\n"), {}),
    ("jsonl", lines(OBJECTS), {}),
    ("jsonl", lines(HITS), {}),
    ("jsonl", lines(RERANKED), CHOSEN),
    ("jsonl", lines(RERANKED).replace(b'"text": "wings", "qid": "301"', b'"qid": 301'), CHOSEN),
    ("json", json.dumps(OBJECTS).encode(), {}),
    ("json", json.dumps(RERANKED, indent=2).encode(), CHOSEN),
    ("nested", json.dumps(SCORES).encode(), CHOSEN),
    ("nested", json.dumps(SCORES, indent=2).encode(), CHOSEN),
]


@pytest.mark.parametrize(("form", "data", "columns"), FILES)
def test_all_forms_of_the_same_run(form: str, data: bytes, columns: Columns) -> None:
    name, table = parse(data, columns)
    assert name == form
    assert pack_run(table) == pack_run(parse_run(io.BytesIO(TREC), Problems("a")))


def test_what_is_given_out_comes_back() -> None:
    packed = pack_run(parse_run(io.BytesIO(TREC), Problems("a")))
    for form, pieces in [("jsonl", run_jsonl(load_run(packed))), ("trec", run_trec(load_run(packed)))]:
        name, table = parse(b"".join(pieces))
        assert (name, pack_run(table)) == (form, packed)


def test_a_person_chooses_columns() -> None:
    data = lines([{"query_id": 1, "doc_id": "a", "score": 1, "rerank": 2.5, "model": "x"}])
    table = parse(data, {"score": "rerank", "tag": "model"})[1]
    assert (table.tag, table.score.tolist()) == ("x", [2.5])


def test_what_each_key_is_taken_as() -> None:
    for data in (lines(RERANKED), json.dumps(RERANKED).encode()):
        form, head = recognise_format(FORMATS, io.BytesIO(data), Problems("a"))
        assert form.columns(head) == [
            ("text", ""), ("qid", "number"), ("docid", "docno"), ("score", "score"), ("doc", "")
        ]  # fmt: skip


ROW = '{{"number":"1","docno":"{}","score":{},"tag":"t"}}\n'


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (ROW.format("a", "NaN"), ["1: not a JSON object: NaN is not a JSON number"]),
        (ROW.format("b", 1) + ROW.format("a", "1e999"), ["2: the score 'inf' is not a finite decimal number"]),
        (ROW.format("b", 1) + ROW.format("a", '"nan"'), ["2: the score 'nan' is not a finite decimal number"]),
        (ROW.format("b", 1) + ROW.format("a", "true"), ["2: the score 'true' is not a finite decimal number"]),
        (ROW.format("b", 1) + ROW.format("a", "null"), ["2: the score '' is not a finite decimal number"]),
        (ROW.format("b", 1) + ROW.format("a", "[]"), ["2: the score '[]' is not a finite decimal number"]),
        (ROW.format("b", 1) * 2, ["2: document 'b' is already retrieved for topic '1' in line 1"]),
        (
            ROW.format("b", 1) + ROW.format("a", 1).replace('"t"', '"u"'),
            ["2: the tag is 'u', but 't' in line 1: a file holds one run"],
        ),
        (ROW.format("a b", 1), ["1: the docno 'a b' contains white space"]),
        ("[]", ["no row in the file"]),
    ],
)
def test_faults(data: str, reasons: list[str]) -> None:
    expected = [f"a:{reason}" if reason[0].isdigit() else f"a: {reason}" for reason in reasons]
    assert sorted(faults(data.encode())) == sorted(expected)


def test_a_run_without_a_tag_has_none() -> None:
    assert parse(b'{"1": {"a": 1.5}}')[1].tag == ""
    assert parse(b'{"qid": 1, "docno": "a", "score": 1}\n')[1].tag == ""


def test_a_topic_twice_is_refused() -> None:
    assert faults(b'{"1": {"a": 1},\n "1": {"b": 2}}', CHOSEN) == ["a:2: the key '1' stands twice"]
