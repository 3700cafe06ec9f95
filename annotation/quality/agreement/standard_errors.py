"""Large-sample standard errors of coefficients, from formulas: how far a coefficient would scatter over other items.

The intervals of the page *Quality* are bootstrap intervals, which need no formula and are asked for
few items. These are what other programs print, and what one reports beside a published figure. The
people stay the same in both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.agreement.fleiss import fleiss_kappa
from annotation.quality.agreement.gwet import gwet_ac2
from annotation.quality.agreement.result import ALIKE, Agreement
from annotation.quality.agreement.two import table_of_two
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, Ints

FEW = "It takes at least two items to say how far the coefficient scatters."


@dataclass(frozen=True)
class StandardError:
    """Of a coefficient: either `value`, or None and a `reason` in plain words. `n_items`: what it rests on."""

    value: float | None
    reason: str
    n_items: int


def cohen_error(
    table: ArrayLike, *, weights: Weights = Weights.UNWEIGHTED, values: Sequence[int] | Ints | None = None
) -> StandardError:
    """Of Cohen's kappa, `table` being (n_grades, n_grades), weighted or not.

    J. L. Fleiss, J. Cohen and B. S. Everitt, Large sample standard errors of kappa and weighted kappa, Psychological
    Bulletin 72 (1969), equation 13, which is their equation 9 without weights.
    """
    counts, grades = table_of_two(table, values)
    n = int(counts.sum())
    if n < 2:
        return StandardError(None, FEW, n)
    share, weight = counts / n, agreement_weights(grades, weights)
    row, column = share.sum(axis=1), share.sum(axis=0)
    observed, expected = (share * weight).sum(), row @ weight @ column
    if np.isnan(beyond_chance(observed, expected)):
        return StandardError(None, ALIKE, n)
    alone = (weight @ column)[:, None] + (row @ weight)[None, :]  # (n_grades, n_grades)
    spread = (share * (weight * (1 - expected) - alone * (1 - observed)) ** 2).sum()
    variance = (spread - (observed * expected - 2 * expected + observed) ** 2) / (n * (1 - expected) ** 4)
    return StandardError(float(np.sqrt(max(variance, 0.0))), "", n)


def fleiss_error(table: GradeCounts, *, weights: Weights = Weights.UNWEIGHTED) -> StandardError:
    """Of Fleiss' kappa, weighted or not, for items with unequal numbers of judgments too.

    K. L. Gwet, Large-sample variance of Fleiss generalized kappa, Educational and Psychological Measurement 81 (2021).
    """
    share = _mean_share(table)
    weight = agreement_weights(table.values, weights)
    return _error(fleiss_kappa(table, weights=weights), table, weight, of_grade=weight @ share)


def gwet_error(table: GradeCounts, *, weights: Weights = Weights.UNWEIGHTED) -> StandardError:
    """Of Gwet's AC1, and with weights of AC2.

    K. L. Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of
    Mathematical and Statistical Psychology 61 (2008); missing judgments: Handbook of Inter-Rater Reliability (2014).
    """
    q, share = len(table.values), _mean_share(table)
    weight = agreement_weights(table.values, weights)
    of_grade = weight.sum() / (q * (q - 1)) * (1 - share) if q > 1 else np.zeros(q)
    return _error(gwet_ac2(table, weights=weights), table, weight, of_grade=of_grade)


def fleiss_error_by_chance(table: GradeCounts) -> StandardError:
    """Of Fleiss' kappa if people agreed by chance alone: kappa over it is the z of the test that there is no agreement.

    J. L. Fleiss, J. C. M. Nee and J. R. Landis, Large sample variance of kappa in the case of different sets of raters,
    Psychological Bulletin 86 (1979), equation 12. Every item needs the same number of judgments, two or more.
    """
    kappa, n_items = fleiss_kappa(table), len(table.counts)
    n = int(table.n[0]) if n_items else 0
    if not kappa.defined:
        return StandardError(None, kappa.reason, n_items)
    if (table.n != n).any():
        return StandardError(None, "The formula asks for the same number of judgments of every item.", n_items)
    share = _mean_share(table)
    spread = (share * (1 - share)).sum()
    skew = (share * (1 - share) * (1 - 2 * share)).sum()
    return StandardError(float(np.sqrt(2 * (spread**2 - skew) / (n_items * n * (n - 1))) / spread), "", n_items)


def _mean_share(table: GradeCounts) -> Floats:
    """Of each grade, the mean of its shares over items that have a judgment. (n_grades,)"""
    rated = table.counts[table.n > 0]
    return np.asarray((rated / table.n[table.n > 0][:, None]).sum(axis=0) / max(len(rated), 1))


def _error(agreement: Agreement, table: GradeCounts, weight: Floats, *, of_grade: Floats) -> StandardError:
    """From what each judged item adds to the coefficient; `of_grade` is what chance agrees with each grade.

    As in Gwet's irrCAC an item with one judgment adds nothing to the agreement seen, which makes the error a little too
    large where many are so.
    """
    rows, n = table.counts[table.n > 0].astype(np.float64), table.n[table.n > 0]
    n_items = len(rows)
    if agreement.value is None or agreement.expected is None:
        return StandardError(None, agreement.reason, n_items)
    if n_items < 2:
        return StandardError(None, FEW, n_items)
    room, shared = 1 - agreement.expected, n >= 2
    alike = (rows * (rows @ weight - 1)).sum(axis=1) / np.maximum(n * (n - 1), 1)  # (n_items,)
    own = n_items / shared.sum() * shared * (alike - agreement.expected) / room
    chance = rows @ of_grade / n - agreement.expected
    added = own - 2 * (1 - agreement.value) * chance / room
    return StandardError(
        float(np.sqrt(((added - agreement.value) ** 2).sum() / (n_items * (n_items - 1)))), "", n_items
    )
