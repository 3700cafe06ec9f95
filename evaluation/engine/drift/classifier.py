"""Whether a classifier can tell the window from the reference."""

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints
from evaluation.engine.beyond.alarms import partial_auc
from evaluation.engine.drift.distances import Tested
from evaluation.engine.drift.sides import blocks, permutation_p

FOLDS = 5
RIDGE = 0.1  # times the rows, for columns of variance 1


def domain_auc(row: Floats, is_window: Bools, n_permutations: int, rng: np.random.Generator) -> Tested:
    """Area under the ROC curve of a ridge classifier of the sides, the mean over five folds that it did not see; ½ is
    chance, and it may fall below.

    `row` (n_rows, dim), `is_window` (n_rows,), ten rows of each side at least. Folds have equal shares of both sides;
    permutations deal the sides anew within each fold, which keeps them so. The classifier is linear: a wider spread
    around the same centre escapes it. Lopez-Paz and Oquab, Revisiting classifier two-sample tests, ICLR 2017.
    """
    fold = _folds(is_window, rng)
    deal = _dealt_within(is_window, fold, n_permutations, rng)
    value = np.zeros(1 + n_permutations)
    for number in range(FOLDS):
        unseen = fold == number
        for part in blocks(1 + n_permutations):
            score = _scores(row[~unseen], deal[~unseen, part].astype(np.float64), row[unseen])
            value[part] += [partial_auc(one, side) for one, side in zip(score.T, deal[unseen, part].T, strict=True)]
    return Tested(float(value[0] / FOLDS), permutation_p(value / FOLDS))


def _folds(is_window: Bools, rng: np.random.Generator) -> Ints:
    """A fold of each row, equally many of each side up to one."""
    fold = np.zeros(is_window.size, np.int64)
    for side in (False, True):
        at = np.flatnonzero(is_window == side)
        fold[rng.permutation(at)] = np.arange(at.size) % FOLDS
    return fold


def _dealt_within(is_window: Bools, fold: Ints, n: int, rng: np.random.Generator) -> Bools:
    """(n_rows, 1 + n)."""
    deal = np.repeat(is_window[:, None], 1 + n, axis=1)
    for number in range(FOLDS):
        at = np.flatnonzero(fold == number)
        deal[at, 1:] = rng.permuted(deal[at, 1:], axis=0)
    return deal


def _scores(seen: Floats, target: Floats, unseen: Floats) -> Floats:
    """Ridge regression of each target on the rows seen, at those unseen: (n_unseen, n_targets)."""
    mean, deviation = seen.mean(axis=0), seen.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0)
    x = (seen - mean) / scale
    gram = x.T @ x
    gram[np.diag_indices_from(gram)] += RIDGE * len(x)
    weight = np.linalg.solve(gram, x.T @ (target - target.mean(axis=0)))
    return np.asarray((unseen - mean) / scale @ weight)
