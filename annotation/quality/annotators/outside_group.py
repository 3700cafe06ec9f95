"""What people outside a group explain of a couple's agreement: every figure at the end that clears the couple.

Outside there may be few people, or weak ones, so that a product of estimates is worth little. It is
therefore taken two standard errors to the benefit of the couple (of its logarithm, by the delta
method), and where the people outside hardly agree with each other, all is taken as explained.
"""

from math import exp, hypot

import numpy as np

from annotation.quality.annotators.expected_agreement import LEAST, beyond_chance, error_of
from annotation.quality.arrays import Floats

ERRORS = 2.0  # standard errors
WEAKEST = 0.05  # κ of those outside among each other, surely: below, nobody's agreement explains anybody's

Met = tuple[float, float]  # pairs with the same grade, pairs


def explained_outside(
    sums: Floats, first: Floats, second: Floats, everybody: Floats, *, others: Met, third: Met
) -> float:
    """The share of the same grades that is explained, at most. `sums`: (6,), as `sums_of` has them; the habits
    (n_grades,); how often those outside agree, and how often the only one outside on a pair does with the others."""
    n, _, one_rest, other_rest, n_rest, among = sums.tolist()
    p, q, r = (part / max(part.sum(), 1) for part in (first, second, everybody))
    rest, off = _among_rest([others, *[(among, n_rest)] * (n_rest >= LEAST)], third, float(r @ r))
    if rest - ERRORS * off < WEAKEST:
        return 1.0
    one, one_off = _kappa((one_rest, n), float(p @ r))
    other, other_off = _kappa((other_rest, n), float(q @ r))
    one, other = max(one, one_off), max(other, other_off)
    far = ERRORS * hypot(one_off / one + other_off / other, off / rest)  # the couple errs together, if it copies
    chance = float(p @ q)
    return chance + (1 - chance) * min(one * other / rest * exp(far), 1)


def _among_rest(meetings: list[Met], third: Met, by_habit: float) -> tuple[float, float]:
    """κ of those outside and its standard error: the one that is lower at its lower end."""
    kappas = [_kappa(each, by_habit) for each in meetings]
    if third[1]:
        mean, (with_others, off) = max(kappas[0][0], WEAKEST), _kappa(third, by_habit)
        kappas.append((with_others**2 / mean, 2 * abs(with_others) * off / mean))
    return min(kappas, key=lambda each: each[0] - ERRORS * each[1])


def _kappa(met: Met, chance: float) -> tuple[float, float]:
    """κ and its standard error."""
    share = np.array(met[0] / max(met[1], 1))
    off = float(error_of(share, np.array(met[1]))) / max(1 - chance, 1e-9)
    return float(beyond_chance(share, np.array(chance))), off
