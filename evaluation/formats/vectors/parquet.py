"""Parquet with a column of ids and a column of lists of numbers."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from annotation.formats.problems import Problems
from evaluation.formats.vectors.vector_format import ID_NAMES, VECTOR_NAMES, VectorFormat, VectorTable, dimension_fault

if TYPE_CHECKING:
    import polars

FAULTS = 20  # rows named of those of another length


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
        table = pl.read_parquet(path, columns=[name for name in names if name])
    except pl.exceptions.PolarsError as fault:
        raise problems.stop(0, f"not a Parquet file that can be read: {str(fault).splitlines()[0]}") from fault
    ids, lists = (table[str(name)] for name in names)
    if not isinstance(lists.dtype, (pl.List, pl.Array)) or not lists.dtype.inner.is_float():
        raise problems.stop(0, f"the column {lists.name} holds {lists.dtype}; lists of decimal numbers are expected")
    return _table(ids, lists.cast(pl.List(lists.dtype.inner)), problems)


def _table(ids: "polars.Series", lists: "polars.Series", problems: Problems) -> VectorTable:
    import polars as pl  # noqa: PLC0415

    length = lists.list.len().fill_null(0).to_numpy()
    dim = int(length[0]) if len(length) else 1
    if fault := dimension_fault(dim):
        raise problems.stop(1, fault)
    for row in np.nonzero(length != dim)[0][:FAULTS]:
        problems.add(int(row) + 1, f"{length[row]} dimensions; the first row has {dim}")
    problems.check()
    with np.errstate(over="ignore"):
        vector = lists.explode().cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float32)
    numbers = str(lists.dtype.inner).lower()  # type: ignore[attr-defined]
    names = ["" if one is None else str(one) for one in ids.to_list()]
    return VectorTable(vector.reshape(-1, dim), names, numbers=numbers)


PARQUET = VectorFormat("parquet", "Parquet", lambda head: head.startswith(b"PAR1"), read_parquet)
