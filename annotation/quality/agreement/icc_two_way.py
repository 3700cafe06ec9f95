"""Intraclass correlations of people who all judged the same items: K. O. McGraw and S. P. Wong,
Psychological Methods 1 (1996); forms (2,1), (3,1), (2,k) and (3,k) of P. E. Shrout and J. L.
Fleiss, Psychological Bulletin 86 (1979).

ICC(A, ·) asks for the same grades, ICC(C, ·) only for grades that rise and fall together: who is
always one grade milder than others agrees fully in the second sense. (·, 1) is of one judgment, (·,
k) of the mean of all k.
"""

from typing import NamedTuple

import numpy as np

from annotation.quality.agreement.complete import CompleteGrades
from annotation.quality.agreement.result import ALIKE, Agreement
from annotation.quality.arrays import Floats

_NOISE = 1e-12
_LITTLE = "The items do not differ in their mean grade, or no more than errors alone make them differ."


class TwoWay(NamedTuple):
    """Agreement (A) and consistency (C) of one judgment and of the mean of all."""

    a_one: Agreement
    c_one: Agreement
    a_mean: Agreement
    c_mean: Agreement


def two_way_icc(complete: CompleteGrades) -> TwoWay:
    """Undefined unless everybody judged every item, and where there is no variance."""
    values = _values(complete.grade) if complete.usable else (np.nan,) * 4
    why = _LITTLE if complete.usable and np.ptp(complete.grade) else ALIKE
    return TwoWay(*(complete.agreement(value, why) for value in values))


def _values(grade: Floats) -> tuple[float, float, float, float]:
    n, k = grade.shape
    items, people, error = _mean_squares(grade)
    return (
        _ratio(items - error, items + (k - 1) * error + k / n * (people - error)),
        _ratio(items - error, items + (k - 1) * error),
        _ratio(items - error, items + (people - error) / n),
        _ratio(items - error, items),
    )


def _mean_squares(grade: Floats) -> tuple[float, float, float]:
    """Between items, between people, and what is left."""
    n, k = grade.shape
    away = grade - grade.mean()
    item, person = away.mean(axis=1, keepdims=True), away.mean(axis=0, keepdims=True)
    left = ((away - item - person) ** 2).sum()
    whole = (away**2).sum()
    parts = [k * (item**2).sum() / (n - 1), n * (person**2).sum() / (k - 1), left / ((n - 1) * (k - 1))]
    items, people, error = (float(part) if part > _NOISE * whole else 0.0 for part in parts)
    return items, people, error


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")
