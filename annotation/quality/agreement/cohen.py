"""Cohen's kappa of two people: J. Cohen, A coefficient of agreement for nominal scales, Educational
and Psychological Measurement 20 (1960); weighted: Psychological Bulletin 70 (1968).

Agreement beyond what the two would reach at random, each giving the grades as often as they did.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.two import agreement_of_two, table_of_two
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, Ints, divided


def cohen_kappa(
    table: ArrayLike, *, weights: Weights = Weights.UNWEIGHTED, values: Sequence[int] | Ints | None = None
) -> Agreement:
    """`table`: (n_grades, n_grades), items by the grades of the first (rows) and of the second. Undefined without a
    shared item, and where both gave one and the same grade throughout; 0 where only one of them did."""
    counts, grades = table_of_two(table, values)
    observed, expected = _shares(counts, grades, weights)
    return agreement_of_two(counts, beyond_chance(observed, expected), observed, expected)


def cohen_values(tables: Ints | Floats, values: Ints, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…, n_grades, n_grades) → (…): kappa of each table, NaN where undefined."""
    return beyond_chance(*_shares(tables, values, weights))


def _shares(tables: Ints | Floats, values: Ints, weights: Weights) -> tuple[Floats, Floats]:
    """Agreement observed and expected, (…) each."""
    weight = agreement_weights(values, weights)
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)  # (…, n_grades)
    return divided((tables * weight).sum(axis=(-2, -1)), n), divided(((rows @ weight) * columns).sum(axis=-1), n * n)
