"""How often the watch errs under given settings: exact, for people of any true rate."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from annotation.quality.trust.pauses import golds_to_pause, pause_threshold, paused_within
from annotation.quality.trust.settings import WatchSettings
from annotation.quality.trust.walk import exits

SHOWN = (0.95, 0.90, 0.85, 0.80, 0.70, 0.60)
RUNS = (0.0, 0.3, 0.6)  # correlations of one gold with the next


@dataclass(frozen=True)
class ErrorRates:
    """What becomes of people whose rate without a critical error is `rate`. Shares 0 to 1."""

    rate: float
    stopped: float  # before they are cleared; everybody else is cleared
    golds: float  # mean until stopped or cleared
    golds_stopped: float | None  # mean of those who are stopped; None: nobody is
    paused: float  # of those cleared, within `per_golds` golds from then on
    golds_paused: float  # mean from clearing to the pause, however long it takes; may be infinite


def error_rates(settings: WatchSettings, rates: Sequence[float] = SHOWN) -> list[ErrorRates]:
    """One entry a rate, each 0 to 1."""
    return [_of_rate(settings, rate) for rate in rates]


@dataclass(frozen=True)
class RatesInRuns:
    """The same where errors come in runs: `runs` is the correlation of one gold judgment with the next. Of people of
    the good rate: `stopped` before they are cleared, `paused` of those cleared, within `per_golds`; of people of the
    poor rate: `poor_stopped`."""

    runs: float
    stopped: float
    paused: float
    poor_stopped: float


def rates_in_runs(settings: WatchSettings, runs: Sequence[float] = RUNS) -> list[RatesInRuns]:
    """One entry a correlation, each 0 or more and below 1."""
    return [_in_runs(settings, each) for each in runs]


@lru_cache(maxsize=64)  # all that one page shows takes a fifth of a second
def _in_runs(settings: WatchSettings, runs: float) -> RatesInRuns:
    return RatesInRuns(
        runs,
        _stopped(settings, settings.good, runs),
        paused_within(settings, pause_threshold(settings), settings.good, settings.per_golds, runs=runs),
        _stopped(settings, settings.poor, runs),
    )


def _stopped(settings: WatchSettings, rate: float, runs: float) -> float:
    low, high = settings.clear_at, settings.stop_at
    walk = exits(rise=settings.rise, fall=settings.fall, low=low, high=high, rate=rate, runs=runs)
    return float(walk.above.sum())


@lru_cache(maxsize=128)
def _of_rate(settings: WatchSettings, rate: float) -> ErrorRates:
    first = exits(rise=settings.rise, fall=settings.fall, low=settings.clear_at, high=settings.stop_at, rate=rate)
    threshold = pause_threshold(settings)
    return ErrorRates(
        rate=rate,
        stopped=float(first.above.sum()),
        golds=first.golds,
        golds_stopped=first.golds_above,
        paused=paused_within(settings, threshold, rate, settings.per_golds),
        golds_paused=golds_to_pause(settings, threshold, rate),
    )
