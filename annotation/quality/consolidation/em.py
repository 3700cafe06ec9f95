"""Expectation and maximisation, shared by the models of how people err.

Each pair has one true grade t of prior probability p_t. A person a gives grade g with probability
π_a(g | t), whatever others gave. The models differ in what π may be; each is a `Step` from expected
counts to log π. Logs all the way.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from annotation.quality.arrays import Bools, Floats
from annotation.quality.consolidation.consolidated import Known, without_votes
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts

TOLERANCE = 1e-5  # rounds end once the log-likelihood of a judgment grows by less
MOST_ROUNDS = 100
PRIOR_COUNT = 1.0  # pseudo-pairs that the prior of grades is smoothed with, spread evenly

# Expected counts and the log π of the round before (None in the first), (n_annotators, n_given, n_true) → log π.
Step: TypeAlias = Callable[[Floats, Floats | None], Floats]


@dataclass(frozen=True, eq=False)
class Fit:
    """`posterior`: (n_pairs, n_grades), each row a distribution; that of a pair without votes is the prior, of its
    accepted grades where these are known.
    `log_confusion`: (n_voters, n_given, n_true), log π of those who voted, by ascending code. `prior`: (n_grades,).
    """

    posterior: Floats
    log_confusion: Floats
    prior: Floats
    n_rounds: int
    log_likelihood: float  # of the votes, under the parameters that gave the posterior


def fit(
    votes: Votes,
    scale: Scale,
    known: Known,
    step: Step,
    *,
    even: bool = False,
    prior_count: float = PRIOR_COUNT,
    tolerance: float = TOLERANCE,
    most_rounds: int = MOST_ROUNDS,
) -> Fit:
    """Starts from each pair's shares of votes, so that nothing is left to chance; known pairs keep to their accepted
    grades throughout. Pairs without votes take no part: they would hold the prior back where it began. `even`: all
    grades are equally likely before, instead of as often as the votes make them.

    A round costs a multiplication with each judgment and grade, and an exponential with each pair and grade.
    """
    rounds = partial(
        _rounds,
        scale=scale,
        step=step,
        prior_of=partial(_prior, even=even, prior_count=prior_count),
        tolerance=tolerance,
        most_rounds=most_rounds,
    )
    voted = ~without_votes(votes)
    if voted.all():
        return rounds(votes, known)
    voted_fit = rounds(votes.of(voted), known.of(voted))
    return replace(voted_fit, posterior=_with_others(voted_fit, voted, known))


def _rounds(
    votes: Votes,
    known: Known,
    *,
    scale: Scale,
    step: Step,
    prior_of: Callable[[Floats], Floats],
    tolerance: float,
    most_rounds: int,
) -> Fit:
    """All pairs have votes."""
    by_pair = _sparse(votes, scale)
    by_cell = by_pair.T  # the same numbers, read by columns: everybody's counts are small and stay in the cache
    posterior = _start(votes, scale, known)
    log_confusion: Floats | None = None
    before = -np.inf
    n_rounds = 0
    while n_rounds < most_rounds:
        n_rounds += 1
        prior = prior_of(posterior)
        log_confusion = step(_expected_counts(by_cell, posterior), log_confusion)  # M-step
        posterior, likelihood = _expected_grades(by_pair, log_confusion, prior, known)  # E-step
        if likelihood - before < tolerance * max(len(votes.pair), 1):
            break
        before = likelihood
    assert log_confusion is not None
    return Fit(posterior, log_confusion, prior, n_rounds, likelihood)


def _expected_counts(by_cell: Any, posterior: Floats) -> Floats:
    """(n_voters, given, true): how often each voter gave each grade where each grade is true."""
    n_grades = posterior.shape[1]
    return np.asarray((by_cell @ posterior).reshape(-1, n_grades, n_grades))


def _expected_grades(by_pair: Any, log_confusion: Floats, prior: Floats, known: Known) -> tuple[Floats, float]:
    """`(posterior, log-likelihood)`: log p_t + Σ log π_a(g | t) of each pair, but for grades that gold rules out."""
    joint: Floats = by_pair @ log_confusion.reshape(-1, len(prior))  # (n_pairs, true)
    joint += np.log(prior)
    joint[known.pair] += np.where(known.accepted, 0.0, -np.inf)
    return _normalised(joint)


def _with_others(voted_fit: Fit, voted: Bools, known: Known) -> Floats:
    """(n_pairs, n_grades): with the pairs that have no votes."""
    posterior = np.tile(voted_fit.prior, (len(voted), 1))
    allowed = voted_fit.prior * known.accepted
    posterior[known.pair] = allowed / allowed.sum(axis=1, keepdims=True)
    posterior[voted] = voted_fit.posterior
    return posterior


def _sparse(votes: Votes, scale: Scale) -> Any:
    """Who gave which grade where, as a sparse matrix of counts by rows, (n_pairs, n_cells).

    A cell is a voter and a grade. It is in canonical order, so that sums do not depend on that of the votes.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 -- a web process starts without scipy

    n_grades = len(scale.grades)
    voted = np.bincount(votes.annotator) > 0
    voter = (np.cumsum(voted) - 1)[votes.annotator]
    cell = voter * n_grades + scale.index_of(votes.grade)
    shape = (votes.n_pairs, int(voted.sum()) * n_grades)
    narrow = np.int32 if max(len(cell), *shape) < 2**31 else np.int64
    by_pair = csr_array((np.ones(len(cell)), (votes.pair.astype(narrow), cell.astype(narrow))), shape=shape)
    by_pair.sum_duplicates()
    return by_pair


def _start(votes: Votes, scale: Scale, known: Known) -> Floats:
    counts = grade_counts(votes, scale).astype(np.float64)
    allowed = counts[known.pair] * known.accepted
    none = allowed.sum(axis=1) == 0  # nobody gave an accepted grade
    allowed[none] = known.accepted[none]
    counts[known.pair] = allowed
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _prior(posterior: Floats, *, even: bool, prior_count: float) -> Floats:
    n_grades = posterior.shape[1]
    if even or not len(posterior):
        return np.full(n_grades, 1 / n_grades)
    smoothed = np.maximum(np.einsum("it->t", posterior) + prior_count / n_grades, 1e-10)
    return np.asarray(smoothed / smoothed.sum())


def _normalised(joint: Floats) -> tuple[Floats, float]:
    """Log joint probabilities → (posterior, log-likelihood)."""
    if not len(joint):
        return joint, 0.0
    best = joint[:, 0].copy()
    for column in joint.T[1:]:  # numpy's own reductions along short rows take much longer
        np.maximum(best, column, out=best)
    joint -= best[:, None]
    np.exp(joint, out=joint)
    total = np.einsum("it->i", joint)
    joint /= total[:, None]
    return joint, float(np.log(total).sum() + best.sum())
