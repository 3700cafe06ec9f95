"""Compatibility with the best possible ranking."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import Cut, Measure
from evaluation.engine.measures.parameters import check_persistence
from evaluation.engine.rankings import Rankings


@dataclass(frozen=True, kw_only=True)
class Compatibility(Measure):
    """Rank-biased overlap of the ranking with the best possible one, of relevant documents by descending grade.

    RBO = Σ p^(d−1) · overlap(d) / d over Σ p^(d−1), for the depths d up to the end of the longer ranking; overlap(d)
    counts the documents that are among the first d of both. Of equal grade, what the run has stands in the run's order,
    and what it lacks below: so the best ranking that is nearest to the run is taken. `normalize` (the default) divides
    by what the best ranking itself reaches down to the same depth. Relevant is a grade ≥ 1. No relevant document: 0.

    Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021. Webber, Moffat and Zobel, A similarity
    measure for indefinite rankings, TOIS 28(4), 2010.
    """

    p: float = 0.95
    normalize: bool = True

    family: ClassVar[str] = "Compat"
    cut: ClassVar[Cut] = "no"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_persistence(self.p, "Compat")

    def per_topic(self, rankings: Rankings) -> Floats:
        """A document that is rank r here and i there is in the overlap at every depth from max(r, i) on."""
        depth = rankings.maximum(rankings.n_retrieved, rankings.n_relevant(1))
        up_to, weight = self._weights(rankings, depth)
        whole = up_to(depth)
        both = rankings.maximum(rankings.rank, _best_rank(rankings))
        shared = rankings.where(rankings.grade >= 1, whole[rankings.topic] - up_to(both - 1.0), 0.0)
        if not self.normalize:
            return rankings.ratio(rankings.total(shared), weight(depth))
        alone = rankings.where(
            rankings.ideal_grade >= 1, rankings.of_ideal_topic(whole) - up_to(rankings.ideal_rank - 1.0), 0.0
        )
        return rankings.ratio(rankings.total(shared), rankings.ideal_total(alone))

    def _weights(
        self, rankings: Rankings, depth: Floats
    ) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        """Σ p^(d−1) / d and Σ p^(d−1) for the depths up to a number; deeper than p^d ≈ 1e-18 they do not change."""
        deepest = int(rankings.backend.get(depth).max(initial=0))
        deepest = min(deepest, math.ceil(math.log(1e-18) / math.log(self.p)))
        weight = [self.p ** (d - 1) for d in range(1, deepest + 1)]
        shared = accumulate((w / d for d, w in enumerate(weight, 1)), initial=0.0)
        return _looked_up(rankings, [*shared]), _looked_up(rankings, [*accumulate(weight, initial=0.0)])


def _looked_up(rankings: Rankings, sums: list[float]) -> Callable[[Floats], Floats]:
    table = rankings.backend.put(np.array(sums))
    return lambda number: table[rankings.backend.index(rankings.minimum(number, float(len(sums) - 1)))]


def _best_rank(rankings: Rankings) -> Floats:
    """The rank of each found row of a grade ≥ 1 in the best ranking; for others nothing of meaning. (n_found,)"""
    best, grades = rankings.rank, np.unique(rankings.backend.get(rankings.grade))
    for grade in grades[grades >= 1].astype(int).tolist():
        here = rankings.grade == grade
        better = rankings.n_relevant(grade + 1)[rankings.topic]
        best = rankings.where(here, better + rankings.running(here), best)
    return best
