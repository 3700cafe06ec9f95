"""The watch after clearing: when the score, never below 0, comes up to the threshold, the person is paused.

CUSUM, after E. S. Page, "Continuous inspection schemes", Biometrika 41 (1954). Page's reading of it
makes it exact: it is Wald's test with the bounds 0 and the threshold, begun anew whenever it ends
below.
"""

from functools import lru_cache

import numpy as np

from annotation.quality.arrays import Floats
from annotation.quality.trust.settings import WatchSettings
from annotation.quality.trust.walk import LONGEST, Exits, exits

_STEP = 100  # thresholds are sought in hundredths


@lru_cache(maxsize=64)
def pause_threshold(settings: WatchSettings) -> float:
    """The smallest threshold, in hundredths, with at most `false_pauses` within `per_golds` at the good rate."""
    low, high = 0, _STEP
    while _false_pauses(settings, high) > settings.false_pauses:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _false_pauses(settings, middle) > settings.false_pauses:
            low = middle
        else:
            high = middle
    return high / _STEP


def paused_within(settings: WatchSettings, threshold: float, rate: float, golds: int, *, runs: float = 0.0) -> float:
    """Share of cleared people of the rate who are paused within so many golds. `runs`: as of `exits`; each round begins
    after a gold without a critical error, for only such a one clears or sets the score back."""
    round_ = _round(settings, threshold, rate, golds, runs=runs)
    above, below = _padded(round_.above, golds), _padded(round_.below, golds)
    fresh = np.zeros(golds + 1)  # chance that the score is set back to 0 with the gold of that number
    fresh[0] = 1
    for n in range(1, golds + 1):
        fresh[n] = fresh[:n] @ below[n:0:-1]
    ever = np.cumsum(above)
    return float(fresh @ ever[::-1])


def golds_to_pause(settings: WatchSettings, threshold: float, rate: float) -> float:
    """Mean number of golds from clearing to the pause, however long it takes; infinite where it never comes."""
    round_ = _round(settings, threshold, rate)
    share = float(round_.above.sum())
    return round_.golds / share if share else float("inf")


def _false_pauses(settings: WatchSettings, hundredths: int) -> float:
    return paused_within(settings, hundredths / _STEP, settings.good, settings.per_golds)


def _round(settings: WatchSettings, threshold: float, rate: float, most: int = LONGEST, *, runs: float = 0.0) -> Exits:
    steps = {"rise": settings.rise, "fall": settings.fall, "low": 0, "high": threshold}
    return exits(**steps, rate=rate, most=most, runs=runs, after_right=runs > 0)


def _padded(chances: Floats, golds: int) -> Floats:
    padded = np.zeros(golds + 1)
    padded[: len(chances)] = chances
    return padded
