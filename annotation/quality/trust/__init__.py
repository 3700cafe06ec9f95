"""Trust over time: a sequential watch on critical errors, and how often it errs."""

from annotation.quality.trust.critical import critical_errors, far_off
from annotation.quality.trust.pauses import golds_to_pause, pause_threshold, paused_within
from annotation.quality.trust.rates import SHOWN, ErrorRates, RatesInRuns, error_rates, rates_in_runs
from annotation.quality.trust.settings import WatchSettings
from annotation.quality.trust.walk import exits
from annotation.quality.trust.watch import Watch, Watched, watch_of, watch_people

__all__ = [
    "SHOWN",
    "ErrorRates",
    "RatesInRuns",
    "Watch",
    "WatchSettings",
    "Watched",
    "critical_errors",
    "error_rates",
    "exits",
    "far_off",
    "golds_to_pause",
    "pause_threshold",
    "paused_within",
    "rates_in_runs",
    "watch_of",
    "watch_people",
]
