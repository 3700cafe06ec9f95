"""How many dimensions are used: dead ones, effective rank, two stable ranks, a verdict."""

from dataclasses import dataclass

import numpy as np

from evaluation.engine.space.rows import Vectors, centred

DEAD = 0.01  # variance below which a dimension is dead
DEAD_SHARE, RANK_SHARE = 0.10, 0.30  # beyond which a space is called collapsed


@dataclass(frozen=True)
class Collapse:
    """Of rows without their mean, with singular values σ. Ranks are 0 where all rows are equal."""

    dim: int
    dead: int  # dimensions whose variance (n − 1) is below 0.01
    effective_rank: float  # exp of the entropy of σ / Σσ: Roy and Vetterli, EUSIPCO 2007
    stable_rank_of_sums: float  # (Σσ)² / Σσ², which tutorials call stable rank
    stable_rank: float  # ‖·‖F² / σ1², the textbooks': Rudelson and Vershynin, 2007

    @property
    def is_collapsed(self) -> bool:
        """More than 10 % of the dimensions are dead, or the effective rank is below 30 % of them."""
        return self.dead > DEAD_SHARE * self.dim or self.effective_rank < RANK_SHARE * self.dim


def collapse(vector: Vectors) -> Collapse:
    """`vector` (n_rows, dim), two rows at least. The variance of a dead dimension is in the units of the vectors."""
    rows = centred(vector)
    dead = int((rows.var(axis=0, ddof=1) < DEAD).sum())
    value = np.linalg.svd(rows, compute_uv=False)
    if not value[0] > 0:
        return Collapse(rows.shape[1], dead, 0.0, 0.0, 0.0)
    share = value[value > 0] / value.sum()
    entropy = float(-(share * np.log(share)).sum())
    squares = float((value**2).sum())
    return Collapse(
        rows.shape[1],
        dead,
        float(np.exp(entropy)),
        float(value.sum()) ** 2 / squares,
        squares / float(value[0]) ** 2,
    )
