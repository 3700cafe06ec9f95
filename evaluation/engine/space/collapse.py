"""How many dimensions are used: those that hardly vary, effective rank, two stable ranks, a verdict by two rules."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.space.rows import Vectors, centred

DEAD = 0.01  # variance below which a dimension is dead
FAINT = 0.01  # share of the mean variance up to which a dimension is faint
SHARE, RANK_SHARE = 0.10, 0.30  # of dimensions, beyond which a space is called collapsed


@dataclass(frozen=True)
class Collapse:
    """Of rows without their mean, with singular values σ. Ranks are 0 where all rows are equal."""

    dim: int
    directions: int  # that there can be: rows span no more than one fewer than their number
    dead: int  # dimensions whose variance (n − 1) is below 0.01, in the units of the vectors
    faint: int  # dimensions whose variance is at most 0.01 of the mean variance, whatever the units
    effective_rank: float  # exp of the entropy of σ / Σσ: Roy and Vetterli, EUSIPCO 2007
    stable_rank_of_sums: float  # (Σσ)² / Σσ², which tutorials call stable rank
    stable_rank: float  # ‖·‖F² / σ1², the textbooks': Rudelson and Vershynin, 2007

    @property
    def is_collapsed(self) -> bool:
        """More than 10 % of the dimensions are faint, or the effective rank is below 30 % of the directions: the same
        for vectors that are all multiplied by one number."""
        return self.faint > SHARE * self.dim or self.effective_rank < RANK_SHARE * self.directions

    @property
    def is_collapsed_in_units(self) -> bool:
        """As tutorials have it: more than 10 % of dimensions are dead, or the effective rank is below 30 % of them."""
        return self.dead > SHARE * self.dim or self.effective_rank < RANK_SHARE * self.dim


def collapse(vector: Vectors) -> Collapse:
    """`vector` (n_rows, dim), two rows at least."""
    rows = centred(vector)
    dim, directions = rows.shape[1], min(rows.shape[1], len(rows) - 1)
    variance = rows.var(axis=0, ddof=1)
    dead, faint = int((variance < DEAD).sum()), int((variance <= FAINT * variance.mean()).sum())
    value = np.linalg.svd(rows, compute_uv=False)
    if not value[0] > 0:
        return Collapse(dim, directions, dead, faint, 0.0, 0.0, 0.0)
    share = value[value > 0] / value.sum()
    entropy = float(-(share * np.log(share)).sum())
    squares = float((value**2).sum())
    sums, largest = float(value.sum()) ** 2 / squares, squares / float(value[0]) ** 2
    return Collapse(dim, directions, dead, faint, float(np.exp(entropy)), sums, largest)
