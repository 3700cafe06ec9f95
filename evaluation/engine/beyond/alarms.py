"""Whether alarms are worth having: detection at a rate of false alarms, cost, time to detection, areas.

`score` is (n,), higher more suspect; `positive` (n,) says which of them are anomalies. An alarm is
a score **above** a threshold. All functions raise `ValueError` for arrays that do not match, scores
that are not finite, and where there is no anomaly or nothing else.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Bools, Floats


@dataclass(frozen=True)
class Detection:
    """`rate` of the anomalies are above the threshold, and `false_rate`, at most the wanted one, of all else."""

    rate: float
    false_rate: float
    threshold: float
    n_positive: int
    n_negative: int


@dataclass(frozen=True)
class Cost:
    """What alarms above the threshold cost, beside never alarming and always alarming.

    `saved`: share of the cost of never alarming; negative where alarms cost more. `best_threshold` costs least on these
    very data, which flatters it: choose a threshold on other data than those it is judged by.
    """

    threshold: float
    cost: float
    never: float
    always: float
    saved: float
    false_alarms: int
    misses: int
    best_threshold: float
    best_cost: float


@dataclass(frozen=True)
class Delay:
    """From the beginning of an event to its first alarm, over the events that had one; NaN where none had.

    `median_of_all` counts the missed as infinite: it cannot be made better by missing what is hard to see.
    """

    mean: float
    median: float
    p95: float
    median_of_all: float
    n_events: int
    n_detected: int


def detection_at(score: ArrayLike, positive: ArrayLike, *, false_rate: float = 0.01) -> Detection:
    """The most that can be detected with no more than this share of false alarms among all that is no anomaly.

    The threshold is the (⌊rate · n⌋ + 1)-th highest score without anomaly, so that ties never raise the rate. Raises
    `ValueError` for a rate outside [0, 1).
    """
    values, is_positive = checked_alarms(score, positive)
    if not 0 <= false_rate < 1:
        raise ValueError(f"a rate of false alarms is at least 0 and below 1, not {false_rate:g}")
    negative = np.sort(values[~is_positive])[::-1]
    threshold = float(negative[math.floor(false_rate * negative.size + 1e-9)])
    rate, false = _rates(values, is_positive, threshold)
    return Detection(rate, false, threshold, int(is_positive.sum()), negative.size)


def alarm_cost(score: ArrayLike, positive: ArrayLike, *, threshold: float, false_alarm: float, miss: float) -> Cost:
    """`false_alarm` and `miss` are what one of each costs, in any unit. Raises `ValueError` for costs below 0, a miss
    that costs nothing, and a threshold that is not a number.

    Elkan, The foundations of cost-sensitive learning, IJCAI 2001.
    """
    values, is_positive = checked_alarms(score, positive)
    if math.isnan(threshold) or not (0 <= false_alarm < math.inf and 0 < miss < math.inf):
        raise ValueError("a threshold is a number, a false alarm costs at least 0, and a miss more than 0")
    n_positive, n_negative = int(is_positive.sum()), int((~is_positive).sum())
    false_alarms = int(((values > threshold) & ~is_positive).sum())
    misses = int(((values <= threshold) & is_positive).sum())
    cost, never = false_alarms * false_alarm + misses * miss, n_positive * miss
    best_threshold, best_cost = _best(values, is_positive, false_alarm, miss)
    return Cost(
        threshold=threshold,
        cost=cost,
        never=never,
        always=n_negative * false_alarm,
        saved=1 - cost / never,
        false_alarms=false_alarms,
        misses=misses,
        best_threshold=best_threshold,
        best_cost=best_cost,
    )


def average_precision(score: ArrayLike, positive: ArrayLike) -> float:
    """Σ (R − R before) · P over the thresholds, equal scores together: as scikit-learn's, without interpolation."""
    values, is_positive = checked_alarms(score, positive)
    true, false = cumulated(values, is_positive)
    precision, recall = true / (true + false), true / true[-1]
    return float((np.diff(recall, prepend=0.0) * precision).sum())


