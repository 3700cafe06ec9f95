"""How many units an interval of a wanted width needs.

`half_width` is the ± of the interval, in the unit of the value. The width holds for the deviation
that is named; where the data vary more, it comes out wider, and about half of all samples vary more
than their population.
"""

import math

from evaluation.engine.planning.two_groups import MOST
from evaluation.engine.significance.inputs import checked_confidence
from evaluation.engine.significance.power import least_number


def mean_interval_size(half_width: float, deviation: float, *, confidence: float = 0.95) -> int:
    """The fewest units whose mean has Student's interval no wider: t · σ/√n ≤ half_width.

    For topics of a collection, and any other small sample. Raises `ValueError` for widths and deviations that are not
    positive, a confidence outside (0, 1), and more than 10¹² units.
    """
    n = large_interval_size(half_width, deviation, confidence=confidence)
    if n > 1_000_000:  # t is the normal quantile there, to seven digits of n
        return n
    return least_number(
        lambda n: mean_half_width(n, deviation, confidence=confidence) <= half_width * (1 + 1e-12),
        least=2,
        most=4 * n + 20_000,
    )


def mean_half_width(n: int, deviation: float, *, confidence: float = 0.95) -> float:
    """The ± of Student's interval of a mean of n units: t · σ/√n. Errors as `mean_interval_size`."""
    from scipy.special import stdtrit

    _check(1.0, deviation, confidence)
    if n < 2:
        raise ValueError(f"an interval of a mean needs at least 2 units, not {n}")
    return float(stdtrit(n - 1, (1 + confidence) / 2)) * deviation / math.sqrt(n)


def large_interval_size(half_width: float, deviation: float, *, confidence: float = 0.95, n_groups: int = 1) -> int:
    """⌈g (z σ / half_width)²⌉: units of a mean or a rate (g = 1), or of each of two groups whose difference has the
    interval (g = 2), for samples of some hundreds and more. Errors as `mean_interval_size`."""
    from scipy.special import ndtri

    _check(half_width, deviation, confidence)
    root = float(ndtri((1 + confidence) / 2)) * (deviation / half_width)
    needed = n_groups * root * root
    if needed > MOST:
        raise ValueError(f"an interval of ± {half_width:g} needs more than {MOST:,} units")
    return max(2, math.ceil(needed * (1 - 1e-12)))


def large_half_width(n: float, deviation: float, *, confidence: float = 0.95, n_groups: int = 1) -> float:
    """z σ √(g/n), the ± of `large_interval_size`."""
    from scipy.special import ndtri

    _check(1.0, deviation, confidence)
    if not n >= 2:
        raise ValueError(f"an interval needs at least 2 units, not {n:g}")
    return float(ndtri((1 + confidence) / 2)) * deviation * math.sqrt(n_groups / n)


def _check(half_width: float, deviation: float, confidence: float) -> None:
    checked_confidence(confidence)
    if not (half_width > 0 and math.isfinite(half_width)):
        raise ValueError(f"the half-width of an interval is positive, not {half_width:g}")
    if not (deviation > 0 and math.isfinite(deviation)):
        raise ValueError(f"a standard deviation is positive, not {deviation:g}")
