"""Pace: how fast each annotator answers beside everybody, on the log scale.

Times of answers are near log-normal (W. J. van der Linden, A lognormal model for response times on
test items, Journal of Educational and Behavioral Statistics 31, 2006). Middle and spread are
robust: median, and quartiles.
"""

from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.annotators.figure import Figures, figures, shares
from annotation.quality.annotators.means import means
from annotation.quality.annotators.medians import medians
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.counted import first_judgments
from annotation.quality.inputs import Inputs

LEAST = 10  # timed answers of a person
LEAST_PEOPLE = 5  # before "usual" means anything
FAR = 3.0  # spreads from the middle
QUARTILES = 1.349  # how many standard deviations lie between the quartiles of a normal distribution
WHAT = "timed answers"
_ROUNDING = 1e-9  # of logs: closer times are equal


@dataclass(frozen=True, eq=False)
class Pace:
    """First revisions of the chosen batches. Active time, where the page recorded it; else by the clock."""

    seconds: Figures  # median
    beside: Figures  # the mean log time, in spreads of people's mean log times from the middle one; below 0 is faster
    hasty: Figures  # share of answers more than `FAR` spreads of everybody's answers below the middle
    hasty_ms: float  # which that is; NaN without times
    logs: tuple[float, float]  # middle and spread of everybody's log milliseconds; NaN without times


def timed_rows(inputs: Inputs) -> tuple[Ints, Floats]:
    """`(row, ms)`, (n_timed,) each: first revisions whose time was recorded."""
    table = inputs.table
    ms = np.where(table.active_ms > 0, table.active_ms, table.wall_ms)
    row = np.flatnonzero(first_judgments(table) & (ms > 0)).astype(np.int64)
    return row, ms[row].astype(np.float64)


def pace_of(inputs: Inputs) -> Pace:
    row, ms = timed_rows(inputs)
    who, n_annotators = inputs.table.annotator[row], len(inputs.table.annotators)
    logs = np.log(ms)
    middle, spread = _robust(logs)
    own = means(who, logs, n_annotators, WHAT, least=LEAST)
    usual, apart = _robust(own.value[~np.isnan(own.value)], least=LEAST_PEOPLE)
    hasty: Bools = logs < middle - FAR * spread
    few = f"Fewer than {LEAST_PEOPLE} people have {LEAST} {WHAT}, or all are equally fast."
    return Pace(
        figures(medians(who, ms, ms > 0, n_annotators) / 1000, own.n, WHAT, least=LEAST),
        figures((own.value - usual) / apart, own.n, WHAT, least=LEAST, otherwise=few),
        _where_spread(shares(who, hasty.astype(np.float64), n_annotators, WHAT, least=LEAST), spread),
        float(np.exp(middle - FAR * spread)),
        (middle, spread),
    )


def _where_spread(hasty: Figures, spread: float) -> Figures:
    """Where half of all answers took the same time nothing says how far is far."""
    if not np.isnan(spread):
        return hasty
    nothing = np.full(len(hasty.n), np.nan)
    why = "Half of all answers took the same time."
    return replace(hasty, value=nothing, low=nothing, high=nothing, otherwise=why)


def _robust(values: Floats, *, least: int = 1) -> tuple[float, float]:
    if len(values) < least:
        return np.nan, np.nan
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return float(middle), float((high - low) / QUARTILES) if high - low > _ROUNDING else np.nan
