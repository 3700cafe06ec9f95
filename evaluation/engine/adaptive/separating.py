"""Separating: the pairs that decide which runs are better, among runs that cannot be told apart yet."""

from dataclasses import dataclass, field

import numpy as np

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, in_turns, is_open, noise
from evaluation.engine.adaptive.regression import ExpectedGrades, design_of, expected_grades
from evaluation.engine.arrays import Floats, Ints

RANDOM, TINY = 1e-6, 1e-12  # a share of a score, so that equal ones come in random order; no variance at all
LEAST_BEST = 1.0  # best DCG of a topic: that of one document of grade 1, however little a regression expects


@dataclass(frozen=True, eq=False)
class ExpectedOrder:
    """What the runs' means are expected to be, and how many pairs of runs may still stand the wrong way round."""

    mean: Floats = field(repr=False)  # (n_runs,)
    n_wrong: float  # expected pairs of runs in the wrong order
    share: Floats = field(repr=False)  # (n_pairs,) of these, what each unjudged pair has part in; their sum is n_wrong


def expected_order(candidates: Candidates, expected: ExpectedGrades, cutoff: int) -> ExpectedOrder:
    """By nDCG of the expected grades.

    Two runs differ in the mean by δ with the variance V = Σ v (w_i − w_j)² / (T · ideal DCG)² over the pairs, v being a
    pair's variance and w its discount in either run. Φ(−|δ| / √V) is how probable it is that they stand the wrong way
    round, as far as the model goes; each pair's share of it is its share of V.

    After Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006, who ask the
    same of AP.
    """
    from scipy.special import ndtr  # slow to import, and what only looks at methods does not need it

    weight = cut_discount(candidates, cutoff)
    best = np.maximum(ideal_dcg(candidates, expected.grade, cutoff), LEAST_BEST)
    mean = (candidates.totals(weight * expected.grade[:, None]) / best[:, None]).mean(axis=0)
    variance = expected.variance / (candidates.n_topics * best[candidates.topic]) ** 2
    covariance = weight.T @ (weight * variance[:, None])
    own = np.diag(covariance)
    of_pair = np.maximum(own[:, None] + own[None, :] - 2 * covariance, TINY)
    wrong = ndtr(-np.abs(mean[:, None] - mean[None, :]) / np.sqrt(of_pair))
    np.fill_diagonal(wrong, 0.0)
    doubt = wrong / of_pair
    laplacian = np.diag(doubt.sum(axis=1)) - doubt  # x' L x = Σ over pairs of runs of doubt · (x_i − x_j)²
    share = ((weight @ laplacian) * weight).sum(axis=1) * variance
    return ExpectedOrder(mean, float(wrong.sum() / 2), share)


def next_separating(candidates: Candidates, grade: Ints, n: int, choice: Choice) -> Ints:
    """Up to `n` open pairs with the greatest share in what is undecided; at first one of each topic, at random.

    What is chosen so is worth as much as the regression that goes with it: with unjudged documents counted as not
    relevant, the order of runs comes out worse than with hardly any judgments.
    """
    chance = noise(candidates, choice)
    if not (grade != UNJUDGED).any():
        return in_turns(candidates, grade, chance, min(n, candidates.n_topics))
    expected = expected_grades(design_of(candidates), grade, choice.top)
    share = expected_order(candidates, expected, choice.cutoff).share
    score = np.where(is_open(candidates, grade), share * (1 + RANDOM * chance), -1.0)
    n = min(n, int(np.count_nonzero(score >= 0)))
    return np.argsort(-score, kind="stable")[:n]


def cut_discount(candidates: Candidates, cutoff: int) -> Floats:
    """1 / log2(rank + 1) up to the cutoff. (n_pairs, n_runs)"""
    return np.where(candidates.rank <= cutoff, candidates.discount, 0.0)


def ideal_dcg(candidates: Candidates, gain: Floats, cutoff: int) -> Floats:
    """DCG of the best order of the pairs. (n_topics,)"""
    order = np.lexsort((-gain, candidates.topic))
    rank = np.arange(gain.size) - candidates.start[candidates.topic] + 1
    discount = np.where(rank <= cutoff, 1.0 / np.log2(rank + 1.0), 0.0)
    return candidates.totals(gain[order] * discount)
