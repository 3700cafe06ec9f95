"""JSONL: an object a line with an id and a list of numbers."""

import math
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.formats.objects import Json, read_objects
from annotation.formats.problems import Problems
from evaluation.formats.vectors.raw import RowFile
from evaluation.formats.vectors.vector_format import ID_NAMES, VECTOR_NAMES, VectorFormat, VectorTable, dimension_fault


def read_jsonl(path: Path, problems: Problems) -> VectorTable:
    """Rows go to disk as they are read."""
    ids, lines, dim = list[str](), array("q"), 0
    with path.open("rb") as stream, RowFile(path) as rows:
        for line, name, row in _rows(read_objects(stream, problems), problems):
            ids.append(name)
            lines.append(line)
            dim = dim or len(row)
            if len(row) != dim:
                problems.add(line, f"{len(row)} dimensions; line {lines[0]} has {dim}")
            elif not problems:
                rows.add(row[None])
        problems.check()
        return VectorTable(rows.mapped(dim or 1), ids, lines, "decimal")


def _rows(
    objects: Iterator[tuple[int, dict[str, Json]]], problems: Problems
) -> Iterator[tuple[int, str, NDArray[np.float32]]]:
    for line, each in objects:
        name, numbers = (next((each[key] for key in keys if key in each), None) for keys in (ID_NAMES, VECTOR_NAMES))
        if fault := _fault(name, numbers):
            problems.add(line, fault)
            continue
        with np.errstate(over="ignore"):
            yield line, str(name), np.array(numbers, np.float64).astype(np.float32)


def _fault(name: Json, numbers: Json) -> str | None:
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        return f"no id: one of {', '.join(ID_NAMES[:4])} … is expected, text or a whole number"
    if not isinstance(numbers, list):
        return f"no vector: a list under one of {', '.join(VECTOR_NAMES[:3])} … is expected"
    for number, one in enumerate(numbers, 1):
        if type(one) not in (int, float) or not math.isfinite(_as_float(one)):
            return f"number {number} of the vector is not a finite number"
    return dimension_fault(len(numbers))


def _as_float(one: Json) -> float:
    try:
        return float(one)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf


JSONL = VectorFormat(
    "jsonl",
    "JSONL",
    lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b"\0" not in head,  # of a safetensors' length
    read_jsonl,
    binary=False,
)
