"""Sums over items, from which every coefficient of a table of counts is computed.

A coefficient is a function of these few numbers, so that thousands of resamples cost one matrix
product: a resample weighs the items, its sums are weights @ what each item adds.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from annotation.quality.agreement.counts import GradeCounts
from annotation.quality.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Sums:
    """Before each shape may stand an axis of resamples. "Shared" are items with at least two judgments."""

    values: Ints  # (n_grades,)
    coincidence: Floats  # (…, n_grades, n_grades): ordered pairs of judgments of an item, over its n − 1
    matched: Floats  # (…, n_grades, n_grades): the same over n(n − 1), so that each shared item adds 1
    share: Floats  # (…, n_grades): c/n of each item that has a judgment, shared or not
    n_rated: Floats  # (…): items with a judgment
    n_shared: Floats  # (…)
    n_squared: Floats  # (…): Σ n² of shared items
    between: Floats  # (…): Σ (Σ grades)²/n of shared items

    @classmethod
    def of(cls, table: GradeCounts) -> Self:
        """Over all items of the table."""
        rows, times = table.patterns
        return cls.from_flat(times.astype(np.float64) @ added_by(rows, table.values), table.values)

    @classmethod
    def from_flat(cls, flat: Floats, values: Ints) -> Self:
        """`flat`: (…, n_sums), sums of rows of `added_by`."""
        g = len(values)
        square = (*flat.shape[:-1], g, g)
        parts = np.split(flat, np.cumsum([g * g, g * g, g]), axis=-1)
        rest = parts[3]
        return cls(
            values,
            parts[0].reshape(square),
            parts[1].reshape(square),
            parts[2],
            *(rest[..., i] for i in range(4)),
        )

    @property
    def margin(self) -> Floats:
        """(…, n_grades): how often each grade was given on shared items."""
        return np.asarray(self.coincidence.sum(axis=-1))


def added_by(rows: Ints, values: Ints) -> Floats:
    """(n_items, n_sums): what each row of counts, (n_items, n_grades), adds to the sums."""
    counts, g = rows.astype(np.float64), len(values)
    n = counts.sum(axis=1)
    shared, rated = n >= 2, n >= 1
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(g)  # (n_items, n_grades, n_grades)
    coincidence = (pairs / np.maximum(n - 1, 1)[:, None, None]).reshape(-1, g * g)
    matched = coincidence / np.maximum(n, 1)[:, None]
    total = counts @ values
    single = [rated, shared, shared * n**2, shared * total**2 / np.maximum(n, 1)]
    return np.column_stack([coincidence, matched, counts / np.maximum(n, 1)[:, None], *single])
