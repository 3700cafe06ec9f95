"""How often good people are found unreliable, where accuracy on gold is looked at again and again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SHOWN = (0.95, 0.90, 0.85, 0.80, 0.75, 0.70, 0.60, 0.50)  # true accuracies
WITHIN = (50, 100)  # golds


@dataclass(frozen=True)
class FoundUnreliable:
    """People whose true accuracy is `rate`: the share found unreliable at the first look, and within so many golds."""

    rate: float
    first: float
    within: tuple[float, ...]


def found_unreliable(
    *, threshold: float, min_gold: int, rates: Sequence[float] = SHOWN, within: Sequence[int] = WITHIN
) -> list[FoundUnreliable]:
    """Exact, by dynamic programming, where somebody looks after every gold; who looks less often finds fewer.

    `threshold`: the accuracy from which a person is reliable, 0 to 1. Errors come independently of each other.
    """
    first = max(min_gold, 1)
    looks = [max(n, first) for n in (first, *within)]
    return [_of_rate(rate, threshold, first, looks) for rate in rates]


def _of_rate(rate: float, threshold: float, first: int, looks: Sequence[int]) -> FoundUnreliable:
    """Carries the chances of 0, 1, … right answers among n golds of those who have not been found yet."""
    chance, share_by_gold = np.ones(1), [0.0]
    for n in range(1, max(looks) + 1):
        chance = np.append(chance * (1 - rate), 0.0) + np.append(0.0, chance * rate)
        below = (np.arange(n + 1) / n < threshold) if n >= first else np.zeros(n + 1, dtype=bool)
        share_by_gold.append(share_by_gold[-1] + float(chance[below].sum()))
        chance[below] = 0.0
    return FoundUnreliable(rate, share_by_gold[looks[0]], tuple(share_by_gold[n] for n in looks[1:]))
