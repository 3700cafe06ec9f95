"""Everybody has a confusion matrix of their own.

A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM
Algorithm, Applied Statistics 28 (1979) 20–28. Here each row of a matrix has a Dirichlet prior, so
that few judgments say little.
"""

import numpy as np

from annotation.quality.arrays import Floats
from annotation.quality.consolidation.consolidated import Consolidated, Known, most_probable
from annotation.quality.consolidation.em import Fit, fit
from annotation.quality.consolidation.rule import ConsolidationRule
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes

SMOOTHING = 1.0  # pseudo-judgments of each person on each true grade, spread over the grades as everybody gives them
FLOOR = 1e-10  # of a count, where there is no smoothing


def dawid_skene_grade(votes: Votes, scale: Scale, known: Known) -> Consolidated:
    """grade = the most probable one, of equally probable ones the lowest; confidence = its probability."""
    return most_probable(fit_dawid_skene(votes, scale, known).posterior, votes, scale)


def fit_dawid_skene(votes: Votes, scale: Scale, known: Known, *, smoothing: float = SMOOTHING, **further: float) -> Fit:
    """π_a(g | t) = (n_a(g, t) + s m(g | t)) / (n_a(t) + s), where n are expected counts and m is everybody's matrix.

    Without smoothing (0) it is the estimate of the paper, counts not below 1e-10. `further`: of `em.fit`. One voter
    alone, or voters who never meet, confirm themselves: the grades are then their own and the confidence says nothing.
    """

    def step(counts: Floats, _before: Floats | None) -> Floats:
        return _smoothed(counts, smoothing) if smoothing else _floored(counts)

    return fit(votes, scale, known, step, **further)  # type: ignore[arg-type]


def _smoothed(counts: Floats, smoothing: float) -> Floats:
    """(n_voters, given, true) → log π; m itself is smoothed by one pseudo-judgment a true grade."""
    total = counts.sum(axis=0) + 1 / counts.shape[1]  # (given, true)
    everybody = total / total.sum(axis=0)
    rows = counts.sum(axis=1, keepdims=True)  # (n_voters, 1, true)
    return np.asarray(np.log((counts + smoothing * everybody) / (rows + smoothing)))


def _floored(counts: Floats) -> Floats:
    """The same without smoothing. A grade that a voter never gave plays no part in that voter's matrix."""
    gave = counts.sum(axis=2, keepdims=True) > 0
    floored = np.maximum(counts, FLOOR) * gave
    share = floored / floored.sum(axis=1, keepdims=True)
    return np.asarray(np.log(np.maximum(share, np.finfo(np.float64).tiny)))


DAWID_SKENE = ConsolidationRule(
    "dawid_skene",
    "Dawid–Skene: everybody’s own confusion of grades",
    dawid_skene_grade,
    weighs_errors=True,
    has_posterior=True,
)
