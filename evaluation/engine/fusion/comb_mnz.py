"""CombMNZ: the sum of normalised scores, times how many runs have the document."""

from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.comb_sum import CombSUM
from evaluation.engine.fusion.entries import Entries


@dataclass(frozen=True, kw_only=True)
class CombMNZ(CombSUM):
    """CombSUM × the number of runs that have the document, whatever score they give it.

    With z-scores, sums below 0 become lower the more runs agree: min-max is what the paper's idea fits.
    Raises `ValueError` for an unknown normalisation. Fox and Shaw, Combination of multiple searches, TREC-2, 1993.
    """

    title = "CombMNZ"
    meaning = "CombSUM times the number of runs that have the document."

    def fused(self, entries: Entries) -> Floats:
        return super().fused(entries) * entries.count()
