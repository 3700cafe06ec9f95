"""Whether vectors use all directions alike."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.space.rows import Vectors, checked, unit_rows, variances


@dataclass(frozen=True)
class Isotropy:
    """None where all rows are equal, or, for the last, where it is out of float64's reach."""

    partition: float | None  # λmin / mean λ of the covariance: 1 for a ball
    effective_dimensions: float | None  # (Σλ)² / Σλ² / dim, the participation ratio as a share of the dimensions
    top_10: float | None  # share of the variance in the 10 largest directions
    top_50: float | None
    mean_cosine: float  # over all pairs of different rows
    min_max_partition: float | None  # Mu and Viswanath's


def isotropy(vector: Vectors) -> Isotropy:
    """`vector` (n_rows, dim), two rows at least, none zero.

    The last is min Z(c) / max Z(c), Z(c) = Σ exp(c·v), over the eigenvectors c of VᵀV with either sign, rows as they
    are: Mu and Viswanath, All-but-the-Top, ICLR 2018. The mean cosine is that of Ethayarajh, EMNLP 2019.
    """
    spectrum = variances(vector)
    return Isotropy(
        _ratio(float(spectrum[-1]), float(spectrum.mean())),
        _ratio(float(spectrum.sum() ** 2), float((spectrum**2).sum()) * spectrum.size),
        _ratio(float(spectrum[:10].sum()), float(spectrum.sum())),
        _ratio(float(spectrum[:50].sum()), float(spectrum.sum())),
        mean_cosine(vector),
        min_max_partition(vector),
    )


def mean_cosine(vector: Vectors) -> float:
    """Of all pairs of different rows: (|Σû|² − n) / n(n − 1)."""
    unit = unit_rows(vector)
    n, total = len(unit), unit.sum(axis=0)
    return float((total @ total - n) / (n * (n - 1)))


def min_max_partition(vector: Vectors) -> float | None:
    rows = checked(vector)
    direction = np.linalg.eigh(rows.T @ rows)[1]  # columns
    product = rows @ direction  # (n_rows, dim)
    log_sum = np.concatenate([_log_sum_exp(product), _log_sum_exp(-product)])
    return float(np.exp(log_sum.min() - log_sum.max()))


def _log_sum_exp(value: Floats) -> Floats:
    most = value.max(axis=0)
    return np.asarray(most + np.log(np.exp(value - most).sum(axis=0)))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
