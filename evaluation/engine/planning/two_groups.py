"""Two groups of independent units: the normal approximation of the two-sided test of a difference of means.

n₁ = ⌈(z₁₋α/₂ + z₁₋β)² (σ₁² + σ₂²/r) / δ²⌉ in the first group and r · n₁ in the second; with r = 1
and equal deviations ⌈2 (z₁₋α/₂ + z₁₋β)² σ² / δ²⌉ in each. The chance of a significant difference of
the wrong sign is left out, as usual. Right for groups of some hundreds; for a few dozen use the
t-test (`significance.two_samples`).

Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, 3rd edition, 2003, chapter 4;
Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020, chapter 15.
"""

import math

from evaluation.engine.significance.power import checked_levels

MOST = 10**12  # units of a group: nobody has more


def group_size(
    difference: float,
    deviation: float,
    *,
    second_deviation: float | None = None,
    ratio: float = 1.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int:
    """The fewest units in the first group with which a true difference is found with this power.

    `deviation` is the standard deviation within the first group, in the unit of the difference; the second has the same
    unless one is named. `ratio`: the second group's size by the first's. Raises `ValueError` for a difference of 0,
    deviations and ratios that are not positive, levels outside (0, 1), and more than 10¹² units.
    """
    spread = _spread(difference, deviation, second_deviation, ratio)
    root = _reach(alpha, power) * (spread / abs(difference))
    needed = root * root
    if needed > MOST:
        raise ValueError(f"a difference of {difference:g} needs more than {MOST:,} units in a group")
    return max(2, math.ceil(needed * (1 - 1e-12)))


def group_power(
    n: float,
    difference: float,
    deviation: float,
    *,
    second_deviation: float | None = None,
    ratio: float = 1.0,
    alpha: float = 0.05,
) -> float:
    """How likely n units in the first group, and ratio · n in the second, show a true difference.

    Errors as `group_size`, and for n below 2.
    """
    from scipy.special import ndtr

    spread = _spread(difference, deviation, second_deviation, ratio)
    _check_n(n)
    return float(ndtr(abs(difference) / spread * math.sqrt(n) - _z(1 - alpha / 2, alpha)))


def smallest_group_difference(
    n: float,
    deviation: float,
    *,
    second_deviation: float | None = None,
    ratio: float = 1.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    """The smallest true difference that n and ratio · n units show with this power. Errors as `group_power`."""
    _check_n(n)
    return _reach(alpha, power) * _spread(1.0, deviation, second_deviation, ratio) / math.sqrt(n)


def rate_deviation(rate: float) -> float:
    """√(p (1 − p)), of units that are 1 with this rate and else 0. Raises `ValueError` for a rate outside (0, 1)."""
    if not 0 < rate < 1:
        raise ValueError(f"a rate lies between 0 and 1, not {rate}")
    return math.sqrt(rate * (1 - rate))


def design_effect(size: float, correlation: float, *, variation: float = 0.0) -> float:
    """How many times more units are needed where they come in clusters: 1 + ((1 + v²) m − 1) ρ.

    `size`: mean units of a cluster, m; `correlation`: between units of a cluster, ρ; `variation`: the coefficient of
    variation of the clusters' sizes, v. Raises `ValueError` for a size below 1, ρ outside [0, 1], v below 0.

    Kish, Survey Sampling, 1965; unequal sizes: Eldridge, Ashby and Kerry, Sample size for cluster randomized trials,
    International Journal of Epidemiology 35, 2006.
    """
    if not (size >= 1 and math.isfinite(size)):
        raise ValueError(f"a cluster has at least 1 unit, not {size:g}")
    if not 0 <= correlation <= 1:
        raise ValueError(f"the correlation within clusters lies between 0 and 1, not {correlation:g}")
    if not (variation >= 0 and math.isfinite(variation)):
        raise ValueError(f"the coefficient of variation of the clusters' sizes is at least 0, not {variation:g}")
    return 1 + ((1 + variation**2) * size - 1) * correlation


def _spread(difference: float, deviation: float, second: float | None, ratio: float) -> float:
    """√(σ₁² + σ₂²/r)."""
    if not (difference and math.isfinite(difference)):
        raise ValueError("the smallest difference that matters cannot be 0: no number of units shows that")
    for each in (deviation, deviation if second is None else second):
        if not (each > 0 and math.isfinite(each)):
            raise ValueError(f"a standard deviation is positive, not {each:g}")
    if not (ratio > 0 and math.isfinite(ratio)):
        raise ValueError(f"the second group is a positive number of times as large as the first, not {ratio:g}")
    return math.hypot(deviation, (deviation if second is None else second) / math.sqrt(ratio))


def _reach(alpha: float, power: float) -> float:
    checked_levels(alpha, power)
    if power <= alpha / 2:
        raise ValueError(f"a test at the level {alpha:g} has more power than {power:g} with no units at all")
    return _z(1 - alpha / 2, alpha) + _z(power, alpha)


def _z(p: float, alpha: float) -> float:
    from scipy.special import ndtri

    checked_levels(alpha, 0.5)
    return float(ndtri(p))


def _check_n(n: float) -> None:
    if not 2 <= n <= MOST:
        raise ValueError(f"a group has at least 2 units, and at most {MOST:,}, not {n:g}")
