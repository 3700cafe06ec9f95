"""How many pairs of runs a measure tells apart: what makes one measure, or one test collection, keener than another."""

from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.pairs import Pairs


@dataclass(frozen=True, eq=False)
class DiscriminativePower:
    """The share of pairs told apart, and the curve that shows it for every alpha at once.

    `curve` holds the adjusted p of the pairs (achieved significance levels), greatest first, (n_pairs,): drawn against
    the number of pairs, a keener measure lies lower. `share` is the part of it at most `alpha`.
    """

    alpha: float
    share: float
    n_apart: int
    n_pairs: int
    curve: Floats = field(repr=False)


def discriminative_power(pairs: Pairs, *, alpha: float = 0.05) -> DiscriminativePower:
    """Of pairs that were tested on the values of one measure: how many have an adjusted p ≤ `alpha`.

    It speaks of the measure only beside others on the same runs, topics, test and correction. With a sampled test no p
    is below 1 / (n_draws + 1): under many pairs and a correction take enough draws. Raises `ValueError` for an alpha
    outside (0, 1).

    Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006, who uses the bootstrap test and no
    correction.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha lies between 0 and 1, not {alpha}")
    n_apart = int(np.count_nonzero(pairs.adjusted <= alpha))
    return DiscriminativePower(
        alpha=alpha,
        share=n_apart / len(pairs),
        n_apart=n_apart,
        n_pairs=len(pairs),
        curve=np.sort(pairs.adjusted)[::-1].copy(),
    )
