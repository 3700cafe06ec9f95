"""Documents from JSONL."""

import gzip
import io
import json
from pathlib import Path

import pytest

from annotation.formats.documents import DocumentRow
from annotation.formats.problems import FormatError, Problems
from tests.corpus.texts import read_documents

DOCNO_NAMES = ("docno", "doc_id", "id", "_id", "docid", "document_id", "passage_id", "pid")


def read(text: str | bytes) -> tuple[list[DocumentRow], list[str]]:
    problems = Problems("docs")
    data = text if isinstance(text, bytes) else text.encode()
    rows = list(read_documents(io.BytesIO(data), problems))
    return rows, [str(problem) for problem in problems]


@pytest.mark.parametrize("key", ["docno", "doc_id", "id", "_id", "docid"])
@pytest.mark.parametrize("text", ["text", "body", "contents"])
def test_the_usual_keys(key: str, text: str) -> None:
    rows, problems = read(json.dumps({key: "D1", "title": "t", text: "words"}))
    assert (rows, problems) == ([DocumentRow("D1", "t", "words", {}, 1)], [])


def test_further_keys_are_metadata_in_sorted_order() -> None:
    text = '{"id": 3, "text": "a", "body": "b", "year": 1958, "authors": ["x", "é"], "none": null, "ok": true}'
    rows, problems = read(text)
    assert problems == []
    assert (rows[0].docno, rows[0].text) == ("3", "a")
    assert list(rows[0].fields.items()) == [
        ("authors", '["x", "é"]'),
        ("body", "b"),
        ("ok", "true"),
        ("year", "1958"),
    ]


def test_an_empty_document_is_allowed() -> None:
    assert read('{"id": "1"}')[0] == [DocumentRow("1", "", "", {}, 1)]


def test_faults_come_with_file_line_and_reason() -> None:
    lines = [
        '{"id": "1", "text": "a"}',
        '{"title": "no id"}',
        '{"id": "a b"}',
        '{"id": "1", "text": "again"}',
        '{"id": "2", "text": 5}',
        '{"id": "3", "note": "\\udfff"}',
        json.dumps({"id": "4", **{f"k{i}": i for i in range(101)}}),
        '{"id": "5"}',
    ]
    rows, problems = read("\n".join(lines))
    assert [row.docno for row in rows] == ["1", "5"]
    assert problems == [
        f"docs:2: no docno: a string or integer under one of {', '.join(DOCNO_NAMES)} expected",
        "docs:3: the docno 'a b' contains white space",
        "docs:4: document 1 twice, first on line 1",
        "docs:5: the text is not a string",
        "docs:6: the value of 'note' contains half of a surrogate pair",
        "docs:7: more than 100 further keys",
    ]


def test_an_empty_file_is_a_problem() -> None:
    with pytest.raises(FormatError, match=r"^docs: there is nothing in this file$"):
        read("\n")


@pytest.mark.shared
@pytest.mark.parametrize("packed", [False, True])
def test_cranfield_goes_in_as_it_is(shared_data: Path, packed: bool) -> None:
    data = (shared_data / "cranfield/docs.jsonl").read_bytes()
    rows, problems = read(gzip.compress(data) if packed else data)
    assert problems == []
    assert [row.docno for row in rows] == [str(n) for n in range(1, 1401)]
    assert [row.docno for row in rows if not row.title and not row.text] == ["471", "995"]
    assert rows[0].fields == {"authors": "brenckman,m.", "source": "j. ae. scs. 25, 1958, 324."}
