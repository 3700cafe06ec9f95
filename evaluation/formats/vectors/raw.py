"""Numbers as they lie in a file: mapped where they are float32, else turned into it, into a file that has no name."""

import tempfile
from pathlib import Path
from typing import IO, Self

import numpy as np
from numpy.typing import NDArray

ROWS = 1 << 16  # turned at a time


class RowFile:
    """Rows of float32 one after the other, on disk: memory does not grow with them, and nothing is left of the file
    when it is closed and the last array that is mapped from it has gone, or the process has died.

    It lies in the folder of `path`, or where temporary files lie if that folder takes none.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file: IO[bytes] = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115 (open until closed)
        except OSError:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self.n_rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def add(self, rows: NDArray[np.float32]) -> None:
        """(n_rows, dim); dim is the same for all."""
        self._file.write(np.ascontiguousarray(rows, np.float32).data)
        self.n_rows += len(rows)

    def mapped(self, dim: int) -> NDArray[np.float32]:
        """All rows, (n_rows, dim)."""
        if not self.n_rows:
            return np.zeros((0, dim), np.float32)
        self._file.flush()
        return np.asarray(np.memmap(self._file, np.float32, mode="r+", shape=(self.n_rows, dim)))


def mapped_rows(path: Path, dtype: str, offset: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """(n_rows, dim). float16 is exact in float32; float64 is rounded to it, and what is too large becomes infinite."""
    if not shape[0]:
        return np.zeros(shape, np.float32)
    stored = np.memmap(path, dtype=dtype, mode="c", offset=offset, shape=shape)
    if stored.dtype == np.float32:
        return np.asarray(stored)
    with RowFile(path) as rows, np.errstate(over="ignore"):
        for a in range(0, shape[0], ROWS):
            rows.add(np.asarray(stored[a : a + ROWS], np.float32))
        return rows.mapped(shape[1])
