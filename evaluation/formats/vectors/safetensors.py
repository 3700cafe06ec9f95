"""`.safetensors` with one tensor: eight bytes of length, a JSON header, numbers.

https://huggingface.co/docs/safetensors (format)
"""

from pathlib import Path
from typing import Any

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.objects import DECODER
from annotation.formats.problems import Problems
from evaluation.formats.vectors.raw import mapped_rows
from evaluation.formats.vectors.vector_format import (
    VectorFormat,
    VectorTable,
    dimension_fault,
    is_count,
    shown_value,
)

MAX_HEADER = 1 << 20
TYPES = {"F16": ("<f2", 2), "F32": ("<f4", 4), "F64": ("<f8", 8)}


def read_safetensors(path: Path, problems: Problems) -> VectorTable:
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = stream.read(length) if length <= MAX_HEADER else b""
    if len(header) < length <= MAX_HEADER:
        raise problems.stop(0, f"the header has {length} bytes, and the file ends before")
    tensor = _only_tensor(header, problems)
    dtype, shape, (begin, end) = tensor["dtype"], tensor["shape"], tensor["data_offsets"]
    if not isinstance(dtype, str) or dtype not in TYPES:
        raise problems.stop(0, f"numbers of type {shown_value(dtype)}; F16, F32 and F64 are read")
    kind, size = TYPES[dtype]
    if len(shape) != 2:
        raise problems.stop(0, f"the shape is {shown_value(shape)}; rows and dimensions are expected")
    if fault := dimension_fault(shape[1]):
        raise problems.stop(0, fault)
    expected, n_bytes = 8 + length + size * shape[0] * shape[1], path.stat().st_size
    if (begin, 8 + length + end) != (0, expected) and n_bytes == expected:
        raise problems.stop(0, f"data_offsets are {begin} and {end}; 0 and {expected - 8 - length} are expected")
    if n_bytes != expected:
        raise problems.stop(0, f"{shape[0]} × {shape[1]} of {dtype} make {expected} bytes; the file has {n_bytes}")
    return VectorTable(mapped_rows(path, kind, 8 + length, (shape[0], shape[1])), None, numbers=np.dtype(kind).name)


def _only_tensor(header: bytes, problems: Problems) -> dict[str, Any]:
    try:
        value: Any = DECODER.decode(header.decode())
        tensors, notes = dict(value), value.get("__metadata__", {})
        tensors.pop("__metadata__", None)
        if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
            raise ValueError
        for each in tensors.values():
            numbers = [*each["shape"], *each["data_offsets"]]
            if len(each["data_offsets"]) != 2 or not all(map(is_count, numbers)):
                raise ValueError
            each["dtype"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise problems.stop(0, "the header is not that of a .safetensors") from None
    if len(tensors) != 1:
        raise problems.stop(0, f"{len(tensors)} tensors ({shown(', '.join(tensors))}); one is expected")
    return next(iter(tensors.values()))


SAFETENSORS = VectorFormat("safetensors", "safetensors", lambda head: head[8:9] == b"{", read_safetensors)
