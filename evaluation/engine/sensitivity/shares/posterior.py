"""Judgments drawn anew: a grade of each pair from its probabilities, calibrated on gold that the policy had not seen.

The policy's confidence becomes the probability that its grade is right, by the curve that pairs of
gold teach which were decided with their gold hidden. What is left goes to the other grades as gold
has them where the policy gives this grade and is wrong.

A grade that is drawn is pulled towards the usual ones, and so is the mean of such draws: by λ, the
part of what grades vary that judgments tell of. Draws scatter by σ about a mean that other
judgments would move by √λ · σ alone. So the draws of a difference are brought nearer to their mean
by √λ: for equal runs, shares are calibrated then.

Reliability λ: T. L. Kelley, Statistical Method (1923).
"""

import math
from collections.abc import Iterator

import numpy as np

from annotation.quality.calibration import fit_calibrator
from annotation.quality.calibration.scores import LEAST
from annotation.quality.crossfit import CrossFit, cross_fit
from annotation.quality.outcome import Source
from annotation.quality.pairs import find
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.order_changes import SAME
from evaluation.engine.sensitivity.cases import UNJUDGED, RunsOfPairs
from evaluation.engine.sensitivity.judgments import Judgments
from evaluation.engine.sensitivity.shares.share import Share, share_above
from evaluation.engine.significance.inputs import Rng, generator

AT_ONCE = 100  # draws


def calibrated_posterior(judgments: Judgments) -> Floats:
    """The probability of each grade of each pair, (n_pairs, n_grades); of a pair without a grade, all 0.

    Raises `ValueError`, in words, for fewer than 20 pairs of gold that judgments decided.
    """
    fitted = cross_fit(judgments.inputs, judgments.policy)
    if fitted.n_kept < LEAST:
        raise ValueError(
            f"grades have no probabilities: they are learned on gold, of {LEAST} pairs or more, and here on "
            f"{fitted.n_kept}"
        )
    fitted = fitted.of(fitted.kept)
    curve = fit_calibrator(fitted.confidence, fitted.right)
    outcome, scale = judgments.outcome, judgments.inputs.scale
    index, is_here = judgments.find(outcome.table.keys_of(outcome))
    kept = np.flatnonzero(is_here & outcome.kept)
    judged = outcome.source[kept] == Source.JUDGED
    right = np.where(judged, curve.probability(outcome.confidence[kept]), 1.0)
    grade = scale.index_of(outcome.grade[kept])
    posterior = np.zeros((judgments.key.size, len(scale.grades)))
    posterior[index[kept]] = (1 - right)[:, None] * _wrong(judgments, fitted)[grade]
    posterior[index[kept], grade] += right
    return posterior


def drawn_grades(posterior: Floats, grades: Ints, *, n_draws: int, rng: Rng) -> Iterator[Ints]:
    """A grade of each pair in each draw, each pair by itself: parts of (n_draws, n_pairs); −1 for one without a grade.

    `grades`: (n_grades,), those of the scale.
    """
    reached, draw = posterior.cumsum(axis=1), generator(rng)
    for first in range(0, n_draws, AT_ONCE):
        uniform = draw.random((min(AT_ONCE, n_draws - first), len(posterior)))
        index = np.zeros(uniform.shape, np.int64)
        for column in reached[:, :-1].T:
            index += uniform >= column
        yield np.where(reached[:, -1] > 0, grades[index], UNJUDGED)


def drawn_means(judgments: Judgments, runs: RunsOfPairs, *, n_draws: int, rng: Rng) -> Floats:
    """The mean of each run under judgments drawn anew, (n_draws, n_runs). Raises as `calibrated_posterior`."""
    posterior, grades = calibrated_posterior(judgments), judgments.inputs.scale.values
    draws = [runs.means(grade) for grade in drawn_grades(posterior, grades, n_draws=n_draws, rng=rng)]
    return as_judged_anew(np.concatenate(draws), reliability(posterior, grades))


def reliability(posterior: Floats, grades: Ints) -> float:
    """Of all that grades vary, the part between pairs rather than within a pair's probabilities; of pairs in doubt.

    `posterior`: (n_pairs, n_grades). 1 where no grade is in doubt.
    """
    mean = posterior @ grades
    doubt = posterior @ grades**2 - mean**2
    open_ = (posterior.sum(axis=1) > 0) & (doubt > SAME)
    if not open_.any():
        return 1.0
    return float(mean[open_].var() / (mean[open_].var() + doubt[open_].mean()))


def as_judged_anew(draws: Floats, part: float) -> Floats:
    """Draws, (n_draws, n_runs), with the scatter that other judgments of such a reliability would give them."""
    middle = draws.mean(axis=0)
    return np.asarray(middle + math.sqrt(part) * (draws - middle))


def share_by_grades(difference: Floats) -> Share:
    """From the difference of two runs' means under judgments drawn anew, (n_draws,)."""
    return Share("judgments", share_above(difference), float(difference.std()), difference.size)


def _wrong(judgments: Judgments, fitted: CrossFit) -> Floats:
    """(n_given, n_true): the chance of each other grade where the given one is wrong.

    Each row begins with one pair, spread as often as gold has a grade and as far away as wrong grades of any row are.
    """
    inputs, scale = judgments.inputs, judgments.inputs.scale
    at, _ = find(inputs.table.keys_of(fitted), inputs.table.keys_of(inputs.gold))
    true, grade = scale.index_of(inputs.gold.grade[at]), scale.index_of(fitted.grade)
    index = np.arange(len(scale.grades))
    distance, counts = np.abs(index[:, None] - index), np.zeros((index.size, index.size))
    np.add.at(counts, (grade, true), 1.0)
    np.fill_diagonal(counts, 0.0)
    so_far = np.bincount(distance.ravel(), counts.ravel()) + 1.0 / (index.size - 1)
    start = so_far[distance] * (np.bincount(true, minlength=index.size) + 1.0)
    np.fill_diagonal(start, 0.0)
    counts += start / start.sum(axis=1, keepdims=True)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
