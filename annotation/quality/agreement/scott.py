"""Scott's pi of two people: W. A. Scott, Reliability of content analysis: the case of nominal scale
coding, Public Opinion Quarterly 19 (1955).

As Cohen's kappa, but chance is computed from the grades of both together: the two are taken for
interchangeable, so a difference in leniency counts as disagreement. Fleiss' kappa is the same for
more people.
"""

import numpy as np

from annotation.quality.agreement.weights import Weights, agreement_weights, beyond_chance
from annotation.quality.arrays import Floats, Ints, divided


def scott_values(tables: Ints | Floats, values: Ints, *, weights: Weights = Weights.UNWEIGHTED) -> Floats:
    """(…, n_grades, n_grades) → (…): pi of each table, items by the grades of the two. NaN without a shared item, and
    where both gave one and the same grade throughout."""
    weight = agreement_weights(values, weights)
    n = tables.sum(axis=(-2, -1)).astype(np.float64)
    both = tables.sum(axis=-1) + tables.sum(axis=-2)  # (…, n_grades)
    observed = divided((tables * weight).sum(axis=(-2, -1)), n)
    return beyond_chance(observed, divided(((both @ weight) * both).sum(axis=-1), 4 * n * n))
