"""Resampling of clusters: whole clusters are drawn with replacement, as many as a variant has.

Where chance assigned clusters (users) and the log has their units (sessions), units of one cluster
are alike, and intervals from independent units are too narrow. Sums are kept by cluster, so that a
draw weighs each cluster by how often it was drawn: the same as copying its units.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.formats.threads import worked_ahead
from evaluation.engine.ab_tests.effects import Effect, Estimated, UnitMeasure, effect_of, refuse_constant
from evaluation.engine.ab_tests.moments import Moments
from evaluation.engine.arrays import Floats

REPLICATES, SEED = 1000, 0
EVERY_BIT = 2**64 - 1
TOGETHER = 8  # replicates that a block is multiplied by at once
BLOCK = 1 << 16  # clusters whose counts fit the processor's cache; 16 random bits name one of them
SPAN = 1 << 12  # clusters of a block multiplied at once: few enough that BLAS starts no threads of its own
Picks = NDArray[np.uint16]  # (n_drawn,) places in a block


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
    One stream of numbers is drawn here; threads count and add up. Memory: the sums, and the counts of a few blocks.
    Raises `ValueError` for fewer than 2 clusters or replicates.

    Field and Welsh, Bootstrapping clustered data, JRSS B 69, 2007: the randomized cluster bootstrap.
    """
    if min(clusters.n, n_replicates) < 2:
        raise ValueError("every variant needs at least 2 clusters, and the bootstrap at least 2 replicates")
    blocks = [clusters.sums[at : at + BLOCK] for at in range(0, clusters.n, BLOCK)]
    share = [len(block) / clusters.n for block in blocks]
    total = np.zeros((n_replicates, clusters.sums.shape[1]))

    def draws() -> Iterator[tuple[slice, Floats, list[Picks]]]:
        for at in range(0, n_replicates, TOGETHER):
            rows = slice(at, min(at + TOGETHER, n_replicates))
            drawn = rng.multinomial(clusters.n, share, rows.stop - at)
            for block, sizes in zip(blocks, drawn.T.tolist(), strict=True):
                yield rows, block, [_picks(len(block), size, rng) for size in sizes]

    for (rows, block, _), sums in worked_ahead(_summed, draws()):
        total[rows] += sums
        if block is blocks[-1]:
            watch(rows.stop)
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

    Raises `ValueError` for a measure that varies in neither variant or in no draw, and a denominator that is 0 in one.
    """
    refuse_constant(measure, groups)
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


def _picks(n: int, size: int, rng: np.random.Generator) -> Picks:
    """So many of `n` places, at most `BLOCK`, drawn with replacement."""
    if n < BLOCK:
        return rng.integers(0, n, size, dtype=np.uint16)
    four = rng.integers(0, EVERY_BIT, -(-size // 4), dtype=np.uint64, endpoint=True)
    return four.view(np.uint16)[:size]


def _summed(draw: tuple[slice, Floats, list[Picks]]) -> Floats:
    """The sums of a block's clusters over each of its draws, (n_replicates, n_columns + 1)."""
    _, block, picks = draw
    times = np.empty((len(picks), len(block)))
    for row, pick in zip(times, picks, strict=True):
        row[:] = np.bincount(pick, minlength=len(block))
    spans = [np.s_[at : at + SPAN] for at in range(0, len(block), SPAN)]
    return np.asarray(np.sum([times[:, span] @ block[span] for span in spans], axis=0))
