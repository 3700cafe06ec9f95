"""Where the watch stands with each person."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.inputs import Inputs
from annotation.quality.trust.critical import critical_errors
from annotation.quality.trust.pauses import pause_threshold
from annotation.quality.trust.settings import WatchSettings


class Watched(IntEnum):
    """What the watch says of a person. What follows from it is for people to decide."""

    WATCHING = 0  # too little gold yet to tell
    CLEARED = 1  # and not paused since
    STOPPED = 2  # before clearing
    PAUSED = 3  # after clearing


@dataclass(frozen=True)
class Watch:
    """Of one person. What comes after the end, stopped or paused, changes nothing but the two numbers."""

    state: Watched
    n_gold: int
    n_critical: int
    cleared_after: int | None = None  # golds
    ended_after: int | None = None  # golds, from the very first one

    @property
    def ended(self) -> bool:
        return self.ended_after is not None


def watch_people(inputs: Inputs, settings: WatchSettings, moment: Ints | None = None) -> list[Watch]:
    """One entry an annotator, in the order of the table's annotators. `moment`: see `critical_errors`."""
    row, critical = critical_errors(inputs, moment)
    person = inputs.table.annotator[row]
    order = np.argsort(person, kind="stable")
    ends = np.cumsum(np.bincount(person, minlength=len(inputs.table.annotators)))
    return [watch_of(each, settings) for each in np.split(critical[order], ends[:-1])] if len(ends) else []


def watch_of(critical: Bools, settings: WatchSettings) -> Watch:
    """`critical`: (n,), one entry a gold judged, in their order. As `exits` walks: from 0, bounds included."""
    n, n_critical = len(critical), int(critical.sum())
    wrong = np.cumsum(critical)
    score = wrong * settings.rise - (np.arange(1, n + 1) - wrong) * settings.fall
    stopped, cleared = _first(score >= settings.stop_at), _first(score <= settings.clear_at)
    if cleared is None or (stopped is not None and stopped < cleared):
        state = Watched.WATCHING if stopped is None else Watched.STOPPED
        return Watch(state, n, n_critical, ended_after=stopped)
    paused = _paused(score[cleared:] - score[cleared - 1], settings)
    if paused is None:
        return Watch(Watched.CLEARED, n, n_critical, cleared)
    return Watch(Watched.PAUSED, n, n_critical, cleared, cleared + paused)


def _paused(score: Floats, settings: WatchSettings) -> int | None:
    """After which gold, counted from the clearing, the sum has risen from its lowest point by the threshold."""
    lowest = np.minimum(np.minimum.accumulate(score), 0.0)
    return _first(score - lowest >= pause_threshold(settings))


def _first(reached: Bools) -> int | None:
    """The number of the first gold, from 1, at which it is so."""
    indexes = np.flatnonzero(reached)
    return int(indexes[0]) + 1 if len(indexes) else None
