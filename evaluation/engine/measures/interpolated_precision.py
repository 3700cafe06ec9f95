"""Interpolated precision at a recall level."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from evaluation.engine.arrays import Floats
from evaluation.engine.measures.base import BinaryMeasure, Cut
from evaluation.engine.rankings import Rankings
from evaluation.engine.sequential import each, highest
from evaluation.engine.trec_eval_names import RECALL_LEVELS


@dataclass(frozen=True, kw_only=True)
class InterpolatedPrecision(BinaryMeasure):
    """The greatest precision at any rank where recall is at least x, the cutoff: a point of the recall-precision curve.

    Recall x is reached with the c-th relevant document, c = x·R rounded (half up); with `trec_eval` 9 among the options
    x·R + 0.9 without its decimals. Recall not reached, no relevant document, or nothing retrieved: 0. Unjudged
    documents count as not relevant.

    Manning, Raghavan and Schütze, Introduction to information retrieval, 2008, section 8.4; as trec_eval.
    """

    family: ClassVar[str] = "iprec"
    cut: ClassVar[Cut] = "must"
    cut_is: ClassVar[Literal["rank", "share"]] = "share"
    trec_eval: ClassVar[Mapping[str, str]] = {"iprec_at_recall": "@"}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = RECALL_LEVELS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth > 1:
            raise ValueError("the cutoff of iprec is a recall level from 0 to 1: iprec@0.2")

    def per_topic(self, rankings: Rankings) -> Floats:
        return interpolated(rankings, self.rel, self.depth)


def interpolated(rankings: Rankings, rel: int, level: float) -> Floats:
    """Interpolated precision at one recall level. (n_topics,)"""
    n_needed = each(rankings, lambda n_relevant: _documents(rankings, level, n_relevant), rankings.n_relevant(rel))
    relevant = rankings.grade >= rel
    n_relevant_above = rankings.running(relevant)
    is_deep_enough = relevant & (n_relevant_above >= n_needed[rankings.topic])
    return highest(rankings, rankings.where(is_deep_enough, n_relevant_above / rankings.rank, 0.0))


def _documents(rankings: Rankings, level: float, n_relevant: float) -> float:
    """How many relevant documents make this recall."""
    exact = level * n_relevant
    if rankings.options.trec_eval == 9:
        return float(int(exact + 0.9))
    whole = float(int(exact))
    return whole + (exact - whole >= 0.5)
