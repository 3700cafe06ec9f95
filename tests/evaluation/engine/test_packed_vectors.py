"""Vectors and ids in one file: the same bytes for the same contents, whatever they came as."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.packed import PackedError
from evaluation.engine.packed_vectors import load_vectors, pack_vectors


def packed(vector: np.ndarray, ids: list[str]) -> bytes:
    return b"".join(pack_vectors(vector, ids))


@pytest.mark.parametrize("ids", [["a", "b", "c"], ["é" * 20, "x", "document-3"], ["1", "22", "333"]])
def test_what_is_packed_is_read_back_and_mapped(ids: list[str], tmp_path: Path) -> None:
    vector = np.random.default_rng(0).standard_normal((3, 7)).astype(np.float32)
    path = tmp_path / "v"
    path.write_bytes(packed(vector, ids))
    read = load_vectors(path)
    assert (read.names, read.vector.tolist(), read.vector.flags.writeable) == (ids, vector.tolist(), False)
    assert packed(np.asfortranarray(vector), ids) == path.read_bytes()


def test_the_bytes_stay_as_they_are() -> None:
    data = packed(np.arange(6, dtype=np.float32).reshape(2, 3), ["d1", "d2"])
    assert hashlib.sha256(data).hexdigest() == "f61fd6ba1551118d0cdf70efea3fa5e17156d04d52f380f0ed30e6f2fd69a4df"


@pytest.mark.parametrize("cut", [5, 60, 200])
def test_a_damaged_file_is_refused(cut: int) -> None:
    data = packed(np.ones((4, 3), np.float32), ["a", "b", "c", "d"])
    with pytest.raises(PackedError):
        load_vectors(data[:cut])
