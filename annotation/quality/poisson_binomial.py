"""How many of several independent events happen, each with its own chance (Poisson's binomial distribution)."""

import numpy as np

from annotation.quality.arrays import Floats


def chances_of_numbers(chances: Floats) -> Floats:
    """(n,) → (n + 1,): the chance that none happens, one, … all of them; exact, in n² steps."""
    dealt = np.ones(1)
    for chance in chances.tolist():
        dealt = np.append(dealt * (1 - chance), 0.0) + np.append(0.0, dealt * chance)
    return dealt


def tail(chances: Floats, n: int) -> float:
    """P(at least `n` of the events happen)."""
    return float(chances_of_numbers(chances)[n:].sum())
