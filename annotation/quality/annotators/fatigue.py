"""Fatigue: whether a person gets worse or faster in the course of a sitting.

Time on task as in M. A. S. Boksem, T. F. Meijman and M. M. Lorist, Cognitive Brain Research 25
(2005): accuracy and pace by place, here the number of the card in its session.
"""

from dataclasses import dataclass

import numpy as np

from annotation.quality.annotators.answers import OnGold
from annotation.quality.annotators.figure import Figures, figures
from annotation.quality.annotators.means import slopes
from annotation.quality.annotators.medians import medians
from annotation.quality.annotators.pace import timed_rows
from annotation.quality.arrays import Floats, Ints, tally
from annotation.quality.inputs import Inputs

PER = 50.0  # cards, as long as a session is by default in minutes
LEAST = 20
BANDS = (1, 11, 26, 51, 101)  # first cards


@dataclass(frozen=True, eq=False)
class Fatigue:
    """`n_gold`, `n_right`, `seconds` (median; NaN: none): (n_annotators, n_bands), by bands of places in a session.

    `right`: change of the share right on gold in `PER` cards; `pace`: times as long an answer takes after `PER` cards.
    """

    n_gold: Ints
    n_right: Ints
    seconds: Floats
    right: Figures
    pace: Figures


def fatigue_of(inputs: Inputs, gold: OnGold, ordinal: Ints) -> Fatigue:
    """`ordinal`: (n,), of `places_in_session`."""
    n_annotators, n_bands = len(inputs.table.annotators), len(BANDS)
    at = ordinal[gold.row]
    on, right = at > 0, gold.off == 0
    cell = gold.who * n_bands + _band(at)
    timed, ms = timed_rows(inputs)
    timed, ms = timed[ordinal[timed] > 0], ms[ordinal[timed] > 0]
    who = inputs.table.annotator[timed]
    band = who * n_bands + _band(ordinal[timed])

    def counted(chosen: Ints) -> Ints:
        return tally(chosen, n_annotators * n_bands).reshape(-1, n_bands)

    rise = slopes(who, ordinal[timed] / PER, np.log(ms), n_annotators, "timed answers in sessions", least=LEAST)
    return Fatigue(
        counted(cell[on]),
        counted(cell[on & right]),
        medians(band, ms / 1000, ms > 0, n_annotators * n_bands).reshape(-1, n_bands),
        _fall(gold, at, n_annotators),
        figures(np.exp(rise.value), rise.n, rise.what, low=np.exp(rise.low), high=np.exp(rise.high), least=LEAST),
    )


def _fall(gold: OnGold, at: Ints, n_annotators: int) -> Figures:
    """Of the share right, each gold grade with a level of its own, as in `drift.py`."""
    on, what = at > 0, "gold in sessions"
    right = (gold.off[on] == 0).astype(np.float64)
    return slopes(gold.who[on], at[on] / PER, right, n_annotators, what, least=LEAST, alike=gold.known[on])


def _band(ordinal: Ints) -> Ints:
    return np.maximum(np.searchsorted(BANDS, ordinal, side="right") - 1, 0).astype(np.int64)
