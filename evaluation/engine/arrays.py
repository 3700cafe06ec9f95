"""Arrays in segments: the names of their types, and sorting within each topic at once.

A segmented array lies topic after topic; `start` is (n_topics + 1,), and topic t owns rows start[t]
… start[t + 1] − 1.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotation.formats.coding import distinct

Ints: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


def starts(topic: NDArray[np.integer], n_topics: int) -> Ints:
    """Where each topic begins, from the topic of each row (in any order)."""
    start = np.zeros(n_topics + 1, np.int64)
    np.bincount(topic, minlength=n_topics).cumsum(out=start[1:])
    return start


def topic_of_row(start: Ints) -> Ints:
    """The topic of each row."""
    return np.arange(start.size - 1).repeat(lengths(start))


def lengths(start: Ints) -> Ints:
    """How many rows each topic has, as `numpy.diff` counts them in three times as long. (n_topics,)"""
    return start[1:] - start[:-1]


def segment_sums(value: Floats | Bools, segment: Ints, n_segments: int) -> Floats:
    """The sum of a value over the rows of each segment, added in their order; float64 also where there are none."""
    return np.bincount(segment, value, n_segments).astype(np.float64, copy=False)


def ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole, and 0 where there is nothing to divide by."""
    return np.divide(part, whole, out=np.zeros(part.size), where=whole > 0)


def by_topic(topic: NDArray[np.integer], n_topics: int) -> Ints | None:
    """The stable order that brings rows topic after topic; None where they lie so already."""
    if (topic[1:] >= topic[:-1]).all():
        return None
    order = np.argsort((topic & 0xFFFF).astype(np.uint16), kind="stable")  # 16 bits are sorted by radix
    if n_topics > 1 << 16:
        order = order[np.argsort((topic[order] >> 16).astype(np.uint16), kind="stable")]
    return order


def sort_within(start: Ints, key: Words | Ints | Floats) -> Ints:
    """Rows ordered by ascending key within their topic; the order of equal keys is unspecified.

    The key's greatest value (infinity, or the largest integer of its type) must not occur.
    """
    if _are_alike(start):
        return (np.argsort(key.reshape(start.size - 1, -1), axis=1) + start[:-1, None]).ravel()
    order = np.arange(key.size)
    for at, real in _tables(start):
        sorted_at = np.argsort(np.where(real, key[at], _greatest(key)), axis=1)
        order[at[real]] = np.take_along_axis(at, sorted_at, axis=1)[real]
    return order


def sorted_within(start: Ints, value: Words) -> Words:
    """The values, ascending within each topic."""
    if _are_alike(start):
        return np.sort(value.reshape(start.size - 1, -1), axis=1).ravel()
    result = value.copy()
    for at, real in _tables(start):
        result[at[real]] = np.sort(np.where(real, value[at], _greatest(value)), axis=1)[real]
    return result


def _are_alike(start: Ints) -> bool:
    """Whether all topics have as many rows."""
    length = lengths(start)
    return bool(length.size and length[0] and (length == length[0]).all())


def _tables(start: Ints, cells: int = 1 << 17) -> Iterator[tuple[Ints, Bools]]:
    """The rows of topics of similar length (up to a factor of two) as tables: `(at, real)`, (n, width) each.

    Many short sorts in the cache instead of one long one. `at` is a row wherever `real`. Topics of one row are left
    out.
    """
    length = lengths(start)
    width = 1 << np.ceil(np.log2(np.maximum(length, 1))).astype(np.int64)
    for wide in distinct(width[length > 1]).tolist():
        topics, step = np.flatnonzero(width == wide), max(1, cells // wide)
        for a in range(0, topics.size, step):
            some = topics[a : a + step]
            deepest = int(length[some].max())
            real = np.arange(deepest) < length[some, None]
            yield np.where(real, start[some, None] + np.arange(deepest), 0), real


def _greatest(key: Words | Ints | Floats) -> float | int:
    return {"f": np.inf, "i": 2**63 - 1, "u": 2**64 - 1}[key.dtype.kind]
