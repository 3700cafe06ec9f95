"""The rows that measures compute on, moved to where they compute."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evaluation.engine.arrays import Floats, Ints, lengths, topic_of_row
from evaluation.engine.backend import Backend
from evaluation.engine.lookup import Lookup

WIDE = 1024  # from so many grades on, a table of all of them costs more than looking up those that occur


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows topic after topic, on the device; ranks and grades also as numbers of a table (see `by_rank`)."""

    topic: Ints  # (n_rows,)
    rank: Floats  # (n_rows,) from 1
    grade: Floats  # (n_rows,)
    start: Ints  # (n_topics + 1,) the first row of each topic
    n_rows: int
    longest: int  # rows of the longest topic
    deepest: int  # the greatest rank
    rank_index: Ints  # (n_rows,)
    grade_index: Ints  # (n_rows,) into the levels

    @cached_property
    def begin(self) -> Ints:
        """The first row of the same topic. (n_rows,)"""
        return self.start[self.topic]


@dataclass(frozen=True, eq=False)
class AveragedTies:
    """The documents of one grade in a tied group stand at every rank of the group, in equal parts. All (n_found,)."""

    alike: Floats  # documents that the row stands for
    share: Floats  # of them that is at this rank
    first: Ints  # the first row of the group
    last: Ints  # its last row
    begin: Ints  # the first row of the same documents
    size: Floats  # documents of the group, found or not
    above: Floats  # ranks of the group above this one
    others_above: Floats  # of the other documents of the group, the part that is expected above this rank


def scan(
    rows: Rows,
    value: Floats,
    combine: Callable[[Floats, Floats], Floats],
    backend: Backend,
    begin: Ints | None = None,
) -> Floats:
    """Hillis and Steele's scan within each topic, or from other first rows on. (n_rows,)

    It takes log2(longest topic) steps, each on all rows at once.
    """
    begin, step = rows.begin if begin is None else begin, 1
    while step < rows.longest:
        back = backend.back(rows.n_rows, step)
        value = backend.where(back >= begin, combine(value[back], value), value)
        step *= 2
    return value


def previous(rows: Rows, value: Floats, first: float, backend: Backend) -> Floats:
    """The value of the row above in the same topic, `first` for a topic's first row. (n_rows,)"""
    back = backend.back(rows.n_rows, 1)
    return backend.where(back >= rows.begin, value[back], first)


def rows_of(start: Ints, topic: Ints, rank: Ints, grade: Ints, *, levels: Ints, backend: Backend) -> Rows:
    return Rows(
        topic=backend.put_index(topic),
        rank=backend.put(rank.astype(np.float64)),
        grade=backend.put(grade.astype(np.float64)),
        start=backend.put_index(start),
        n_rows=topic.size,
        longest=int(lengths(start).max(initial=0)),
        deepest=int(rank.max(initial=0)),
        rank_index=backend.put_index(rank),
        grade_index=backend.put_index(grade - levels[0] if _is_dense(levels) else np.searchsorted(levels, grade)),
    )


def averaged_ties(lookup: Lookup, backend: Backend) -> AveragedTies:
    """Of a lookup under averaged ties."""
    assert lookup.size is not None
    assert lookup.above is not None
    assert lookup.alike is not None
    first_rank = lookup.rank - lookup.above
    new = np.ones(lookup.topic.size, bool)
    new[1:] = (lookup.topic[1:] != lookup.topic[:-1]) | (first_rank[1:] != first_rank[:-1])
    start = np.append(np.flatnonzero(new), lookup.topic.size)
    of_group = topic_of_row(start)
    return AveragedTies(
        alike=backend.put(lookup.alike.astype(np.float64)),
        share=backend.put(lookup.alike / lookup.size),
        first=backend.put_index(start[of_group]),
        last=backend.put_index(start[of_group + 1] - 1),
        begin=backend.put_index(np.arange(lookup.topic.size) - lookup.above),
        size=backend.put(lookup.size.astype(np.float64)),
        above=backend.put(lookup.above.astype(np.float64)),
        others_above=backend.put(lookup.above / np.maximum(lookup.size - 1, 1)),
    )


def levels_of(ideal: Ints, grade: Ints) -> Ints:
    """All grades from the lowest to the highest; where these lie far apart (they may be ±10⁹), those that occur."""
    low, high = int(ideal.min(initial=0)), int(ideal.max(initial=0))
    return np.arange(low, high + 1) if high - low < WIDE else np.unique(np.concatenate([ideal, grade, [0]]))


def _is_dense(levels: Ints) -> bool:
    return int(levels[-1] - levels[0]) == levels.size - 1
