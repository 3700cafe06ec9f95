"""Student's t interval."""

import math

from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import checked_confidence, checked_values, deviation
from evaluation.engine.significance.intervals.result import MeanInterval, mean_of


def t_interval(value: ArrayLike, *, confidence: float = 0.95) -> MeanInterval:
    """The interval of the mean of `value`, (n_topics,): mean ± t(n − 1) · s / √n.

    It takes the topics as a sample of those one might have asked about. One topic: low, high and deviation are NaN,
    as one value says nothing of how values scatter. All values equal: an interval of width 0. Raises `ValueError` for
    no values, NaN or infinity, and a confidence outside (0, 1).

    Student, The probable error of a mean, Biometrika 6, 1908.
    """
    values = checked_values(value, least=1)
    checked_confidence(confidence)
    if values.size == 1:
        return MeanInterval(float(values[0]), math.nan, math.nan, math.nan, 1, confidence, "t")
    scatter = deviation(values[:, None])
    mean, half = mean_of(values), float(_half_width(scatter, values.size, confidence)[0])
    return MeanInterval(mean, mean - half, mean + half, float(scatter[0]), values.size, confidence, "t")


def t_half_width(value: Floats, confidence: float, *, freedom: int | None = None) -> Floats:
    """t · s / √n for each column of `value`, (n_topics, n_columns), with at least 2 topics; t has n − 1 degrees of
    freedom unless told otherwise."""
    return _half_width(deviation(value), value.shape[0], confidence, freedom)


def _half_width(scatter: Floats, n_topics: int, confidence: float, freedom: int | None = None) -> Floats:
    from scipy.special import stdtrit  # scipy.stats takes six times as long to import

    t = float(stdtrit(freedom or n_topics - 1, (1 + confidence) / 2))
    return t * scatter / math.sqrt(n_topics)
