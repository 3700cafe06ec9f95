"""Kendall's W, the coefficient of concordance: M. G. Kendall and B. Babington Smith, The problem of
m rankings, Annals of Mathematical Statistics 10 (1939), with the correction for ties of M. G.
Kendall, Rank Correlation Methods (1948).

How far people put the items into the same order, however leniently each of them grades: 1 the same
order, 0 none.
"""

import numpy as np

from annotation.quality.agreement.complete import CompleteGrades
from annotation.quality.agreement.result import Agreement
from annotation.quality.arrays import Floats

_NO_ORDER = "Everybody gave one grade throughout, which puts the items into no order."


def kendall_w(complete: CompleteGrades) -> Agreement:
    """Undefined unless everybody judged every item, and where nobody tells items apart."""
    if not complete.usable:
        return complete.agreement(np.nan, _NO_ORDER)
    n_items, n_annotators = complete.grade.shape
    rank, ties = _ranks(complete.grade)
    total = rank.sum(axis=1)  # (n_items,)
    scatter = ((total - total.mean()) ** 2).sum()
    most = (n_annotators**2 * (n_items**3 - n_items) - n_annotators * ties.sum()) / 12
    return complete.agreement(scatter / most if most > 0 else np.nan, _NO_ORDER)


def _ranks(grade: Floats) -> tuple[Floats, Floats]:
    """(n_items, n_annotators): ranks within each person from 1, tied ones their mean. (n_annotators,): Σ (t³ − t)."""
    n_annotators = grade.shape[1]
    values, index = np.unique(grade, return_inverse=True)
    cell = np.arange(n_annotators) * len(values) + index.reshape(grade.shape)
    n = np.bincount(cell.reshape(-1), minlength=n_annotators * len(values)).reshape(n_annotators, len(values))
    middle = np.cumsum(n, axis=1) - (n - 1) / 2  # mean rank of each grade of each person
    return middle.reshape(-1)[cell], (n.astype(np.float64) ** 3 - n).sum(axis=1)
