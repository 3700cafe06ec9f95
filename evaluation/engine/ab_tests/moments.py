"""What a pass over an experiment's units keeps of each variant: counts, means and sums of products, block by block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Moments:
    """Of the units of one variant. `mean` (n_columns,); `scatter` (n_columns, n_columns): Σ (x − x̄)(x − x̄)ᵀ; `nonzero`
    and `ones` (n_columns,): units whose value is not 0, and units whose value is 1."""

    n: int
    mean: Floats
    scatter: Floats
    nonzero: Ints
    ones: Ints

    @property
    def covariance(self) -> Floats:
        """(n_columns, n_columns), with n − 1."""
        return self.scatter / (self.n - 1)

    def events(self, column: int) -> int:
        """Units whose value is not 0; of a measure of 0 and 1 the rarer of both."""
        nonzero = int(self.nonzero[column])
        return min(nonzero, self.n - nonzero) if nonzero == self.ones[column] else nonzero


def moments_of(value: Floats) -> Moments:
    """`value` (n, n_columns), finite; n at least 1. Numbers whose squares overflow give infinite sums; of equal ones
    `scatter` is exactly 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        centred = value - value[0]  # equal numbers become 0, without what rounding leaves of a mean
        mean = centred.mean(axis=0)
        centred -= mean
        scatter = centred.T @ centred
    return Moments(len(value), value[0] + mean, scatter, (value != 0).sum(axis=0), (value == 1).sum(axis=0))


def merged(parts: Sequence[Moments]) -> Moments:
    """All units together. Chan, Golub and LeVeque, Algorithms for computing the sample variance, American Statistician
    37, 1983: no difference of large sums is taken."""
    whole = parts[0]
    for part in parts[1:]:
        n = whole.n + part.n
        with np.errstate(over="ignore", invalid="ignore"):
            step = part.mean - whole.mean
            scatter = whole.scatter + part.scatter + np.outer(step, step) * (whole.n * part.n / n)
        nonzero, ones = whole.nonzero + part.nonzero, whole.ones + part.ones
        whole = Moments(n, whole.mean + step * (part.n / n), scatter, nonzero, ones)
    return whole


class Accumulator:
    """Moments of each variant, from blocks. Variants are in the order in which they first come."""

    def __init__(self) -> None:
        self.by_variant: dict[str, Moments] = {}

    def add(self, variant: str, value: Floats) -> None:
        """`value` (n, n_columns) of a block's units of this variant. No unit: nothing is added."""
        if len(value):
            before = [self.by_variant[variant]] if variant in self.by_variant else []
            self.by_variant[variant] = merged([*before, moments_of(value)])
