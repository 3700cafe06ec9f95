"""Rows → Parquet, in row groups, with as much memory as a few of them take.

polars writes whole tables; so the rows go to small files in a folder of their own, one a row group,
and from there into the file that is given out. Folder and file are gone once the last piece was
taken, or nobody takes any more.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import polars

Kind: TypeAlias = Literal["text", "whole", "decimal", "flag", "moment"]
Row: TypeAlias = Sequence[str | int | float | bool | None]

ROWS = 50_000  # of a row group
CHUNK = 1 << 18  # bytes handed on at a time
_MOMENT = "%Y-%m-%dT%H:%M:%S%.f%:z"


def parquet(rows: Iterable[Row], columns: Mapping[str, Kind]) -> Iterator[bytes]:
    """The file in pieces; `rows` have the columns in this order, and None where there is no value.

    A moment is ISO 8601 text with its offset, and becomes a UTC time in microseconds. Without rows there are columns
    all the same. Loads polars, which takes a fifth of a second the first time.
    """
    with tempfile.TemporaryFile() as out:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            _write(rows, columns, Path(folder), out)
        out.seek(0)
        while piece := out.read(CHUNK):
            yield piece


def _write(rows: Iterable[Row], columns: Mapping[str, Kind], folder: Path, out: IO[bytes]) -> None:
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    parts = list[Path]()
    for n, group in enumerate(_groups(rows)):
        parts.append(folder / str(n))
        _table(group, columns).write_parquet(parts[-1], compression="lz4")
    pl.scan_parquet(parts, glob=False).sink_parquet(out, row_group_size=ROWS, compression="zstd", engine="streaming")


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """At least one, be it empty."""
    each = iter(rows)
    yield list(islice(each, ROWS))
    for first in each:
        yield list(islice(chain([first], each), ROWS))


def _table(rows: Sequence[Row], columns: Mapping[str, Kind]) -> "polars.DataFrame":
    import polars as pl  # noqa: PLC0415

    types = {"text": pl.String, "whole": pl.Int64, "decimal": pl.Float64, "flag": pl.Boolean, "moment": pl.String}
    schema = {name: types[kind] for name, kind in columns.items()}
    moments = [name for name, kind in columns.items() if kind == "moment"]
    in_utc = pl.col(moments).str.to_datetime(_MOMENT, time_unit="us", time_zone="UTC")
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(in_utc)
