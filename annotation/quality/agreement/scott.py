"""Scott's pi of two people: W. A. Scott, Reliability of content analysis: the case of nominal scale coding, Public
Opinion Quarterly 19 (1955).

As Cohen's kappa, but chance is computed from the grades of both together: the two are taken for interchangeable, so a
difference in leniency counts as disagreement. Fleiss' kappa is the same for more people.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from annotation.quality.agreement.result import Agreement
from annotation.quality.agreement.two import agreement_of_two, table_of_two
from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, Ints, divided


def scott_pi(
    table: ArrayLike, *, weights: Weights = Weights.UNWEIGHTED, values: Sequence[int] | Ints | None = None
) -> Agreement:
    """`table`: (n_grades, n_grades), items by the grades of the two. Undefined without a shared item, and where both
    gave one and the same grade throughout."""
    counts, grades = table_of_two(table, values)
    observed, expected = _shares(counts, grades, weights)
    return agreement_of_two(counts, beyond_chance(observed, expected), observed, expected)


def scott_values(tables: Ints | Floats, values: Ints, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…, n_grades, n_grades) → (…): pi of each table, NaN where undefined."""
    return beyond_chance(*_shares(tables, values, weights))


def _shares(tables: Ints | Floats, values: Ints, weights: Weights) -> tuple[Floats, Floats]:
    """Agreement observed and expected, (…) each."""
    weight = agreement_weights(values, weights)
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    both = tables.sum(axis=-1) + tables.sum(axis=-2)  # (…, n_grades)
    return divided((tables * weight).sum(axis=(-2, -1)), n), divided(((both @ weight) * both).sum(axis=-1), 4 * n * n)
