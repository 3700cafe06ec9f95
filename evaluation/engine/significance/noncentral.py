"""The noncentral t distribution, and which noncentralities a t statistic is compatible with."""

import math
from collections.abc import Callable

from evaluation.engine.significance.inputs import checked_confidence


def noncentrality_interval(t: float, df: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """`(low, high)`: the noncentralities δ under which `t`, with `df` degrees of freedom, is not in either tail.

    P(T ≥ t | low) = P(T ≤ t | high) = (1 − confidence) / 2. Exact where values are normally distributed. Raises
    `ValueError` for a t that is not finite, fewer than one degree of freedom and a confidence outside (0, 1).

    Steiger and Fouladi, Noncentrality interval estimation and the evaluation of statistical models, in What If There
    Were No Significance Tests?, 1997.
    """
    if not math.isfinite(t):
        raise ValueError(f"t is a finite number, not {t}")
    if not df >= 1:
        raise ValueError(f"at least one degree of freedom is needed, not {df}")
    tail = (1 - checked_confidence(confidence)) / 2
    reach = 40 * (1 + abs(t))
    low = bisect(lambda delta: noncentral_t(t, df, delta) - (1 - tail), t - reach, t + reach)
    high = bisect(lambda delta: noncentral_t(t, df, delta) - tail, t - reach, t + reach)
    return low, high


def noncentral_t(t: float, df: float, delta: float) -> float:
    """P(T ≤ t) for T noncentral t with `df` degrees of freedom and noncentrality `delta`.

    scipy gives NaN in far tails, where the answer differs from 0 or 1 by less than rounding; here it is 0 or 1. Its sum
    breaks down for |t| above 30,000; from 10,000 on the normal part of T is left out, an error below df / t².
    """
    if abs(t) > 10_000:
        return _large_t(t, df, delta)
    from scipy.special import nctdtr  # scipy.stats takes longer to import

    probability = float(nctdtr(df, delta, t))
    return float(t > delta) if math.isnan(probability) else probability


def _large_t(t: float, df: float, delta: float) -> float:
    """T = (Z + δ) / S ≤ t without Z: S ≥ δ/t for a positive t, S ≤ δ/t for a negative one; df · S² is χ²."""
    from scipy.special import chdtr, chdtrc

    ratio = delta / t
    if ratio <= 0:
        return float(t > 0)
    return float((chdtrc if t > 0 else chdtr)(df, df * ratio**2))


def bisect(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses zero between `low` and `high`, to the last bits of a double."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
