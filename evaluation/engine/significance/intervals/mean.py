"""The interval of a mean by the method that is named."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import Rng, checked_confidence, checked_values, deviation
from evaluation.engine.significance.intervals import bootstrap
from evaluation.engine.significance.intervals.result import MeanInterval, Method, mean_of
from evaluation.engine.significance.intervals.student import t_interval
from evaluation.engine.significance.resamples import N_RESAMPLES

_ENDS: Mapping[str, Callable[..., tuple[Floats, Floats]]] = {
    "studentised": bootstrap.studentised_ends,
    "percentile": bootstrap.percentile_ends,
    "basic": bootstrap.basic_ends,
    "bca": bootstrap.bca_ends,
}
METHODS = ("t", *_ENDS)


def mean_interval(
    value: ArrayLike,
    *,
    method: Method = "t",
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Rng | None = None,
) -> MeanInterval:
    """The confidence interval of the mean of `value`, (n_topics,), in the unit of the measure.

    `t` and `studentised` keep their confidence best at the usual numbers of topics; `percentile`, `basic` and `bca`
    are there to be compared with. All but `t` resample topics and need `rng` and 2 topics. Of one topic `t` gives NaN
    for low, high and deviation. Raises `ValueError` for no topics, NaN or infinity, an unknown method, a confidence
    outside (0, 1), too few resamples for it, and where the studentised interval has no finite end (too few topics or
    too few different values). Papers: `student`, `bootstrap`.
    """
    if method == "t":
        return t_interval(value, confidence=confidence)
    if method not in _ENDS:
        raise ValueError(f"an interval is found by {', '.join(METHODS)}, not {method!r}")
    values = checked_values(value)
    least = bootstrap.least_resamples(checked_confidence(confidence))
    if n_resamples < least:
        raise ValueError(f"a confidence of {confidence} needs at least {least} resamples, not {n_resamples}")
    if rng is None:
        raise ValueError(f"the {method} interval draws at random: it needs an rng")
    low, high = _ENDS[method](values[:, None], confidence=confidence, n_resamples=n_resamples, rng=rng)
    if not np.isfinite([low[0], high[0]]).all():
        raise ValueError(
            "the studentised interval has no finite end: too few topics or too few different values; use t"
        )
    mean, scatter = mean_of(values), float(deviation(values[:, None])[0])
    return MeanInterval(mean, float(low[0]), float(high[0]), scatter, values.size, confidence, method, n_resamples)
