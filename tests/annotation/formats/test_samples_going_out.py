"""The samples of what goes out, in docs/formats.md, are what the writers write."""

import io
import json
import zipfile

from annotation.formats.beir_export import Entry, Query, beir_zip
from annotation.formats.qrels_export import QrelsPair, qrels_csv
from tests.annotation.formats.test_samples_in_docs import samples


def test_qrels_export() -> None:
    pairs = [
        QrelsPair("301", "FR-17", "relevance", 3, 0.75, 3, 3, 3.0, 4, "judged"),
        QrelsPair("301", "FR-18", "relevance", 0, 1.0, 0, source="expert"),
    ]
    written = b"".join(qrels_csv(pairs)).decode().replace("\r\n", "\n")
    assert samples("Qrels export") == [written]


def test_beir_export() -> None:
    qrels, query_line, entry_line = samples("BEIR export")
    pairs = [("301", "FR-17", 3), ("301", "FR-18", 0)]
    query = json.loads(query_line)
    entry = json.loads(entry_line)
    queries = [Query(query["_id"], query["text"], query["description"], "")]
    corpus = [Entry(entry["_id"], entry["title"], entry["text"], entry["metadata"])]
    with zipfile.ZipFile(io.BytesIO(b"".join(beir_zip("x", pairs, queries, corpus)))) as archive:
        files = [archive.read(name).decode() for name in ("qrels/test.tsv", "queries.jsonl", "corpus.jsonl")]
    assert files == [qrels, query_line, entry_line]
