"""Vectors with their ids as one content-addressed file, mapped into memory where it is used."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from annotation.formats.text import Ints, Text, Words
from evaluation.engine.packed import PackedError, packed_pieces, read_packed

KIND = "touchstone vectors 1"  # another number whenever the same vectors give other bytes


@dataclass(frozen=True, eq=False)
class PackedVectors:
    vector: NDArray[np.float32]  # (n_rows, dim), read-only
    ids: Text  # (n_rows,)

    @property
    def names(self) -> list[str]:
        """The ids as strings: in memory, unlike the rows."""
        return list(self.ids)


def pack_vectors(vector: NDArray[np.float32], ids: list[str]) -> Iterator[bytes | memoryview]:
    """The file piece by piece; `vector` is (n_rows, dim). Equal rows and ids in the same order give equal bytes."""
    n_rows, dim = vector.shape
    text = Text.of(ids)
    yield from packed_pieces(
        KIND,
        {"rows": n_rows, "dim": dim, "words": text.count},
        {
            "vector": np.ascontiguousarray(vector, np.float32).reshape(-1),
            "id": text.word,
            "id_begin": text.begin.astype(np.int64),
        },
    )


def load_vectors(source: Path | bytes) -> PackedVectors:
    """From the file, mapped: only rows that are used are read. Raises `PackedError`."""
    facts, arrays = read_packed(KIND, source)
    try:
        shape = cast("int", facts["rows"]), cast("int", facts["dim"])
        vector = cast("NDArray[np.float32]", arrays["vector"]).reshape(shape)
        ids = Text(cast("Words", arrays["id"]), cast("int", facts["words"]), cast("Ints", arrays["id_begin"]))
    except (KeyError, TypeError, ValueError) as error:
        raise PackedError(f"the file is damaged: {error}") from error
    if vector.dtype != np.float32 or len(ids) != len(vector):
        raise PackedError("the file is damaged: its parts do not fit together")
    return PackedVectors(vector, ids)
