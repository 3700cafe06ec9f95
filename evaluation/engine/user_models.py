"""Users who read a ranking from the top and go on from rank to rank with some chance, as several measures see them.

The chance to go on from rank i is C(i); so rank i is reached with the chance V(i) = C(1) … C(i −
1). Moffat, Bailey, Scholer and Thomas, Incorporating user expectations and behavior into the
measurement of search effectiveness, TOIS 35(3), 2017 (the C/W/L framework): the value of a ranking
is the gain a user meets over the ranks a user looks at, Σ V(i) gain(i) / Σ V(i).
"""

import math
from collections.abc import Callable
from typing import TypeVar

from evaluation.engine.arrays import Floats
from evaluation.engine.rankings import Rankings

Number = TypeVar("Number", float, Floats)


def scaled_gain(rankings: Rankings, depth: float) -> Floats:
    """grade / top grade of each found row; 0 for grades ≤ 0 and beyond the depth. (n_found,)"""
    gain = rankings.by_grade(lambda grade: max(grade, 0) / rankings.top_grade)
    return rankings.where(rankings.rank <= depth, gain, 0.0)


def satisfied(rankings: Rankings, depth: float) -> Floats:
    """How probable it is that a user is satisfied at each found row and no earlier; 0 beyond the depth. (n_found,)

    Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009, equation 3.
    """
    chance = rankings.by_grade(lambda grade: satisfying(grade, rankings.top_grade))
    return stopping(rankings, rankings.where(rankings.rank <= depth, chance, 0.0))


def satisfying(grade: int, top_grade: int) -> float:
    """(2^grade − 1) / 2^top: the chance that a document of the grade satisfies; 0 for grades ≤ 0."""
    return 2.0 ** (max(grade, 0) - top_grade) - 2.0**-top_grade


def stopping(rankings: Rankings, chance: Floats) -> Floats:
    """How probable it is that a user stops at each found row, `chance` being that of each alone. (n_found,)"""
    return rankings.previous(rankings.running_product(1.0 - chance), 1.0) * chance


def nearly_err(
    rankings: Rankings, depth: float, discount: Callable[[int], float], rest: Callable[[int], float]
) -> Floats:
    """The value for a user who ends at a document with the chance of its gain, and is tired by rank: (n_topics,)

    V(i) = discount(i) · Π_{j < i} (1 − gain(j)), with the grade over the top grade as gain. `rest(r)` is the sum of the
    discount over the ranks beyond r and up to the depth; so Σ V(i) is rest(0), less what the users who ended at a
    document would have gone on to see.

    Azzopardi, Mackenzie and Moffat, ERR is not C/W/L: exploring the relationship between expected reciprocal rank and
    other metrics, ICTIR 2021.
    """
    gain = scaled_gain(rankings, depth)
    ending = stopping(rankings, gain)  # (n_found,)
    met = rankings.total(ending * rankings.by_rank(discount))
    looked_at = rest(0) - rankings.total(ending * rankings.by_rank(rest))
    return met / looked_at


def squares_from(x: Number) -> Number:
    """1/x² + 1/(x + 1)² + 1/(x + 2)² + …, the trigamma function, for x > 0, elementwise; 0 for infinity.

    Twelve terms, then the asymptotic series (Abramowitz and Stegun, 6.4.12): exact to the last digits.
    """
    total = 1.0 / (x * x)
    for k in range(1, 12):
        total = total + 1.0 / ((x + k) * (x + k))
    y = 1.0 / (x + 12)
    z = y * y
    series = 1 / 6 + z * (-1 / 30 + z * (1 / 42 + z * (-1 / 30 + z * (5 / 66 - z * (691 / 2730)))))
    return total + y + z / 2 + y * z * series


def harmonic(n: int) -> float:
    """1 + 1/2 + … + 1/n: summed for a small n, else by Euler and Maclaurin's formula; 0 for 0."""
    if n < 100:
        return math.fsum(1 / i for i in range(1, n + 1))
    euler = 0.5772156649015329
    return math.log(n) + euler + 1 / (2 * n) - 1 / (12 * n**2) + 1 / (120 * n**4)
