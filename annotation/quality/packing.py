"""Named columns and a JSON header ↔ bytes, deterministic and without pickle.

Layout: the magic line, the header's length as 8 bytes (little end first), the header, then for each
column in the header's order its length as 8 bytes and the array as `np.save` writes it. Nothing in
it depends on time or machine.
"""

import io
import json
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[np.int64] | NDArray[np.bool_]

_ORDER = "_columns"
_LENGTH = 8


def pack(magic: bytes, header: Mapping[str, object], columns: Mapping[str, Column]) -> bytes:
    """`header` must be JSON without floats; columns are int64 or bool and may have one or two axes."""
    head = json.dumps({**header, _ORDER: list(columns)}, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return b"".join([magic, sized(head.encode()), *(sized(_saved(column)) for column in columns.values())])


def unpack(magic: bytes, data: bytes) -> tuple[dict[str, object], dict[str, Column]]:
    """What `pack` took. Raises `ValueError` for anything else, a cut or lengthened file included."""
    if not data.startswith(magic):
        raise ValueError(f"not a file of the kind {magic.decode().strip()!r}")
    stream = io.BytesIO(data[len(magic) :])
    header = json.loads(_piece(stream))
    if not isinstance(header, dict) or not isinstance(header.get(_ORDER), list):
        raise ValueError("the header of the file is damaged")
    columns = {str(name): _loaded(_piece(stream)) for name in header.pop(_ORDER)}
    if stream.read(1):
        raise ValueError("there are bytes after the end of the file's content")
    return header, columns


def sized(piece: bytes) -> bytes:
    """The piece with its length in front."""
    return len(piece).to_bytes(_LENGTH, "little") + piece


def after_size(data: bytes, start: int) -> tuple[bytes, int]:
    """The piece whose length stands at `start`, and where it ends. Of data that is cut short, what there is."""
    begin = start + _LENGTH
    end = begin + int.from_bytes(data[start:begin], "little")
    return data[begin:end], end


def listed(value: object) -> list[Any]:
    """A list of the header. Raises `ValueError` for anything else."""
    if not isinstance(value, list):
        raise ValueError("the header of the file is damaged")
    return value


def _piece(stream: io.BytesIO) -> bytes:
    length = int.from_bytes(stream.read(_LENGTH), "little")
    piece = stream.read(length)
    if not piece or len(piece) < length:
        raise ValueError("the file is cut short")
    return piece


def _saved(column: Column) -> bytes:
    plain = np.ascontiguousarray(column, dtype="|b1" if column.dtype == np.bool_ else "<i8")
    piece = io.BytesIO()
    np.lib.format.write_array(piece, plain, version=(1, 0), allow_pickle=False)
    return piece.getvalue()


def _loaded(piece: bytes) -> Column:
    column = np.load(io.BytesIO(piece), allow_pickle=False)
    if not isinstance(column, np.ndarray) or column.dtype.str not in {"|b1", "<i8"}:
        raise ValueError("a column of the file has an unknown type")
    return column
