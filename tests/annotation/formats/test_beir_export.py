"""A collection going out as a BEIR folder."""

import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from annotation.formats.beir_export import Entry, Query, beir_zip
from annotation.formats.documents import FORMATS as DOCUMENTS
from annotation.formats.file_formats import FileFormat, Read
from annotation.formats.problems import Problems
from annotation.formats.qrels import FORMATS as QRELS
from annotation.formats.topics import FORMATS as TOPICS

PAIRS = [("=1", "-1", 0), ("=1", "ünï", 4), ("=1", "negative", -1), ("2", "without", 1), ("3", "-1", 2)]
QUERIES = [
    Query("=1", "Drag of wings?", "What limits\u2028it?", ""),
    Query("2", "heat", "", "Slabs\tonly."),
    Query("9", "x", "", ""),
]
CORPUS = [
    Entry("-1", "", "", {}),
    Entry("ünï", "On “wings”", "The drag\n…", {"year": "1958"}),
    Entry("more", "t", "u", {}),
]


def unpacked(pairs: Iterable[tuple[str, str, int]] = PAIRS) -> dict[str, bytes]:
    packed = b"".join(beir_zip("bees, first: relevance", pairs, QUERIES, CORPUS))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_folder_has_these_files() -> None:
    assert list(unpacked()) == ["qrels/test.tsv", "queries.jsonl", "corpus.jsonl", "README.txt"]


def test_qrels_leave_negative_grades_out() -> None:
    assert unpacked()["qrels/test.tsv"].decode() == (
        "query-id\tcorpus-id\tscore\n=1\t-1\t0\n=1\tünï\t4\n2\twithout\t1\n3\t-1\t2\n"
    )


def test_texts_and_what_belongs_to_them() -> None:
    files = unpacked()
    assert [json.loads(line) for line in files["queries.jsonl"].split(b"\n")[:-1]] == [
        {"_id": "=1", "text": "Drag of wings?", "description": "What limits\u2028it?", "metadata": {}},
        {"_id": "2", "text": "heat", "narrative": "Slabs\tonly.", "metadata": {}},
        {"_id": "9", "text": "x", "metadata": {}},
    ]
    assert [json.loads(line) for line in files["corpus.jsonl"].split(b"\n")[:-1]] == [
        {"_id": "-1", "title": "", "text": "", "metadata": {}},
        {"_id": "ünï", "title": "On “wings”", "text": "The drag\n…", "metadata": {"year": "1958"}},
        {"_id": "more", "title": "t", "text": "u", "metadata": {}},
    ]


def test_the_readme_counts_what_is_left_out() -> None:
    assert unpacked()["README.txt"].decode().splitlines() == [
        "bees, first: relevance",
        "",
        "Judged pairs: 4",
        "Pairs left out, their grade is negative (pooled, not judged): 1",
        "Judged topics left out of queries.jsonl, they have no text: 1",
        "Judged documents left out of corpus.jsonl, they have no text: 1",
    ]


def test_what_went_out_comes_in_the_same() -> None:
    files = unpacked()
    beir = only(QRELS, files["qrels/test.tsv"])
    table = beir.read(io.BytesIO(files["qrels/test.tsv"]), Problems("test.tsv"), {})
    assert list(table.rows()) == [pair for pair in PAIRS if pair[2] >= 0]
    problems = Problems("queries.jsonl")
    topics = list(only(TOPICS, files["queries.jsonl"]).read(io.BytesIO(files["queries.jsonl"]), problems, {}))
    assert [Query(row.number, row.title, row.description, row.narrative) for row in topics] == QUERIES
    documents = only(DOCUMENTS, files["corpus.jsonl"]).read(io.BytesIO(files["corpus.jsonl"]), problems, {})
    assert [Entry(row.docno, row.title, row.text, dict(row.fields)) for row in documents] == CORPUS
    assert (list(problems), problems.notes) == ([], [])


def only(forms: Sequence[FileFormat[Read]], data: bytes) -> FileFormat[Read]:
    """The form that the content shows."""
    fitting = [form for form in forms if form.fits(data)]
    assert [form.name for form in fitting] == ["beir"]
    return fitting[0]


def test_it_goes_out_while_it_is_read_and_holds_no_texts() -> None:
    def corpus() -> Iterator[Entry]:
        for n in range(10**9):
            yield Entry(str(n), "", Random(n).randbytes(5000).hex(), {})  # does not pack well: few make a piece

    tracemalloc.start()
    pieces = beir_zip("endless", [("1", "a", 1)], QUERIES, corpus())
    assert sum(len(piece) for piece in islice(pieces, 160)) > 0
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20
