"""The three kinds of array that this room works with, counting in them, and dividing."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


def distinct(values: Ints) -> Ints:
    """Each value once, ascending. By sorting: `np.unique` hashes, which takes ten times as long for a million keys."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]], dtype=np.int64)


def tally(code: Ints, n: int) -> Ints:
    """(n,): how often each of the codes 0 to n − 1 is there."""
    return np.bincount(code, minlength=n).astype(np.int64)


def crosstab(row: Ints, column: Ints, n_rows: int, n_columns: int) -> Ints:
    """(n_rows, n_columns): how often each row code stands beside each column code."""
    return tally(row * n_columns + column, n_rows * n_columns).reshape(n_rows, n_columns)


def divided(total: Floats | Ints, n: Floats | Ints) -> Floats:
    """total / n, element by element; NaN where n is 0."""
    some = np.asarray(n) > 0
    return np.asarray(np.where(some, total / np.where(some, n, 1), np.nan))


def or_none(value: float | np.floating[Any]) -> float | None:
    """The number; None for NaN."""
    return None if np.isnan(value) else float(value)


def frozen_column(values: object, dtype: type[np.generic], name: str, length: int | None = None) -> NDArray[np.generic]:
    """A read-only copy of `values` as one column; `values` themselves where nobody can change them any more.

    Raises `ValueError` for another shape or for values that `dtype` cannot hold.
    """
    array = np.asarray(values)
    if array.ndim != 1 or (length is not None and len(array) != length):
        wanted = "" if length is None else f" of length {length}"
        raise ValueError(f"{name} must be one column{wanted}, not of shape {array.shape}")
    if array.size and not np.can_cast(array.dtype, dtype, casting="safe"):
        raise ValueError(f"{name} holds {array.dtype}, {np.dtype(dtype)} expected")
    if array.dtype == dtype and array.base is None and not array.flags.writeable:
        return array
    column = array.astype(dtype)
    column.setflags(write=False)
    return column
