"""A classifier that looks for any trace: logistic regression on plain, squared and one-hot features, in held-out parts.

Small and written here on purpose: it has to find a leak, not to win a prize. That it does find one is tested too.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Array = NDArray[Any]

FEW = 40  # a feature of at most so many different values is also taken value by value
RIDGE = 10.0
STEPS = 25


def auc(truth: Array, score: Array) -> float:
    """Area under the ROC curve by ranks, ties counting half. `truth` (n,) of 0 and 1; `score` (n,)."""
    n_true = int(truth.sum())
    n_false = len(truth) - n_true
    return float((rankdata(score)[truth == 1].sum() - n_true * (n_true + 1) / 2) / (n_true * n_false))


def held_out_auc(features: Array, truth: Array, groups: Sequence[int]) -> float:
    """The AUC of scores that each group (a person) gets from a classifier trained on the others' fifths.

    `features` (n, d), `truth` (n,) of 0 and 1, `groups` (n,). The AUC is taken within each fifth and averaged, as
    scores of different classifiers are not on one scale.
    """
    wide = widened(features)
    fifth = np.asarray(groups) % 5
    aucs = []
    for part in range(5):
        train, test = fifth != part, fifth == part
        weights = _fit(wide[train], truth[train])
        aucs.append(auc(truth[test], wide[test] @ weights))
    return float(np.mean(aucs))


def widened(features: Array) -> Array:
    """Each feature standardised, its square, and one column a value where the values are few; a constant first."""
    columns = [np.ones(len(features))]
    for feature in features.T:
        values = np.unique(feature)
        if len(values) == 1:
            continue
        plain = (feature - feature.mean()) / feature.std()
        columns += [plain, plain**2]
        if len(values) <= FEW:
            columns += [(feature == value).astype(float) for value in values]
    return np.column_stack(columns)  # (n, wide)


def _fit(features: Array, truth: Array) -> Array:
    """Logistic regression with a ridge, by Newton's steps; (wide,)."""
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (truth - chance) - RIDGE * weights
        bend = (features.T * (chance * (1 - chance))) @ features + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights
