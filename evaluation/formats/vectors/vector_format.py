"""What a form of vectors declares, and what is read from any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotation.formats.fields import shown
from annotation.formats.problems import Problems

ID_NAMES = (
    *("_id", "id", "docno", "doc_id", "document_id", "corpus_id", "docid", "did", "pid"),
    *("number", "query_id", "topic_id", "query_number", "qid"),
)
VECTOR_NAMES = ("vector", "embedding", "embeddings", "vectors", "values", "emb")
MAX_DIM = 1 << 16


@dataclass(frozen=True, eq=False)
class VectorTable:
    """`ids` in the order of the rows; None where the form has none and a file beside it does. `numbers`: of what type
    they stand in the file, float16, float32, float64 or decimal."""

    vector: NDArray[np.float32]  # (n_rows, dim); mapped: from the file where it holds float32, else from one of our own
    ids: list[str] | None
    line: Sequence[int] | None = None  # the line of each row, where the form has lines; else rows are counted from 1
    numbers: str = "float32"


@dataclass(frozen=True)
class VectorFormat:
    """`fits` looks at the first bytes of a file. `read` may leave faults in the problems. `binary`: it is no text."""

    name: str
    title: str
    fits: Callable[[bytes], bool]
    read: Callable[[Path, Problems], VectorTable]
    binary: bool = True


def dimension_fault(dim: int) -> str | None:
    return None if 1 <= dim <= MAX_DIM else f"vectors of {dim} dimensions; 1 to {MAX_DIM} are allowed"


def is_count(number: object) -> bool:
    """Whether a header may give it as a number of rows or bytes: below 2^63, which also keeps messages short."""
    return type(number) is int and 0 <= number < 1 << 63


def shown_value(shape: object) -> str:
    """As a message quotes it. Numbers may be too long for decimal digits, which Python then refuses."""
    try:
        return shown(str(shape))
    except ValueError:
        return "larger than any file"
