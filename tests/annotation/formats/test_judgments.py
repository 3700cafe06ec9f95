"""Raw judgments going out."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TypeAlias

import polars as pl
import pytest

from annotation.formats.judgments import (
    COLUMNS,
    NAMED_COLUMNS,
    JudgmentRow,
    judgments_csv,
    judgments_jsonl,
    judgments_parquet,
)
from annotation.formats.outside import FORMATS
from annotation.formats.problems import Problems

Writer: TypeAlias = Callable[..., Iterator[bytes]]
ROW = JudgmentRow(
    number="301",
    docno="FR940-1",
    annotator="Amber",
    grade=3,
    criterion="relevance",
    batch="first",
    revision=1,
    reading=1,
    counted=True,
    early=False,
    active_ms=8000,
    wall_ms=None,
    comment="",
    evidence_start=None,
    evidence_end=None,
    created_at="2024-05-01T10:00:00+00:00",
    guideline="2",
)


def test_csv_to_the_byte() -> None:
    assert b"".join(judgments_csv([ROW])) == (
        b"number,docno,annotator,grade,criterion,batch,revision,reading,counted,early,active_ms,wall_ms,comment,"
        b"evidence_start,evidence_end,created_at,guideline,kind\r\n"
        b"301,FR940-1,Amber,3,relevance,first,1,1,true,false,8000,,,,,2024-05-01T10:00:00+00:00,2,person\r\n"
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_free_text_cannot_act_as_a_formula(start: str) -> None:
    text = f"{start}1+1"
    row = replace(ROW, comment=text, annotator=text, batch=text, number=text, docno=text)
    cells = dict(
        zip(
            COLUMNS,
            list(csv.reader(io.StringIO(b"".join(judgments_csv([row])).decode(), newline="")))[1],
            strict=True,
        )
    )
    assert (cells["comment"], cells["annotator"], cells["batch"]) == (f"'{text}",) * 3
    assert (cells["number"], cells["docno"]) == (text, text)


def test_a_negative_grade_is_no_free_text() -> None:
    assert b",Amber,-2,relevance," in b"".join(judgments_csv([replace(ROW, grade=-2)]))


def test_comments_survive_csv() -> None:
    comment = 'he said "no", then\nleft; ünïcödé'
    lines = b"".join(judgments_csv([replace(ROW, comment=comment)])).decode()
    assert next(csv.DictReader(io.StringIO(lines, newline="")))["comment"] == comment


def test_jsonl_is_never_altered() -> None:
    row = replace(ROW, comment="=1\n2", annotator="@x")
    line = b"".join(judgments_jsonl([row]))
    assert line.count(b"\n") == 1
    assert json.loads(line) == {name: value for name, value in asdict(row).items() if name != "account"}
    assert tuple(json.loads(line)) == COLUMNS


def test_both_are_streams() -> None:
    def endless() -> Iterator[JudgmentRow]:
        while True:
            yield ROW

    assert next(judgments_jsonl(endless())).startswith(b'{"number":"301"')
    lines = judgments_csv(endless())
    assert [next(lines)[:6], next(lines)[:3]] == [b"number", b"301"]


@pytest.mark.parametrize(("write", "name"), [(judgments_csv, "touchstone-csv"), (judgments_jsonl, "touchstone-jsonl")])
def test_what_went_out_comes_in_the_same(write: Writer, name: str) -> None:
    texts = ["", "=1+1", "'=1", "it's", 'say "no",\nthen left', "ünï\u2028x", "@x"]
    judgments = [
        replace(
            ROW,
            number="=1",
            docno=f"-{n}",
            annotator=text if text and text.isprintable() else "Amber",
            comment=text,
            grade=n,
        )
        for n, text in enumerate(texts)
    ]
    data = b"".join(write([*judgments, replace(ROW, reading=2)]))
    fitting = [form for form in FORMATS if form.fits(data[:65536])]
    assert [form.name for form in fitting] == [name]
    rows = list(fitting[0].read(io.BytesIO(data), Problems("out"), {}))
    assert [(row.number, row.docno, row.annotator, row.grade, row.comment) for row in rows] == [
        (each.number, each.docno, each.annotator, each.grade, each.comment) for each in judgments
    ]
    assert {row.at for row in rows} == {datetime(2024, 5, 1, 10, tzinfo=UTC)}


def test_parquet_has_the_same_columns_with_types() -> None:
    row = replace(ROW, comment="=1\n2", annotator="@x")
    table = pl.read_parquet(io.BytesIO(b"".join(judgments_parquet([row, replace(ROW, counted=False)]))))
    assert tuple(table.columns) == COLUMNS
    first = {name: value for name, value in asdict(row).items() if name != "account"}
    first["created_at"] = datetime(2024, 5, 1, 10, tzinfo=UTC)
    assert table.row(0, named=True) == first
    assert table["counted"].to_list() == [True, False]


@pytest.mark.parametrize("write", [judgments_csv, judgments_jsonl, judgments_parquet])
def test_names_are_in_no_file_that_was_not_asked_for_them(write: Writer) -> None:
    row = replace(ROW, account="quite-a-name")
    assert b"quite-a-name" not in b"".join(write([row]))
    assert b"quite-a-name" in b"".join(write([row], NAMED_COLUMNS))


def test_an_account_is_free_text() -> None:
    assert b"".join(judgments_csv([replace(ROW, account="@home")], NAMED_COLUMNS)).endswith(b",2,person,'@home\r\n")
