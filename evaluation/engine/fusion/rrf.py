"""Reciprocal rank fusion."""

from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries
from evaluation.engine.fusion.method import Method
from evaluation.engine.pooling import RRF_K

MOST_K = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RRF(Method):
    """Σ 1 / (k + rank) over the runs that have the document. A larger k makes the tops count less.

    Raises `ValueError` for k below 0 or above a million. Cormack, Clarke and Büttcher, Reciprocal rank fusion
    outperforms Condorcet and individual rank learning methods, SIGIR 2009.
    """

    k: int = RRF_K

    title = "RRF"
    meaning = "Sum of 1 / (k + rank). Looks at ranks alone; a safe first choice."

    def __post_init__(self) -> None:
        if not 0 <= self.k <= MOST_K:
            raise ValueError(f"k of RRF is from 0 to {MOST_K:,}, not {self.k}")

    def fused(self, entries: Entries) -> Floats:
        return entries.total(1.0 / (self.k + entries.rank))
