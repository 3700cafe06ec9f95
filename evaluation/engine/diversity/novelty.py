"""Gain that fades: what a relevant document adds to an intent that relevant documents above it have served."""

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.diversity.ideal import cached_ranks
from evaluation.engine.diversity.view import Intents


def novelty(intents: Intents, rel: int, alpha: float, depth: float) -> Floats:
    """(1 − α)^(relevant documents of the intent above) for a relevant row up to the depth, else 0. (n_found rows,)

    Clarke and others, Novelty and diversity in information retrieval evaluation, SIGIR 2008, equation 3.
    """
    each = intents.each
    relevant = (each.grade >= rel) & (each.rank <= depth)
    above = each.maximum(each.running(relevant) - 1.0, 0.0)
    return each.where(relevant, (1.0 - alpha) ** above, 0.0)


def ideal_for_novelty(intents: Intents, rel: int, alpha: float, depth: float) -> Intents:
    """The greedy ideal ranking, in which each document adds most to what those above it left open."""

    def rows() -> tuple[Floats, Floats]:
        gain = (intents.qrels.grade >= rel).astype(np.float64)
        return gain, np.full(gain.size, 1.0 - alpha)

    key = ("novelty", rel, alpha)
    rank = cached_ranks(intents.qrels, key, rows, depth)
    return intents.of_ranking((key, depth), rank)
