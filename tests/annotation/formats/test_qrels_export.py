"""Qrels going out as CSV, JSONL and Parquet."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator

import polars as pl
import pytest

from annotation.formats.problems import Problems
from annotation.formats.qrels import FORMATS, parse_qrels, write_qrels
from annotation.formats.qrels_export import (
    COLUMNS,
    QrelsPair,
    pairs_of_jsonl,
    pairs_of_trec,
    qrels_csv,
    qrels_jsonl,
    qrels_parquet,
    trec_rows,
)
from annotation.formats.snapshot_jsonl import FrozenPair, snapshot_jsonl

FROZEN = [
    FrozenPair("301", "=FR-17", "relevance", 3, 0.75, 3, 3, 3.0, 4, "judged"),
    FrozenPair("301", "FR,18", "relevance", 0, 1.0, 0, None, None, None, "expert"),
]
STORED = b"".join(snapshot_jsonl(FROZEN))
ROWS = [("#1", "-1", -1), ("#1", "ünï", 4), ("301", '"FR', 0)]


def frozen() -> Iterator[QrelsPair]:
    return pairs_of_jsonl(io.BytesIO(STORED))


def imported() -> Iterator[QrelsPair]:
    return pairs_of_trec(io.BytesIO(write_qrels(ROWS)), "relevance")


def test_trec_lines_are_read_as_they_were_written() -> None:
    assert list(trec_rows(io.BytesIO(write_qrels(ROWS)))) == ROWS
    assert list(parse_qrels(io.BytesIO(write_qrels(ROWS)), Problems("out")).rows()) == ROWS


def test_jsonl_of_frozen_pairs_is_what_was_stored() -> None:
    assert b"".join(qrels_jsonl(frozen())) == STORED


def test_of_imported_pairs_only_the_grade_is_known() -> None:
    lines = [json.loads(line) for line in b"".join(qrels_jsonl(imported())).splitlines()]
    assert lines[0] == {
        "number": "#1",
        "docno": "-1",
        "criterion": "relevance",
        "grade": -1,
        "confidence": None,
        "n_judgments": None,
        "min": None,
        "median": None,
        "max": None,
        "source": "imported",
    }
    assert [(line["number"], line["docno"], line["grade"]) for line in lines] == ROWS


def test_csv_to_the_byte() -> None:
    assert b"".join(qrels_csv(frozen())) == (
        b"number,docno,criterion,grade,confidence,n_judgments,min,median,max,source\r\n"
        b"301,=FR-17,relevance,3,0.75,3,3,3.0,4,judged\r\n"
        b'301,"FR,18",relevance,0,1.0,0,,,,expert\r\n'
    )


def test_in_csv_ids_stay_and_the_criterion_is_free_text() -> None:
    pair = QrelsPair("=1", "@x", "=cmd", 1)
    cells = next(csv.DictReader(io.StringIO(b"".join(qrels_csv([pair])).decode(), newline="")))
    assert (cells["number"], cells["docno"], cells["criterion"]) == ("=1", "@x", "'=cmd")


def test_parquet_has_the_same_columns_with_types() -> None:
    table = pl.read_parquet(io.BytesIO(b"".join(qrels_parquet(frozen()))))
    assert tuple(table.columns) == COLUMNS
    assert table.rows() == [tuple(json.loads(line).values()) for line in STORED.splitlines()]
    assert table.schema["grade"] == pl.Int64
    alike = pl.read_parquet(io.BytesIO(b"".join(qrels_parquet(imported()))))
    assert alike.schema == table.schema
    assert alike.select("number", "docno", "grade").rows() == ROWS


def test_csv_and_jsonl_begin_before_the_last_pair_is_read() -> None:
    def endless() -> Iterator[QrelsPair]:
        while True:
            yield QrelsPair("1", "d", "relevance", 1)

    assert next(qrels_jsonl(endless())).startswith(b'{"number":"1"')
    lines = qrels_csv(endless())
    assert [next(lines)[:6], next(lines)[:3]] == [b"number", b"1,d"]


@pytest.mark.parametrize("write", [qrels_csv, qrels_jsonl])
def test_what_went_out_comes_in_the_same(write: Callable[[Iterable[QrelsPair]], Iterator[bytes]]) -> None:
    for pairs, rows in ((imported(), ROWS), (frozen(), [(pair.number, pair.docno, pair.grade) for pair in FROZEN])):
        data = b"".join(write(pairs))
        fitting = [form for form in FORMATS if form.fits(data)]
        assert len(fitting) == 1
        assert list(fitting[0].read(io.BytesIO(data), Problems("out"), {}).rows()) == rows
