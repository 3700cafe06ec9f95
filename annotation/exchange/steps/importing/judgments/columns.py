"""The judgments of a file as columns, and what they come to: pairs, and of each person and pair the revisions."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

import numpy as np

from annotation.formats.outside.rows import OutsideJudgment
from annotation.quality.arrays import Bools, Ints

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_NEVER = -(1 << 62)  # no time is given
_NOT_RECORDED = -1


def _ints() -> "array[int]":
    return array("q")


@dataclass
class JudgmentColumns:
    """One entry a judgment in the order of the file; topics, documents and people are codes into their ids."""

    numbers: dict[str, int] = field(default_factory=dict)  # id -> code, in the order in which they appear
    docnos: dict[str, int] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)
    topic: "array[int]" = field(default_factory=_ints)
    document: "array[int]" = field(default_factory=_ints)
    annotator: "array[int]" = field(default_factory=_ints)
    grade: "array[int]" = field(default_factory=_ints)
    when: "array[int]" = field(default_factory=_ints)  # microseconds since 1970
    wall: "array[int]" = field(default_factory=_ints)  # milliseconds
    active: "array[int]" = field(default_factory=_ints)
    comments: dict[int, str] = field(default_factory=dict)
    evidence: dict[int, tuple[int, int]] = field(default_factory=dict)
    machines: set[str] = field(default_factory=set)  # whom the file itself calls so

    def __len__(self) -> int:
        return len(self.grade)

    def add(self, row: OutsideJudgment) -> None:
        if row.comment:
            self.comments[len(self)] = row.comment
        if row.evidence:
            self.evidence[len(self)] = row.evidence
        if row.is_machine:
            self.machines.add(row.annotator)
        self.topic.append(self.numbers.setdefault(row.number, len(self.numbers)))
        self.document.append(self.docnos.setdefault(row.docno, len(self.docnos)))
        self.annotator.append(self.people.setdefault(row.annotator, len(self.people)))
        self.grade.append(row.grade)
        self.wall.append(_NOT_RECORDED if row.wall_ms is None else row.wall_ms)
        self.active.append(_NOT_RECORDED if row.active_ms is None else row.active_ms)
        self.when.append(_NEVER if row.at is None else (row.at - _EPOCH) // _MICROSECOND)

    def time_of(self, row: int) -> datetime | None:
        when = self.when[row]
        return None if when == _NEVER else _EPOCH + when * _MICROSECOND

    def durations_of(self, row: int) -> tuple[int | None, int | None]:
        """`(active, wall)` in milliseconds, None where the file does not say."""
        active, wall = self.active[row], self.wall[row]
        return (None if active < 0 else active), (None if wall < 0 else wall)

    @cached_property
    def n_timed(self) -> int:
        """How many judgments have a duration. To be asked for once the whole file is read."""
        return int(np.count_nonzero(np.frombuffer(self.wall, dtype=np.int64) >= 0)) if self.wall else 0

    @cached_property
    def tally(self) -> Counter[int]:
        """How many judgments have each grade. To be asked for once the whole file is read."""
        return Counter(self.grade)

    @cached_property
    def meetings(self) -> "Meetings":
        """To be asked for once the whole file is read."""
        topic, document, annotator, when = (
            np.frombuffer(column, dtype=np.int64) for column in (self.topic, self.document, self.annotator, self.when)
        )
        pair_keys, pair = np.unique(topic * max(len(self.docnos), 1) + document, return_inverse=True)
        keys, meeting = np.unique(pair * max(len(self.people), 1) + annotator, return_inverse=True)
        undated = np.bincount(meeting, weights=when == _NEVER, minlength=len(keys)) > 0
        time = np.where(undated[meeting], 0, when)
        turn = _turns(meeting, time, dated=not undated.any())
        order = np.lexsort((time, turn[meeting]))  # stable: else as in the file
        first = np.append(True, np.diff(meeting[order]) != 0)[: len(order)]
        met = keys[meeting[order[first]]]
        return Meetings(
            pair_topic=pair_keys // max(len(self.docnos), 1),
            pair_document=pair_keys % max(len(self.docnos), 1),
            pair=met // max(len(self.people), 1),
            annotator=met % max(len(self.people), 1),
            order=order.astype(np.int64),
            first=first,
        )


def _turns(meeting: Ints, time: Ints, *, dated: bool) -> Ints:
    """(n_meetings,): the place of each by its first judgment, by time where all of the file are dated, else by row."""
    order = np.lexsort((time, meeting))
    _, begin = np.unique(meeting[order], return_index=True)
    head = order[begin]
    if not dated:
        _, head = np.unique(meeting, return_index=True)
    turn = np.empty(len(head), dtype=np.int64)
    turn[np.lexsort((head, time[head])) if dated else np.argsort(head)] = np.arange(len(head))
    return turn


@dataclass(frozen=True, eq=False)
class Meetings:
    """Each person's meeting with a pair, in the order in which they began: by time if all of the file is dated, else
    as in the file, so that what asks for the order of judging (watch, runs of one grade, drift) has the best there is.

    Of several judgments in one meeting the last counts: by their times where all have one, else as in the file.
    """

    pair_topic: Ints  # (n_pairs,)
    pair_document: Ints  # (n_pairs,)
    pair: Ints  # (n_meetings,)
    annotator: Ints  # (n_meetings,)
    order: Ints  # (n_judgments,): rows of the file, meeting by meeting, the last revision last
    first: Bools  # (n_judgments,): where in `order` a meeting begins

    @property
    def n_pairs(self) -> int:
        return len(self.pair_topic)

    @cached_property
    def starts(self) -> list[int]:
        """Where each meeting begins in `order`, and the end of the last one."""
        return [*np.flatnonzero(self.first).tolist(), len(self.order)]
