"""How the cosines of pairs of rows are distributed."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Ints
from evaluation.engine.space.rows import Vectors, unit_rows

EXACT_ROWS, PAIRS, BINS = 2000, 200_000, 40


@dataclass(frozen=True, eq=False)
class Cosines:
    """Counts in bins of equal width from −1 to 1, the last closed on both ends."""

    count: Ints  # (BINS,)
    n_pairs: int  # all of different rows, or those that were drawn
    is_sample: bool


def cosines(vector: Vectors, rng: np.random.Generator) -> Cosines:
    """`vector` (n_rows, dim), two rows at least, none zero. All pairs of up to 2000 rows, else 200,000 drawn ones."""
    unit = unit_rows(vector)
    if len(unit) <= EXACT_ROWS:
        first, second = np.triu_indices(len(unit), 1)
        value = (unit @ unit.T)[first, second]
    else:
        first, second = rng.integers(0, len(unit), (2, PAIRS))
        first, second = first[first != second], second[first != second]
        value = np.einsum("ij,ij->i", unit[first], unit[second])
    count = np.histogram(np.clip(value, -1, 1), BINS, (-1, 1))[0]
    return Cosines(count.astype(np.int64), len(value), len(unit) > EXACT_ROWS)
