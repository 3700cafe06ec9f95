"""Rows as Parquet."""

import io
import tempfile
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from annotation.formats.parquet import ROWS, Kind, Row, parquet

COLUMNS: dict[str, Kind] = {
    "docno": "text",
    "grade": "whole",
    "confidence": "decimal",
    "counted": "flag",
    "at": "moment",
}


def read(rows: list[Row]) -> pl.DataFrame:
    return pl.read_parquet(io.BytesIO(b"".join(parquet(rows, COLUMNS))))


def test_values_and_types_read_back() -> None:
    moments = ["2024-05-01T10:00:00+00:00", "2024-05-01T10:00:00.000001+02:00", None]
    rows: list[Row] = [("=1+1", -1, 0.1, True, moments[0]), ("ünï", 2**60, None, None, moments[1]), (None,) * 5]
    table = read(rows)
    assert table.schema == {
        "docno": pl.String,
        "grade": pl.Int64,
        "confidence": pl.Float64,
        "counted": pl.Boolean,
        "at": pl.Datetime("us", "UTC"),
    }
    assert table["at"].to_list() == [
        datetime(2024, 5, 1, 10, tzinfo=UTC),
        datetime(2024, 5, 1, 8, 0, 0, 1, tzinfo=UTC),
        None,
    ]
    assert table.drop("at").rows() == [tuple(row[:4]) for row in rows]


def test_without_rows_there_are_columns() -> None:
    assert (read([]).columns, read([]).height) == (list(COLUMNS), 0)


def test_many_rows_keep_their_order_over_row_groups() -> None:
    n_rows = 2 * ROWS + 1
    table = pl.read_parquet(io.BytesIO(b"".join(parquet(((n,) for n in range(n_rows)), {"n": "whole"}))))
    assert table["n"].to_list() == list(range(n_rows))


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def faulty() -> Iterator[Row]:
        yield from ((str(n),) for n in range(ROWS + 1))
        assert list(tmp_path.iterdir())
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        b"".join(parquet(faulty(), {"docno": "text"}))
    stream = parquet([("a",)], {"docno": "text"})
    assert isinstance(stream, Generator)
    next(stream)
    stream.close()
    b"".join(parquet([("a",)], {"docno": "text"}))
    assert list(tmp_path.iterdir()) == []
