"""A run as the scorer reads it: ties resolved once, at import, and an index that finds a document at once.

Rows lie topic after topic (topic numbers in byte order), within a topic in evaluated order: score
(float64) descending, then docno descending as bytes, as trec_eval does. Beside them, for each
topic, the keys of its docnos in ascending order with the position of each: looking up a judged pair
is one bounded binary search and never touches unjudged rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from annotation.formats.coding import distinct, same_pairs
from annotation.formats.text import Text
from annotation.formats.threads import worked_ahead
from evaluation.engine.arrays import (
    Bools,
    Floats,
    Ints,
    Words,
    by_topic,
)
from evaluation.engine.ordering import SPAN, Entry, evaluated_order, key_index
from evaluation.engine.packed import PackedError, read_packed, write_packed

KIND = "touchstone run 3"  # another number whenever the same rows give other bytes
PIECE = 1 << 15  # index entries compared at a time: few enough for the cache
FEW = 32  # rows a group below which rows are sorted one by one


@dataclass(frozen=True, eq=False)
class RunPart:
    """Some of the rows of a run, in file order. Rows of one topic that stand together are a group."""

    group: NDArray[np.int32]  # (n_groups,) the topic of each; indexes the run's numbers
    length: Ints  # (n_groups,) rows of each
    docno: Text  # n_rows strings
    score: Floats  # (n_rows,)


@dataclass(frozen=True, eq=False)
class RunTable:
    """A run as it was read: rows in file order, in columns, as the parts they were read in.

    `numbers` are the topic numbers in byte order. No docno occurs twice in a topic; a table from a parser has been
    checked, and `packed` relies on it. Scores are finite. The tag is empty where the file names none.
    """

    tag: str
    numbers: tuple[str, ...]
    parts: tuple[RunPart, ...]

    def __len__(self) -> int:
        return sum(part.score.size for part in self.parts)

    @cached_property
    def group(self) -> NDArray[np.int32]:
        return np.concatenate([part.group for part in self.parts])

    @cached_property
    def length(self) -> Ints:
        return np.concatenate([part.length for part in self.parts])

    @cached_property
    def topic(self) -> NDArray[np.int32]:
        """The topic of each row, (n_rows,); indexes `numbers`."""
        return np.repeat(self.group, self.length)

    @cached_property
    def docno(self) -> Text:
        return Text.concat([part.docno for part in self.parts])

    @cached_property
    def score(self) -> Floats:
        return np.concatenate([part.score for part in self.parts])

    @cached_property
    def start(self) -> Ints:
        n_rows = np.bincount(self.group, weights=self.length, minlength=len(self.numbers))
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(n_rows).astype(np.int64)])

    @cached_property
    def packed(self) -> "PackedRun":
        """The run in evaluated order, with its index."""
        docno, score = self._by_topic()
        order, tied, rows = evaluated_order(self.start, score, docno)
        if order is not None:
            docno, score = docno.take(order), score[order]
        else:
            docno = docno.replaced(tied, rows)
        score += 0.0  # −0 becomes 0
        topic = np.searchsorted(self.start, tied, side="right") - 1
        place = (rows - self.start[topic]).astype(np.int32)
        index = key_index(self.start, docno)
        return PackedRun(self.tag, self.numbers, tied.size, self.start, score, docno, index, place)

    def _by_topic(self) -> tuple[Text, Floats]:
        """Docnos and scores topic after topic, within a topic as the file has them; newly made."""
        if self.group.size * FEW > len(self):
            order = by_topic(self.topic, len(self.numbers))
            if order is not None:
                return self.docno.take(order), self.score[order]
        count = {part.docno.count for part in self.parts if len(part.docno)}
        to = _moved_to(self.length, self.group)
        if len(count) == 1 and 0 not in count:
            return self._moved(to, count.pop())
        row = np.empty(len(self), np.int64)
        row[_rows_from(to, self.length)] = np.arange(len(self))
        return self.docno.take(row), self.score[row]

    def _moved(self, to: Ints, count: int) -> tuple[Text, Floats]:
        """As `_by_topic`, part by part; `to` is where each group goes. All docnos have `count` words."""
        word, score = np.empty((len(self), count), np.uint64), np.empty(len(self))

        def move(item: tuple[RunPart, Ints]) -> None:
            part, part_to = item
            rows = _rows_from(part_to, part.length)
            for j in range(count):
                word[:, j][rows] = part.docno.word[j::count]
            score[rows] = part.score

        ends = np.cumsum([part.length.size for part in self.parts])
        for _ in worked_ahead(move, zip(self.parts, np.split(to, ends[:-1]), strict=True)):
            pass
        return Text(word.ravel(), count, np.zeros(0, np.int64)), score

    def repeats(self) -> list[tuple[int, int]]:
        """`(first row, row)` for each row whose docno occurred before in its topic."""
        run = self.packed
        suspects = run.sharing_keys()
        if not suspects.size:
            return []
        alike = np.isin(self.docno.key(), run.docno.take(suspects).key())
        return same_pairs(self.topic, self.docno, np.flatnonzero(alike))


def _moved_to(length: Ints, group: NDArray[np.integer]) -> Ints:
    """The first row of each group once they lie by topic, those of one topic in the order of the file. (n_groups,)"""
    order = np.argsort(group, kind="stable")
    to = np.empty_like(length)
    to[order] = np.cumsum(length[order]) - length[order]
    return to


def _rows_from(to: Ints, length: Ints) -> Ints:
    """Consecutive rows for each group, `length` many from `to` on. (n_rows,)"""
    rows: Ints = np.repeat(to - (np.cumsum(length) - length), length)
    rows += np.arange(rows.size)
    return rows


@dataclass(frozen=True, eq=False)
class PackedRun:
    """See the module. `n_tied` counts the rows that share their score with another row of their topic."""

    tag: str
    numbers: tuple[str, ...] = field(repr=False)
    n_tied: int
    start: Ints = field(repr=False)  # (n_topics + 1,)
    score: Floats = field(repr=False)  # (n_rows,) in evaluated order
    docno: Text = field(repr=False)  # n_rows strings in evaluated order
    index: Words = field(repr=False)  # (n_rows,) ascending within each topic: key of a docno, its position in the topic
    place: NDArray[np.int32] = field(repr=False)  # (n_tied,) tied rows' index among their topic's rows in the file

    @property
    def n_rows(self) -> int:
        return self.score.size

    @property
    def n_topics(self) -> int:
        return len(self.numbers)

    def find(self, topic: Ints, docno: Text, key: Words) -> Ints:
        """The row of each pair (topic[i], docno[i]), or −1; `key` is docno's key. `topic` indexes `numbers`.

        Fastest where topics, and keys within a topic, ascend. Many pairs are looked up in threads.
        """

        def rows_from(a: int) -> Ints:
            return self._find(topic[a : a + SPAN], docno.part(a, min(a + SPAN, topic.size)), key[a : a + SPAN])

        parts = [rows for _, rows in worked_ahead(rows_from, range(0, topic.size, SPAN))]
        return np.concatenate(parts or [np.zeros(0, np.int64)])

    def _find(self, topic: Ints, docno: Text, key: Words) -> Ints:
        layout = Entry.of(self.start)
        target = layout.least(topic, key)
        at = np.searchsorted(self.index, target)
        result = np.full(topic.size, -1, np.int64)
        open_ = np.arange(topic.size)
        while open_.size:  # once, and again for each further row of an equal key
            entry = self.index[np.minimum(at, self.n_rows - 1)]
            alike = np.flatnonzero(layout.alike(entry, target) & (at < self.n_rows))
            open_, at, target = open_[alike], at[alike] + 1, target[alike]
            row = self.start[topic[open_]] + layout.position(entry[alike])
            same = self.docno.same(row, docno, open_)
            result[open_[same]] = row[same]
            open_, at, target = open_[~same], at[~same], target[~same]
        return result

    def sharing_keys(self) -> Ints:
        """The rows, ascending, whose docno shares its key with another of the topic: equal, or alike by chance."""
        layout = Entry.of(self.start)
        pieces = [self.index[a : a + PIECE + 1] for a in range(0, self.n_rows, PIECE)]
        alike = (a * PIECE + np.flatnonzero(layout.alike(piece[1:], piece[:-1])) for a, piece in enumerate(pieces))
        second = np.concatenate(list(alike)) + 1
        entry = self.index[distinct(np.concatenate([second, second - 1]))]
        return np.sort(self.start[layout.topic(entry)] + layout.position(entry))

    def is_tied(self, row: Ints, precision: type[np.floating] = np.float64) -> Bools:
        """Whether each row shares its score, rounded to a precision, with another row of its topic."""
        score = rounded(precision, self.score[row])
        as_before = score == rounded(precision, self.score[row - 1])  # of row 0 it means nothing
        as_after = score == rounded(precision, self.score[np.minimum(row + 1, self.n_rows - 1)])
        return self._within(row, as_before) | self._within(row + 1, as_after)

    def _within(self, row: Ints, alike: Bools) -> Bools:
        """What holds between each row and the one before, and False where the row begins a topic."""
        some = alike.nonzero()[0]
        begins = self.start[self.start.searchsorted(row[some])] == row[some]
        alike[some[begins]] = False
        return alike


def rounded(precision: type[np.floating], score: Floats) -> NDArray[np.floating]:
    """1e39 is infinite as float32, to trec_eval 9 too."""
    if precision is np.float64:
        return score
    with np.errstate(over="ignore"):
        return score.astype(precision)


def pack_run(table: RunTable, *, tag: str | None = None) -> bytes:
    """The run as a file: equal runs (topics, docnos, scores, tag) give equal bytes. `tag` replaces the table's.

    The order of the lines is no part of a run, except that tied rows remember theirs.
    """
    run = table.packed
    return write_packed(
        KIND,
        {"tag": tag or run.tag, "numbers": list(run.numbers), "n_tied": run.n_tied, "words": run.docno.count},
        {
            "start": run.start,
            "score": run.score,
            "docno": run.docno.word,
            "docno_begin": run.docno.begin.astype(np.int64),
            "index": run.index,
            "place": run.place,
        },
    )


def load_run(source: Path | bytes | memoryview) -> PackedRun:
    """A packed run, from its file (mapped: only what is used is read) or its bytes. Raises `PackedError`."""
    facts, arrays = read_packed(KIND, source)
    try:
        run = PackedRun(
            tag=str(facts["tag"]),
            numbers=tuple(cast("list[str]", facts["numbers"])),
            n_tied=cast("int", facts["n_tied"]),
            start=cast("Ints", arrays["start"]),
            score=cast("Floats", arrays["score"]),
            docno=Text(
                cast("Words", arrays["docno"]), cast("int", facts["words"]), cast("Ints", arrays["docno_begin"])
            ),
            index=cast("Words", arrays["index"]),
            place=cast("NDArray[np.int32]", arrays["place"]),
        )
    except KeyError as error:
        raise PackedError(f"the file is damaged: {error} is missing") from error
    _check(run)
    return run


def to_trec(run: PackedRun) -> Iterator[bytes]:
    """The run as TREC lines, a piece a topic, in evaluated order with ranks from 1.

    A score is written as the shortest text that reads back as the same float64. A topic number that starts with `#`
    gets a blank in front of it, or its lines would be comments.
    """
    tag = run.tag.encode()
    for t, number in enumerate(run.numbers):
        a, b = int(run.start[t]), int(run.start[t + 1])
        docnos, name = run.docno.take(np.arange(a, b)), (" " * number.startswith("#") + number).encode()
        rows = zip(docnos, run.score[a:b].tolist(), strict=True)
        yield b"".join(b"%b Q0 %b %d %r %b\n" % (name, d.encode(), i, s, tag) for i, (d, s) in enumerate(rows, 1))


def _check(run: PackedRun) -> None:
    """What a damaged file would break silently."""
    n = run.n_rows
    aligned = len(run.docno) == run.index.size == n and run.place.size == run.n_tied
    whole = run.start.size - 1 == run.n_topics and run.start[0] == 0 and run.start[-1] == n
    if not (aligned and whole and (np.diff(run.start) > 0).all()):
        raise PackedError("the file is damaged: its parts do not fit together")
    if not run.docno.is_whole():
        raise PackedError("the file is damaged: its docnos are incomplete")
