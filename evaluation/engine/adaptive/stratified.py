"""A stratified random sample of the pool, whose inclusion probabilities are known."""

from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.adaptive.candidates import Candidates, Choice, is_open, noise
from evaluation.engine.arrays import Bools, Floats, Ints

BANDS = (0.1, 0.4, 1.0)  # of the depth: strata end there


@dataclass(frozen=True, eq=False)
class StratifiedOrder:
    """The first n pairs of `order` are the sample of size n, for any n. A stratum: a band of best ranks of a topic."""

    order: Ints = field(repr=False)  # (n_pooled,) pairs
    stratum: Ints = field(repr=False)  # (n_pairs,) over all topics, from 0; −1 for a pair that is not pooled
    ends: tuple[int, ...]  # of the bands: the last best rank of each

    def chances(self, sampled: Bools) -> Floats:
        """The inclusion probability of each pair when `sampled`, (n_pairs,), was drawn: sampled / pooled of its
        stratum; 0 for a pair that is not pooled. (n_pairs,)"""
        inside = self.stratum >= 0
        n_pooled = np.bincount(self.stratum[inside])
        n_sampled = np.bincount(self.stratum[inside & sampled], minlength=n_pooled.size)
        return np.where(inside, (n_sampled / n_pooled)[self.stratum], 0.0)


def stratified_order(candidates: Candidates, choice: Choice) -> StratifiedOrder:
    """Strata by best rank, within each at random; strata take turns by Neyman's allocation for whole numbers.

    Bands end at a tenth, four tenths and the whole of the depth. The next pair is of the stratum with the greatest
    N · s / √(n (n + 1)), n being those it has given so far, and each stratum gives one before any gives two; s is the
    mean of 1 / log2(best rank + 1), which is how much a document of it counts in DCG. Nothing depends on a grade:
    this is what makes the probabilities known.

    Neyman, On the two different aspects of the representative method, 1934; Wright, The equivalence of Neyman optimum
    allocation for sampling and equal proportions for apportioning the U.S. House of Representatives, 2012. Strata of
    pools: Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    pooled = np.flatnonzero(candidates.is_pooled)
    best, topic = candidates.best_rank[pooled], candidates.topic[pooled]
    ends = tuple(sorted({max(1, int(np.ceil(band * candidates.rank.max()))) for band in BANDS}))
    cell = topic * len(ends) + np.searchsorted(ends, best)
    of_pair = np.unique(cell, return_inverse=True)[1]
    by_chance = noise(candidates, choice)[pooled]
    ordinal = _ordinals(of_pair, by_chance)
    size = np.bincount(of_pair)
    weight = np.bincount(of_pair, 1.0 / np.log2(best + 1.0)) / size
    claim = (size * weight)[of_pair] / np.sqrt(np.maximum(ordinal * (ordinal + 1), 0.5))
    claim[ordinal == 0] += claim.max() + 1  # each stratum once, before any a second time
    stratum = np.full(len(candidates), -1)
    stratum[pooled] = of_pair
    return StratifiedOrder(pooled[np.lexsort((by_chance, -claim))], stratum, ends)


def next_stratified(candidates: Candidates, grade: Ints, n: int, choice: Choice) -> Ints:
    """Up to `n` open pairs: the sample of this seed goes on. For strata and probabilities see `stratified_order`."""
    order = stratified_order(candidates, choice).order
    return order[is_open(candidates, grade)[order]][:n]


def _ordinals(of_pair: Ints, key: Floats) -> Ints:
    """The place of each pair in its stratum, from 0, by ascending key."""
    order = np.lexsort((key, of_pair))
    begin = np.cumsum(np.bincount(of_pair)) - np.bincount(of_pair)
    ordinal = np.empty(of_pair.size, np.int64)
    ordinal[order] = np.arange(of_pair.size) - begin[of_pair[order]]
    return ordinal
