"""CombSUM: the sum of normalised scores."""

from dataclasses import dataclass

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries
from evaluation.engine.fusion.method import Method
from evaluation.engine.fusion.normalisation import Normalisation, check_normalisation, normalised


@dataclass(frozen=True, kw_only=True)
class CombSUM(Method):
    """Σ normalised score over the runs that have the document; a run that lacks it adds 0.

    Raises `ValueError` for an unknown normalisation. Fox and Shaw, Combination of multiple searches, TREC-2, 1993.
    """

    normalisation: Normalisation = "min-max"

    title = "CombSUM"
    meaning = "Sum of normalised scores."

    def __post_init__(self) -> None:
        check_normalisation(self.normalisation)

    def fused(self, entries: Entries) -> Floats:
        return entries.total(normalised(entries, self.normalisation))
