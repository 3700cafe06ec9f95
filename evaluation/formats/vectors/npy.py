"""`.npy` of numpy, versions 1 to 3: the header is read here, strictly, and nothing is ever unpickled.

https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import ast
from pathlib import Path
from typing import Any

import numpy as np

from annotation.formats.problems import Problems
from evaluation.formats.vectors.raw import mapped_rows
from evaluation.formats.vectors.vector_format import (
    VectorFormat,
    VectorTable,
    dimension_fault,
    is_count,
    shown_value,
)

MAGIC = b"\x93NUMPY"
LENGTH_BYTES = {(1, 0): 2, (2, 0): 4, (3, 0): 4}
MAX_HEADER = 4096
SIZES = {"<f2": 2, "<f4": 4, "<f8": 8}


def read_npy(path: Path, problems: Problems) -> VectorTable:
    with path.open("rb") as stream:
        start = stream.read(8)
        n_bytes = LENGTH_BYTES.get((start[6], start[7])) if len(start) == 8 else None
        if n_bytes is None:
            raise problems.stop(0, "not a .npy of version 1, 2 or 3")
        length = int.from_bytes(stream.read(n_bytes), "little")
        if length > MAX_HEADER:
            raise problems.stop(0, f"the header has {length} bytes, at most {MAX_HEADER} are allowed")
        header = stream.read(length)
    descr, shape = _described(header, length, problems)
    offset = 8 + n_bytes + length
    expected, size = offset + SIZES[descr] * shape[0] * shape[1], path.stat().st_size
    if size != expected:
        raise problems.stop(0, f"{shape[0]} × {shape[1]} of {descr} make {expected} bytes; the file has {size}")
    return VectorTable(mapped_rows(path, descr, offset, shape), None, numbers=np.dtype(descr).name)


def _described(header: bytes, length: int, problems: Problems) -> tuple[str, tuple[int, int]]:
    """`(type, (n_rows, dim))`."""
    if len(header) != length:
        raise problems.stop(0, f"the header has {length} bytes, and the file ends before")
    value = _literal(header)
    if value is None or value.keys() != {"descr", "fortran_order", "shape"}:
        raise problems.stop(0, "the header does not name exactly descr, fortran_order and shape")
    descr, shape = value["descr"], value["shape"]
    if not isinstance(descr, str) or descr not in SIZES:
        raise problems.stop(
            0, f"numbers of type {shown_value(descr)}; float16, float32 and float64 are read (<f2 <f4 <f8)"
        )
    if value["fortran_order"] is True:
        raise problems.stop(0, "columns lie one after the other (fortran_order); rows are read")
    if value["fortran_order"] is not False:
        raise problems.stop(0, "fortran_order is neither True nor False")
    if not isinstance(shape, tuple) or len(shape) != 2 or not all(map(is_count, shape)):
        raise problems.stop(0, f"the shape is {shown_value(shape)}; rows and dimensions are expected")
    if fault := dimension_fault(shape[1]):
        raise problems.stop(0, fault)
    return descr, shape


def _literal(header: bytes) -> dict[Any, Any] | None:
    """A dictionary in which no key stands twice."""
    try:
        tree = ast.parse(header.decode("utf-8").strip(), mode="eval").body
        value = ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(tree, ast.Dict) and len(value) == len(tree.keys) else None


NPY = VectorFormat("npy", "numpy .npy", lambda head: head.startswith(MAGIC), read_npy)
