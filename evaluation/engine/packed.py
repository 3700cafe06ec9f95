"""Named arrays as one file whose bytes depend on nothing but their contents, read back without copying.

Layout: a line naming the kind, the length of the header (8 bytes, little-endian), the header (JSON:
facts and, for each array, name, type, shape and position), then the arrays as they lie in memory,
little-endian, each at a multiple of 64 bytes.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Json: TypeAlias = str | int | list[str]
Arrays: TypeAlias = Mapping[str, NDArray[np.generic]]

ALIGN = 64
_TYPES = ("<f8", "<f4", "<u8", "<i8", "<i4", "<u4", "|u1")


class PackedError(ValueError):
    """The bytes are not a packed file of the kind asked for, or are damaged."""


def write_packed(kind: str, facts: Mapping[str, Json], arrays: Arrays) -> bytes:
    """The file as bytes; equal contents give equal bytes. Arrays are one-dimensional, of the types in `_TYPES`."""
    return b"".join(packed_pieces(kind, facts, arrays))


def packed_pieces(kind: str, facts: Mapping[str, Json], arrays: Arrays) -> Iterator[bytes | memoryview]:
    """The file piece by piece, for arrays that should not be in memory twice; the pieces are views of them."""
    entries, pieces, position = [], list[bytes | memoryview](), 0
    for name, array in arrays.items():
        little = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False))
        entries.append({"name": name, "type": little.dtype.str, "size": little.size, "at": position})
        gap = -little.nbytes % ALIGN
        pieces += [little.view(np.uint8).data, bytes(gap)]
        position += little.nbytes + gap
    header = json.dumps({"facts": facts, "arrays": entries}, sort_keys=True, ensure_ascii=True).encode()
    start = b"%b\n" % kind.encode() + len(header).to_bytes(8, "little") + header
    yield start + bytes(-len(start) % ALIGN)
    yield from pieces


def read_packed(kind: str, source: Path | bytes | memoryview) -> tuple[dict[str, Json], dict[str, NDArray[np.generic]]]:
    """`(facts, arrays)`; the arrays are read-only views of the file, mapped into memory, or of the bytes given."""
    raw = _mapped(source) if isinstance(source, Path) else np.frombuffer(source, np.uint8)
    start = b"%b\n" % kind.encode()
    if raw[: len(start)].tobytes() != start:
        raise PackedError(f"not a file of the kind {kind!r}")
    begin = len(start) + 8
    length = int.from_bytes(raw[len(start) : begin].tobytes(), "little")
    if begin + length > raw.size:
        raise PackedError("the file is cut short")
    try:
        header = json.loads(raw[begin : begin + length].tobytes())
        body = raw[begin + length + -(begin + length) % ALIGN :]
        arrays = {entry["name"]: _view(body, entry) for entry in header["arrays"]}
        if sum(array.nbytes + -array.nbytes % ALIGN for array in arrays.values()) != body.size:
            raise ValueError("it is longer or shorter than its arrays")
        return header["facts"], arrays
    except (KeyError, TypeError, ValueError) as error:
        raise PackedError(f"the file is damaged: {error}") from error


def _mapped(path: Path) -> NDArray[np.uint8]:
    return np.memmap(path, np.uint8, mode="r") if path.stat().st_size else np.zeros(0, np.uint8)


def _view(body: NDArray[np.uint8], entry: Mapping[str, str | int]) -> NDArray[np.generic]:
    kind, size, at = str(entry["type"]), int(entry["size"]), int(entry["at"])
    n_bytes = size * np.dtype(kind).itemsize if kind in _TYPES else -1
    if n_bytes < 0 or at < 0 or at % ALIGN or at + n_bytes > body.size:
        raise ValueError(f"the array {entry['name']!r} lies outside the file")
    return body[at : at + n_bytes].view(kind)
