"""Resampling of clusters: whole clusters are drawn with replacement, as many as a variant has.

Where chance assigned clusters (users) and the log has their units (sessions), units of one cluster are alike, and
intervals from independent units are too narrow. Sums are kept by cluster, so that a draw weighs each cluster by how
often it was drawn: the same as copying its units.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotation.formats.threads import worked_ahead
from evaluation.engine.arrays import Floats
from evaluation.engine.experiments.effects import Effect, Estimated, UnitMeasure, effect_of
from evaluation.engine.experiments.moments import Moments

REPLICATES, SEED = 1000, 0
BLOCK = 1 << 16  # clusters whose counts fit the processor's cache
Drawn: TypeAlias = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Clusters:
    """Of one variant: `sums` (n_clusters, n_columns + 1) of each column over a cluster's units, and their number."""

    sums: Floats

    @property
    def n(self) -> int:
        return len(self.sums)

    def events(self, column: int) -> int:
        """Clusters whose sum is not 0."""
        return int(np.count_nonzero(self.sums[:, column]))


@dataclass(frozen=True, eq=False)
class Replicates:
    """`mean` (n_replicates, n_columns): over the units of each draw of `n_clusters`."""

    n_clusters: int
    mean: Floats


def replicates_of(
    clusters: Clusters,
    rng: np.random.Generator,
    *,
    n_replicates: int = REPLICATES,
    watch: Callable[[int], None] = lambda _done: None,
) -> Replicates:
    """Draw as many clusters as there are, with replacement, `n_replicates` times.

    Blocks of clusters share the draws multinomially, then each block draws its own: together they are one draw of all.
    One thread draws and others count: what is drawn does not depend on them. Memory: the sums, the counts of a block a
    thread, and 2 bytes a cluster of each of the few replicates that wait. Raises `ValueError` for fewer than 2 clusters
    or replicates.

    Field and Welsh, Bootstrapping clustered data, JRSS B 69, 2007: the randomized cluster bootstrap.
    """
    if min(clusters.n, n_replicates) < 2:
        raise ValueError("every variant needs at least 2 clusters, and the bootstrap at least 2 replicates")
    blocks = [clusters.sums[at : at + BLOCK] for at in range(0, clusters.n, BLOCK)]
    total = np.empty((n_replicates, clusters.sums.shape[1]))
    for at, one in enumerate(_totals(blocks, n_replicates, rng)):
        total[at] = one
        watch(at + 1)
    return Replicates(clusters.n, total[:, :-1] / total[:, -1:])


def cluster_effect(
    measure: UnitMeasure,
    groups: tuple[Moments, Moments],
    draws: tuple[Replicates, Replicates],
    *,
    alpha: float = 0.05,
    covariate: int | None = None,
    theta: float | None = None,
) -> Effect:
    """The difference, with the standard deviation of the draws as its error, and Student's interval with Welch's
    degrees of freedom over clusters. Pairs are control, treatment; θ is that of the log in each draw.

    Raises `ValueError` for a measure that varies in no draw, and a denominator that is 0 in one.
    """
    sides = []
    for group, drawn in zip(groups, draws, strict=True):
        shift = (covariate, theta) if covariate is not None and theta is not None else None
        value, adjusted = _values(measure, group.mean[None, :], shift)
        covariance = np.cov(*_values(measure, drawn.mean, shift))
        sides.append(Estimated(drawn.n_clusters, float(value[0]), float(adjusted[0]), covariance))
    return effect_of(measure, *sides, alpha=alpha, theta=theta)


def _values(measure: UnitMeasure, mean: Floats, shift: tuple[int, float] | None) -> tuple[Floats, Floats]:
    """`mean` (n, n_columns) to the measure (n,), plain and less the covariate's part."""
    value = mean[:, measure.column]
    if measure.denominator is not None:
        if not mean[:, measure.denominator].all():
            raise ValueError(f"{measure.name}: the mean of the denominator is 0")
        value = value / mean[:, measure.denominator]
    return value, value if shift is None else value - shift[1] * mean[:, shift[0]]


def _totals(blocks: list[Floats], n_replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
    """The sums of each replicate, in order; of a single block without threads, which cost more than they save."""
    draws = (_draws(blocks, rng) for _ in range(n_replicates))
    if len(blocks) == 1:
        return (_total(blocks, drawn) for drawn in draws)
    return (total for _, total in worked_ahead(partial(_total, blocks), draws))


def _draws(blocks: list[Floats], rng: np.random.Generator) -> list[Drawn]:
    """Of each block, the places of the clusters drawn."""
    n = sum(len(block) for block in blocks)
    share = [len(block) / n for block in blocks]
    shared = rng.multinomial(n, share) if len(blocks) > 1 else [n]
    return [rng.integers(0, len(block), size, dtype=np.uint16) for block, size in zip(blocks, shared, strict=True)]


def _total(blocks: list[Floats], draws: list[Drawn]) -> Floats:
    """The sums of the clusters drawn."""
    total = np.zeros(blocks[0].shape[1])
    for block, drawn in zip(blocks, draws, strict=True):
        total += np.bincount(drawn, minlength=len(block)).astype(np.float64) @ block
    return total
