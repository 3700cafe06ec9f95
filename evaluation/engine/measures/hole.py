"""Holes at k: how far the qrels do not know what a run retrieved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from evaluation.engine.measures.unjudged_share import UnjudgedShare


@dataclass(frozen=True, kw_only=True)
class Hole(UnjudgedShare):
    """The documents among the first k that are not judged for the topic, over k.

    A negative grade is not a judgment. Ranks that a short run does not have are no holes, but k is still divided by.
    Nothing retrieved: 0. (BEIR counts only documents that are judged for no topic at all: at most this value.)

    Xiong and others, Approximate nearest neighbor negative contrastive learning for dense text retrieval, ICLR 2021
    (hole rate); Thakur and others, BEIR, NeurIPS 2021, datasets and benchmarks.
    """

    family: ClassVar[str] = "Hole"
    trec_eval: ClassVar[Mapping[str, str]] = {}
    trec_eval_cutoffs: ClassVar[tuple[float, ...]] = ()
