"""How often the rules that pause take good people for bad ones: for unreliable on gold, and for too fast."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from annotation.quality.annotators.pace import QUARTILES

SHOWN = (0.95, 0.90, 0.85, 0.80, 0.75, 0.70, 0.60, 0.50)  # true accuracies
WITHIN = (50, 100)  # golds
FEW = (5, 10, 20, 50)
DRAWS = 400_000  # paces: shares come out within a tenth of a percent
SEED = 1


@dataclass(frozen=True)
class UnreliableShares:
    """People whose true accuracy is `rate`: the share found unreliable at the first look, and within so many golds."""

    rate: float
    first: float
    within: tuple[float, ...]


def unreliable_shares(
    *, threshold: float, min_gold: int, rates: Sequence[float] = SHOWN, within: Sequence[int] = WITHIN
) -> list[UnreliableShares]:
    """Exact, by dynamic programming, where somebody looks after every gold; who looks less often finds fewer.

    `threshold`: the accuracy from which a person is reliable, 0 to 1. Errors come independently of each other.
    """
    first = max(min_gold, 1)
    looks = [max(n, first) for n in (first, *within)]
    return [_of_rate(rate, threshold, first, looks) for rate in rates]


def _of_rate(rate: float, threshold: float, first: int, looks: Sequence[int]) -> UnreliableShares:
    """Carries the chances of 0, 1, … right answers among n golds of those who have not been found yet."""
    chance, share_by_gold = np.ones(1), [0.0]
    for n in range(1, max(looks) + 1):
        chance = np.append(chance * (1 - rate), 0.0) + np.append(0.0, chance * rate)
        below = (np.arange(n + 1) / n < threshold) if n >= first else np.zeros(n + 1, dtype=bool)
        share_by_gold.append(share_by_gold[-1] + float(chance[below].sum()))
        chance[below] = 0.0
    return UnreliableShares(rate, share_by_gold[looks[0]], tuple(share_by_gold[n] for n in looks[1:]))


@lru_cache(maxsize=128)
def fast_share(n_people: int, spreads: float) -> float:
    """The share of people, all with normal paces of one and the same distribution, who lie more than `spreads` spreads
    below the middle, both taken from these `n_people` themselves as `pace_of` does it. Simulated with a fixed seed.

    The fewer there are, the worse their spread is known: a middle half that is close together by chance makes people
    beside it look far off. Of very many it comes to the tail of the normal distribution.
    """
    pace = np.random.default_rng(SEED).standard_normal((DRAWS // n_people, n_people))
    low, middle, high = np.quantile(pace, (0.25, 0.5, 0.75), axis=1, keepdims=True)
    return float((pace < middle - spreads * (high - low) / QUARTILES).mean())
