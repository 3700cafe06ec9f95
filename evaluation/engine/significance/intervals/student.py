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
    half = float(t_half_width(values[:, None], confidence)[0])
    mean, scatter = mean_of(values), float(deviation(values[:, None])[0])
    return MeanInterval(mean, mean - half, mean + half, scatter, values.size, confidence, "t")


def t_half_width(value: Floats, confidence: float) -> Floats:
    """t(n − 1) · s / √n for each column of `value`, (n_topics, n_columns), with at least 2 topics."""
    from scipy.special import stdtrit  # scipy.stats takes six times as long to import

    n_topics = value.shape[0]
    t = float(stdtrit(n_topics - 1, (1 + confidence) / 2))
    return t * deviation(value) / math.sqrt(n_topics)
