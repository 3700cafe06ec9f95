"""Scores of different runs on one scale, list by list: the documents that a run has for a topic are a list."""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.fusion.entries import Entries

Normalisation: TypeAlias = Literal["min-max", "z-score", "rank", "none"]


def min_max(entries: Entries) -> Floats:
    """(score − lowest) / (highest − lowest) of the list, so 0 to 1. A list of one score, or of one document, gives 0.

    Shape (n_entries,). Lee, Analyses of multiple evidence combination, SIGIR 1997.
    """
    begin = np.cumsum(entries.length) - entries.length
    low, high = (reduce.reduceat(entries.score, begin) for reduce in (np.minimum, np.maximum))
    return _divided(entries.score - low[entries.of_list], (high - low)[entries.of_list])


def z_score(entries: Entries) -> Floats:
    """(score − mean) / standard deviation of the list, divided by n: mean 0, variance 1. A list of one score gives 0.

    A document that a run lacks counts 0, as the middle of its list. Shape (n_entries,).
    Montague and Aslam, Relevance score normalization for metasearch, CIKM 2001 (zero-mean, unit-variance).
    """
    n_lists, of_list = entries.length.size, entries.of_list
    mean = np.bincount(of_list, weights=entries.score, minlength=n_lists) / entries.length
    centred = entries.score - mean[of_list]
    deviation = np.sqrt(np.bincount(of_list, weights=centred**2, minlength=n_lists) / entries.length)
    begin = np.cumsum(entries.length) - entries.length
    varies = np.maximum.reduceat(entries.score, begin) > np.minimum.reduceat(entries.score, begin)
    return _divided(centred, np.where(varies, deviation, 0)[of_list])


def rank(entries: Entries) -> Floats:
    """1 − (rank − 1) / documents of the list: the first has 1, the last 1 / n. Scores enter by their order alone.

    Shape (n_entries,). Renda and Straccia, Web metasearch: rank vs. score based rank aggregation methods, SAC 2003.
    """
    return 1 - (entries.rank - 1) / entries.length[entries.of_list]


def none(entries: Entries) -> Floats:
    """Scores as they are: for runs of one system, whose scores mean the same. (n_entries,)"""
    return entries.score


def normalised(entries: Entries, normalisation: Normalisation) -> Floats:
    """By name; see the functions of this file."""
    return NORMALISATIONS[normalisation](entries)


def check_normalisation(name: str) -> None:
    if name not in NORMALISATIONS:
        raise ValueError(f"a normalisation is one of {', '.join(NORMALISATIONS)}, not {name!r}")


def _divided(value: Floats, by: Floats) -> Floats:
    return np.divide(value, by, out=np.zeros_like(value), where=by > 0)


NORMALISATIONS: Mapping[str, Callable[[Entries], Floats]] = {
    "min-max": min_max,
    "z-score": z_score,
    "rank": rank,
    "none": none,
}
