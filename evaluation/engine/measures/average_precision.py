"""Average precision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.measures.parameters import Parameter
from evaluation.engine.rankings import Rankings
from evaluation.engine.trec_eval_names import CUTOFFS


@dataclass(frozen=True, kw_only=True)
class AveragePrecision(BinaryMeasure):
    """The sum of the precision at each relevant document retrieved, over the number of relevant documents.

    `of` says which relevant documents are averaged over. `'all'`, as trec_eval: all R of the qrels, retrieved or not,
    also with a cutoff. `'capped'`: min(k, R). `'found'`: only those retrieved (within the cutoff), so that the measure
    is the mean of the precisions at them and does not know what was missed. None: 0.

    Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000. `'found'` and `'capped'` are what
    tutorials and recommender libraries often print under the same name.
    """

    of: str = "all"

    family: ClassVar[str] = "AP"
    also: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {"MAP": {}}
    cut: ClassVar[Cut] = "may"
    trec_eval: ClassVar[Mapping[str, str]] = {"map": "", "map_cut": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = CUTOFFS
    averages_ties: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of not in ("all", "capped", "found"):
            raise ValueError(f"{self.family} is of 'all', 'capped' or 'found' relevant documents, not {self.of!r}")
        if self.of == "capped" and self.cutoff is None:
            raise ValueError(f"{self.family}(of='capped') needs a cutoff: {self.family}(of='capped')@10")

    def per_topic(self, rankings: Rankings) -> Floats:
        relevant = rankings.relevant(self.rel, self.depth)
        precision = rankings.relevant_so_far(self.rel, self.depth) / rankings.rank
        return rankings.ratio(rankings.total(precision * relevant), self._averaged_over(rankings))

    def _averaged_over(self, rankings: Rankings) -> Floats:
        if self.of == "found":
            return rankings.n_relevant_found(self.rel, self.depth)
        n_relevant = rankings.n_relevant(self.rel)
        return rankings.minimum(n_relevant, self.depth) if self.of == "capped" else n_relevant