def partial_auc(score: ArrayLike, positive: ArrayLike, *, false_rate: float = 1.0, standardised: bool = False) -> float:
    """The area under the ROC curve left of a rate of false alarms, divided by that rate: 1 is the best there can be.

    `standardised`: moved so that chance is ½ (McClish), as scikit-learn's `max_fpr`. Raises `ValueError` for a rate
    outside (0, 1]. McClish, Analyzing a portion of the ROC curve, Medical Decision Making 9, 1989.
    """
    values, is_positive = checked_alarms(score, positive)
    if not 0 < false_rate <= 1:
        raise ValueError(f"a rate of false alarms lies above 0 and is at most 1, not {false_rate:g}")
    true, false = cumulated(values, is_positive)
    x, y = np.append(0.0, false / false[-1]), np.append(0.0, true / true[-1])
    stop = int(np.searchsorted(x, false_rate, side="right"))
    end = float(np.interp(false_rate, x, y)) if stop < x.size else 1.0
    area = float(np.trapezoid(np.append(y[:stop], end), np.append(x[:stop], false_rate)))
    if not standardised:
        return area / false_rate
    least = false_rate**2 / 2
    return 0.5 * (1 + (area - least) / (false_rate - least))


def time_to_detection(time: ArrayLike, score: ArrayLike, event: ArrayLike, *, threshold: float) -> Delay:
    """Delays of events, in the unit of `time`. `event` (n,) names the event a row belongs to, −1 for none; an event
    begins with its earliest row. Percentiles are interpolated, as numpy's. Raises `ValueError` for no event."""
    when, values, name = np.asarray(time, np.float64), np.asarray(score, np.float64), np.asarray(event)
    if not when.shape == values.shape == name.shape or when.ndim != 1:
        raise ValueError(f"{when.size} times, {values.size} scores, {name.size} events: one of each a row is needed")
    if not (np.isfinite(when).all() and np.isfinite(values).all()):
        raise ValueError("times and scores must be finite")
    inside = name >= 0
    if not inside.any():
        raise ValueError("no row belongs to an event")
    _, code = np.unique(name[inside], return_inverse=True)
    begin, first = np.full(code.max() + 1, math.inf), np.full(code.max() + 1, math.inf)
    np.minimum.at(begin, code, when[inside])
    alarmed = values[inside] > threshold
    np.minimum.at(first, code[alarmed], when[inside][alarmed])
    return _delay(first - begin)


def _delay(delay: Floats) -> Delay:
    """`delay` (n_events,), infinite for the missed."""
    finite = delay[np.isfinite(delay)]
    mean, median, p95 = (finite.mean(), *np.percentile(finite, [50, 95])) if finite.size else (math.nan,) * 3
    low, high = np.sort(delay)[[(delay.size - 1) // 2, delay.size // 2]].tolist()
    of_all = (low + high) / 2
    return Delay(float(mean), float(median), float(p95), of_all, delay.size, finite.size)


def _best(score: Floats, positive: Bools, false_alarm: float, miss: float) -> tuple[float, float]:
    """Over all thresholds that tell scores apart, that of never alarming first."""
    true, false = (np.append(0, each) for each in cumulated(score, positive))
    cost = false * false_alarm + (positive.sum() - true) * miss
    at = int(np.argmin(cost))
    level = np.append(np.unique(score)[::-1], -math.inf)  # alarm above the next lower score
    return float(level[at]), float(cost[at])


def _rates(score: Floats, positive: Bools, threshold: float) -> tuple[float, float]:
    above = score > threshold
    return float(above[positive].mean()), float(above[~positive].mean())


def cumulated(score: Floats, positive: Bools) -> tuple[Floats, Floats]:
    """Anomalies, and all else, at or above each different score, from the highest."""
    order = np.argsort(-score, kind="stable")
    last = np.append(np.diff(score[order]) != 0, True)
    true = np.cumsum(positive[order], dtype=np.float64)[last]
    return true, (np.flatnonzero(last) + 1) - true


def checked_alarms(score: ArrayLike, positive: ArrayLike) -> tuple[Floats, Bools]:
    values, is_positive = np.asarray(score, np.float64), np.asarray(positive).astype(bool)
    if values.ndim != 1 or values.shape != is_positive.shape:
        raise ValueError(f"{values.size} scores, but {is_positive.size} that say what is an anomaly")
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite")
    if is_positive.all() or not is_positive.any():
        raise ValueError("there must be anomalies and others")
    return values, is_positive
