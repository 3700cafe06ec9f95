"""Probabilistic interleaving, and multileaving where there are more than two rankers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import CreditByClick, Draw, Shown

MOST_TAU = 100.0
LEAST = 1e-300  # instead of 0: what is left of a ranking whose ranks a file has twice


@dataclass(frozen=True, kw_only=True)
class Probabilistic(CreditByClick):
    """At each position a ranker is drawn, all alike, and draws one of its documents that are not in the list yet: that
    at rank r with a chance in proportion to r^−`tau`. Its team is the ranker that was drawn.

    A click is credited to all rankers, each with the chance that it was the one that was drawn, given the list: since
    rankers are drawn independently, p_j / Σ p over rankers, p_j the chance of ranker j to draw the document there. So
    a document that two rankers have at about the same rank tells little, whichever of them was drawn. Credits add up
    to the number of clicks, and are equal on average under clicks that do not depend on the documents.

    Two rankers: Hofmann, Whiteson and de Rijke, A probabilistic method for inferring preferences from clicks, CIKM
    2011; several: Schuth et al., Probabilistic multileave for online retrieval evaluation, SIGIR 2015. Here a ranking
    is its first documents, as many as the list has, and the credit of an impression is its expectation, exactly.
    """

    title = "probabilistic"
    by_credit = True
    tau: float = 3.0

    def __post_init__(self) -> None:
        try:
            tau = float(self.tau)
        except (TypeError, ValueError):
            tau = np.nan
        if not 0 < tau <= MOST_TAU:
            raise ValueError(f"tau lies above 0 and is at most {MOST_TAU:g}, not {self.tau!r}")
        object.__setattr__(self, "tau", tau)

    def drawing(self, rankings: Sequence[Sequence[str]]) -> Draw:
        depth = len(rankings[0])
        chance = np.arange(1.0, depth + 1) ** -self.tau
        index_by_docno = [{docno: at for at, docno in enumerate(ranking)} for ranking in rankings]

        def draw(rng: np.random.Generator) -> Shown:
            left = np.tile(chance, (len(rankings), 1))  # (n_rankers, depth)
            docnos: dict[str, int] = {}
            for ranker in rng.integers(len(rankings), size=depth).tolist():
                upto = np.cumsum(left[ranker])
                at = int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))
                docno = rankings[ranker][min(at, int(np.flatnonzero(left[ranker])[-1]))]
                docnos[docno] = ranker
                for row, where in zip(left, index_by_docno, strict=True):
                    if docno in where:
                        row[where[docno]] = 0
            return Shown(tuple(docnos), tuple(docnos.values()))

        return draw

    def weight(self, lists: Lists) -> Floats:
        n_lists, depth, n_rankers = lists.rank.shape
        rank, row = lists.rank, np.arange(n_lists)
        chance = np.arange(1.0, depth + 1) ** -self.tau
        left = np.where(np.arange(depth) < lists.length[:, None], chance, 0.0)[:, None].repeat(n_rankers, axis=1)
        drawn = np.zeros((n_lists, depth, n_rankers))
        for at in range(depth):
            whole = left.sum(axis=2)
            for ranker in range(n_rankers):
                here = row[(rank[:, at, ranker] > 0) & (rank[:, at, ranker] <= depth)]
                own = (here, ranker, rank[here, at, ranker] - 1)
                drawn[here, at, ranker] = left[own] / np.maximum(whole[here, ranker], LEAST)
                left[own] = 0
        both = drawn.sum(axis=2, keepdims=True)
        weight: Floats = np.divide(drawn, both, out=np.zeros_like(drawn), where=both > 0)
        return weight
