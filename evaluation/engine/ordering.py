"""From rows as a file has them to the evaluated order, and the index that finds a document in it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from annotation.formats.coding import distinct
from annotation.formats.text import Text
from annotation.formats.threads import worked_ahead
from evaluation.engine.arrays import Bools, Floats, Ints, Words, sort_within, sorted_within

SPAN = 1 << 17  # rows worked on at a time: few enough for the cache, enough for two threads not to wait in turns

_ONE, _BITS = np.uint64(1), np.uint64(64)


def evaluated_order(start: Ints, score: Floats, docno: Text) -> tuple[Ints | None, Ints, Ints]:
    """`(order, tied, rows)`, from rows that lie topic after topic.

    `order`, (n_rows,), is the row that stands at each place: score descending, then docno descending as bytes. It is
    None where the scores descend already; then only tied rows may change places. `tied` are the places of rows that
    share their score, and `rows` the rows that stand there.
    """
    order = None
    if _borders(start, score[1:] > score[:-1]).any():
        order = _sorted_rows(start, score)
        score = score[order]
    as_before = _borders(start, score[1:] == score[:-1])  # [i]: row i and row i − 1
    tied = np.flatnonzero(as_before[:-1] | as_before[1:])
    group = np.cumsum(~as_before[tied], dtype=np.int64)
    rows = docno.descending(tied if order is None else order[tied], group)
    if order is not None:
        order[tied] = rows
    return order, tied, rows


@dataclass(frozen=True)
class Entry:
    """How an index entry is laid out: the topic, as much of the docno's key as there is room for, the position.

    So the entries of all topics ascend together. Topic and position have as many bits as the run's largest ones need.
    """

    topic_bits: np.uint64
    position_bits: np.uint64

    @classmethod
    def of(cls, start: Ints) -> "Entry":
        longest = int(np.diff(start).max(initial=1))
        return cls(np.uint64(max(1, (start.size - 2).bit_length())), np.uint64((longest - 1).bit_length()))

    def least(self, topic: Ints, key: Words) -> Words:
        """With position 0: the least entry for this topic and key. (n,)"""
        return self.of_topic(topic) | self.of_key(key)

    def of_topic(self, topic: Ints) -> Words:
        return topic.astype(np.uint64) << (_BITS - self.topic_bits)

    def of_key(self, key: Words) -> Words:
        return key >> (self.topic_bits + self.position_bits) << self.position_bits

    def position(self, entry: Words) -> Ints:
        return (entry & ((_ONE << self.position_bits) - _ONE)).astype(np.int64)

    def topic(self, entry: Words) -> Ints:
        return (entry >> (_BITS - self.topic_bits)).astype(np.int64)

    def alike(self, entry: Words, other: Words) -> Bools:
        """Whether topic and key are the same."""
        same: Bools = (entry ^ other) >> self.position_bits == 0
        return same


def key_index(start: Ints, docno: Text) -> Words:
    """For each row an entry of its topic, the key of its docno and its position in the topic, ascending. (n_rows,)"""
    layout = Entry.of(start)
    index = np.empty(int(start[-1]), np.uint64)

    def fill(span: tuple[int, int]) -> None:
        inside = start[span[0] : span[1] + 1]
        low, high = int(inside[0]), int(inside[-1])
        entry = layout.of_key(docno.part(low, high).key())
        entry += np.repeat(layout.of_topic(np.arange(*span)) - inside[:-1].astype(np.uint64), np.diff(inside))
        entry += np.arange(low, high, dtype=np.uint64)
        index[low:high] = sorted_within(inside - low, entry)

    _work(fill, start)
    return index


def _sorted_rows(start: Ints, score: Floats) -> Ints:
    order = np.empty(score.size, np.int64)

    def fill(span: tuple[int, int]) -> None:
        inside = start[span[0] : span[1] + 1]
        low, high = int(inside[0]), int(inside[-1])
        order[low:high] = sort_within(inside - low, -score[low:high]) + low

    _work(fill, start)
    return order


def _borders(start: Ints, flag: Bools) -> Bools:
    """A flag between neighbours as (n_rows + 1,): [i] is that of rows i − 1 and i, and False between topics."""
    is_border = np.zeros(flag.size + 2, bool)
    is_border[1:-1] = flag
    is_border[start] = False
    return is_border


def _work(fill: Callable[[tuple[int, int]], None], start: Ints) -> None:
    """Call `fill(first topic, past the last)` for spans of whole topics, in threads."""
    ends = distinct(np.searchsorted(start, np.arange(0, int(start[-1]) + SPAN, SPAN)))
    ends = np.minimum(ends, start.size - 1)
    spans = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    for _ in worked_ahead(fill, ((a, b) for a, b in spans if a < b)):
        pass
