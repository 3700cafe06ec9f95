"""Parquet with a column of ids and a column of lists of numbers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from evaluation.formats.parquet_batches import parquet_batches, parquet_kinds
from evaluation.formats.vectors.raw import RowFile
from evaluation.formats.vectors.vector_format import ID_NAMES, VECTOR_NAMES, VectorFormat, VectorTable, dimension_fault

if TYPE_CHECKING:
    import polars
    from numpy.typing import NDArray

    from evaluation.engine.arrays import Ints

FAULTS = 20  # rows named of those of another length in a batch
ROWS = 1 << 14  # of a batch


def read_parquet(path: Path, problems: Problems) -> VectorTable:
    """Loads polars, which takes a fifth of a second the first time."""
    kinds = parquet_kinds(path, problems)
    id_name, vector_name = (next((name for name in wanted if name in kinds), "") for wanted in (ID_NAMES, VECTOR_NAMES))
    if not id_name or not vector_name:
        there = ", ".join(map(shown, list(kinds)[:20]))
        raise problems.stop(
            0, f"a column of ids ({ID_NAMES[1]} …) and one of vectors ({VECTOR_NAMES[0]} …); there are {there}"
        )
    numbers = _numbers(kinds, id_name, vector_name, problems)
    return _table(parquet_batches(path, (id_name, vector_name), ROWS, problems), path, numbers, problems)


def _numbers(kinds: "dict[str, polars.DataType]", id_name: str, vector_name: str, problems: Problems) -> str:
    """Of what type they are."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    id_kind, kind = kinds[id_name], kinds[vector_name]
    if id_kind != pl.String and not id_kind.is_integer():
        raise problems.stop(0, f"the column {id_name} holds {id_kind}; text or whole numbers are expected")
    if not isinstance(kind, (pl.List, pl.Array)) or not kind.inner.is_float():
        raise problems.stop(0, f"the column {vector_name} holds {kind}; lists of decimal numbers are expected")
    return str(kind.inner).lower()


def _table(batches: "Iterator[polars.DataFrame]", path: Path, numbers: str, problems: Problems) -> VectorTable:
    """Of batches in their order; the first row says how long all are."""
    ids, dim = list[str](), 0
    with RowFile(path) as rows:
        for batch in batches:
            names, vector, length = _columns(batch)
            dim = dim or _first_dim(length, problems)
            for row in np.nonzero(length != dim)[0][:FAULTS]:
                problems.add(len(ids) + int(row) + 1, f"{length[row]} dimensions; the first row has {dim}")
            ids += names
            if not problems:
                rows.add(vector.reshape(-1, dim))
        problems.check()
        return VectorTable(rows.mapped(dim or 1), ids, numbers=numbers)


def _columns(batch: "polars.DataFrame") -> "tuple[list[str], NDArray[np.float32], Ints]":
    """`(ids, numbers one after the other, how many each row has)`; an id that is missing is empty."""
    import polars as pl  # noqa: PLC0415

    names, lists = batch.get_columns()
    lists = lists.cast(pl.List(pl.Float64))
    with np.errstate(over="ignore"):
        vector = lists.explode().fill_null(np.nan).to_numpy().astype(np.float32)
    return names.cast(pl.String).fill_null("").to_list(), vector, lists.list.len().fill_null(0).to_numpy()


def _first_dim(length: "Ints", problems: Problems) -> int:
    if not len(length):
        return 0
    if fault := dimension_fault(int(length[0])):
        raise problems.stop(1, fault)
    return int(length[0])


PARQUET = VectorFormat("parquet", "Parquet", lambda head: head.startswith(b"PAR1"), read_parquet)
