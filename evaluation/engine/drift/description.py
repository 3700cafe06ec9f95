"""All statistics of drift between a reference and a window."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats
from evaluation.engine.drift.centroid import CentroidShift, centroid_shift
from evaluation.engine.drift.classifier import domain_auc
from evaluation.engine.drift.distances import Tested, bandwidth, distances, energy_distance, mmd
from evaluation.engine.drift.projections import directions, ks_test, psi, psi_without_drift, sliced_wasserstein
from evaluation.engine.drift.sides import pooled, sample_rows, shuffled
from evaluation.engine.significance.corrections import holm

SAMPLE, MOST_SAMPLE = 1000, 4000  # rows of a side; all distances of both sides are held at once
PERMUTATIONS, DIRECTIONS, ALPHA = 999, 50, 0.05
MOST_PERMUTATIONS, MOST_DIRECTIONS = 9999, 500


@dataclass(frozen=True)
class Projections:
    """Over `n` directions. PSI with what it comes to on average without drift; `ks_p` is the least after Holm's
    correction for all directions, `ks_significant` how many are at most alpha."""

    n: int
    sliced_wasserstein: float
    psi_mean: float
    psi_greatest: float
    psi_without_drift: float
    ks_greatest: float
    ks_p: float
    ks_significant: int


@dataclass(frozen=True)
class Drift:
    """Of a sample of rows where a side has more than were asked for: `n_reference` and `n_window` were compared.

    `adjusted`: p of the four tests (mmd, energy, classifier, ks) after Holm's correction.
    """

    rows_reference: int
    rows_window: int
    n_reference: int
    n_window: int
    dim: int
    n_permutations: int
    alpha: float
    centroid: CentroidShift
    mmd: Tested
    bandwidth: float
    energy: Tested
    classifier: Tested
    projections: Projections
    adjusted: dict[str, float]

    @property
    def found(self) -> list[str]:
        """Tests that tell the sides apart at alpha."""
        return [name for name, p in self.adjusted.items() if p <= self.alpha]

    @property
    def is_sample(self) -> bool:
        return (self.n_reference, self.n_window) != (self.rows_reference, self.rows_window)


def drift(
    reference: NDArray[np.floating],
    window: NDArray[np.floating],
    *,
    seed: int,
    sample: int = SAMPLE,
    n_permutations: int = PERMUTATIONS,
    n_directions: int = DIRECTIONS,
    alpha: float = ALPHA,
) -> Drift:
    """Rows (n_reference, dim) and (n_window, dim); scores are rows of one dimension. Memory: 8 bytes times a few times
    the square of both samples. Permutations take rows to be exchangeable: drawn one by one, in no order.

    Raises `ValueError` for fewer than ten rows of a side, different dimensions, what is not finite, a sample outside
    10…4000, permutations outside 99…9999, directions outside 1…500, or a level outside (0, 1).
    """
    _check(sample, n_permutations, n_directions, alpha)
    rng = np.random.default_rng(seed)
    sides = [side[sample_rows(len(side), sample, rng)] for side in (reference, window)]
    row, is_window = pooled(*sides)
    first, second = row[~is_window], row[is_window]
    dealt, distance = shuffled(is_window, n_permutations, rng), distances(row)
    of_mmd, of_energy = mmd(distance, dealt), energy_distance(distance, dealt)
    classifier = domain_auc(row, is_window, n_permutations, rng)
    seen = _projections(first, second, n_directions, alpha, rng)
    p = {"mmd": of_mmd.p, "energy": of_energy.p, "classifier": classifier.p, "ks": seen.ks_p}
    return Drift(
        rows_reference=len(reference),
        rows_window=len(window),
        n_reference=len(first),
        n_window=len(second),
        dim=row.shape[1],
        n_permutations=n_permutations,
        alpha=alpha,
        centroid=centroid_shift(first, second),
        mmd=of_mmd,
        bandwidth=bandwidth(distance),
        energy=of_energy,
        classifier=classifier,
        projections=seen,
        adjusted=dict(zip(p, holm(list(p.values())).tolist(), strict=True)),
    )


def _projections(first: Floats, second: Floats, n: int, alpha: float, rng: np.random.Generator) -> Projections:
    along = directions(first.shape[1], n, rng)
    a, b = first @ along, second @ along
    index = [psi(x, y) for x, y in zip(a.T, b.T, strict=True)]
    greatest, p = zip(*(ks_test(x, y) for x, y in zip(a.T, b.T, strict=True)), strict=True)
    adjusted = holm(p)
    return Projections(
        n=along.shape[1],
        sliced_wasserstein=sliced_wasserstein(a, b),
        psi_mean=float(np.mean(index)),
        psi_greatest=max(index),
        psi_without_drift=psi_without_drift(len(first), len(second)),
        ks_greatest=max(greatest),
        ks_p=float(adjusted.min()),
        ks_significant=int((adjusted <= alpha).sum()),
    )


def _check(sample: int, n_permutations: int, n_directions: int, alpha: float) -> None:
    if not 10 <= sample <= MOST_SAMPLE:
        raise ValueError(f"a sample has 10 to {MOST_SAMPLE} rows of a side, not {sample}")
    if n_permutations < 99 or n_directions < 1:
        raise ValueError(
            f"99 permutations and 1 direction are the least, not {n_permutations} and {n_directions}: "
            "fewer cannot show a small p"
        )
    if n_permutations > MOST_PERMUTATIONS or n_directions > MOST_DIRECTIONS:
        raise ValueError(
            f"{MOST_PERMUTATIONS} permutations and {MOST_DIRECTIONS} directions are the most, "
            f"not {n_permutations} and {n_directions}"
        )
    if not 0 < alpha < 1:
        raise ValueError(f"a level lies between 0 and 1, not {alpha:g}")
