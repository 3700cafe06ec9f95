"""Parquet with a column of ids and a column of lists of numbers."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotation.formats.problems import Problems
from evaluation.formats.vectors.raw import RowFile
from evaluation.formats.vectors.vector_format import ID_NAMES, VECTOR_NAMES, VectorFormat, VectorTable, dimension_fault

if TYPE_CHECKING:
    import polars

FAULTS = 20  # rows named of those of another length in a batch
ROWS = 1 << 14  # of a batch


def read_parquet(path: Path, problems: Problems) -> VectorTable:
    """Loads polars, which takes a fifth of a second the first time."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    try:
        schema = pl.read_parquet_schema(path)
        names = [next((name for name in wanted if name in schema), None) for wanted in (ID_NAMES, VECTOR_NAMES)]
        if None in names:
            columns = ", ".join(schema)
            raise problems.stop(
                0, f"a column of ids ({ID_NAMES[1]} …) and one of vectors ({VECTOR_NAMES[0]} …); there are {columns}"
            )
        id_name, vector_name = (str(name) for name in names)
        id_kind, kind = schema[id_name], schema[vector_name]
        if id_kind != pl.String and not id_kind.is_integer():
            raise problems.stop(0, f"the column {id_name} holds {id_kind}; text or whole numbers are expected")
        if not isinstance(kind, (pl.List, pl.Array)) or not kind.inner.is_float():
            raise problems.stop(0, f"the column {vector_name} holds {kind}; lists of decimal numbers are expected")
        query = pl.scan_parquet(path).select(
            pl.col(id_name).cast(pl.String), pl.col(vector_name).cast(pl.List(kind.inner))
        )
        numbers = str(kind.inner).lower()
        return _table(query.collect_batches(chunk_size=ROWS), path, numbers, problems)
    except pl.exceptions.PolarsError as fault:
        raise problems.stop(0, f"not a Parquet file that can be read: {str(fault).splitlines()[0]}") from fault


def _table(batches: "Iterator[polars.DataFrame]", path: Path, numbers: str, problems: Problems) -> VectorTable:
    """Of batches in their order; the first row says how long all are."""
    import polars as pl  # noqa: PLC0415

    ids, rows, dim, n_rows = list[str](), RowFile(path), 0, 0
    for batch in batches:
        names, lists = batch.get_columns()
        length = lists.list.len().fill_null(0).to_numpy()
        if not n_rows and len(batch):
            dim = int(length[0])
            if fault := dimension_fault(dim):
                raise problems.stop(1, fault)
        for row in np.nonzero(length != dim)[0][:FAULTS]:
            problems.add(n_rows + int(row) + 1, f"{length[row]} dimensions; the first row has {dim}")
        n_rows += len(batch)
        ids += ["" if one is None else one for one in names.to_list()]
        if not problems:
            with np.errstate(over="ignore"):
                vector = lists.explode().cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float32)
            rows.add(vector.reshape(-1, dim))
    problems.check()
    return VectorTable(rows.mapped(dim or 1), ids, numbers=numbers)


PARQUET = VectorFormat("parquet", "Parquet", lambda head: head.startswith(b"PAR1"), read_parquet)
