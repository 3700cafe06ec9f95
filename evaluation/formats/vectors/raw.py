"""Numbers as they lie in a file: mapped where they are float32, else turned into it."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROWS = 1 << 16  # turned at a time


def mapped_rows(path: Path, dtype: str, offset: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """(n_rows, dim). float16 is exact in float32; float64 is rounded to it, and what is too large becomes infinite."""
    if not shape[0]:
        return np.zeros(shape, np.float32)
    stored = np.memmap(path, dtype=dtype, mode="c", offset=offset, shape=shape)
    if stored.dtype == np.float32:
        return np.asarray(stored)
    vector = np.empty(shape, np.float32)
    with np.errstate(over="ignore"):
        for a in range(0, shape[0], ROWS):
            vector[a : a + ROWS] = stored[a : a + ROWS]
    return vector
