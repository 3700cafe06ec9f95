"""What a shop's search leaves in the dark: queries without results, items and categories that nobody sees."""

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.beyond.lists import Catalogue, Lists


def zero_result_rate(lists: Lists, *, weight: ArrayLike | None = None) -> float:
    """The share of queries with an empty list. `weight` (n_lists,), such as how often each query was asked, makes it
    the share of traffic. Raises `ValueError` as `zero_share`."""
    return zero_share(lists.length, weight=weight)


def zero_share(n_results: ArrayLike, *, weight: ArrayLike | None = None) -> float:
    """The same of the numbers of results of queries, (n_queries,).

    Raises `ValueError` for no query, for numbers below 0, and for weights that are negative, not finite, all 0 or of
    another number.
    """
    number = np.asarray(n_results, np.float64)
    if number.ndim != 1 or not number.size or not (number >= 0).all():
        raise ValueError("a number of results of at least 0 is needed for each query")
    empty = number == 0
    if weight is None:
        return float(empty.mean())
    times = np.asarray(weight, np.float64)
    if times.shape != empty.shape:
        raise ValueError(f"{empty.size} lists or queries, but {times.size} weights")
    if not (np.isfinite(times).all() and (times >= 0).all() and times.any()):
        raise ValueError("weights are finite numbers of at least 0, not all 0")
    return float((empty * times).sum() / times.sum())


def catalogue_coverage(lists: Lists, catalogue: Catalogue) -> float:
    """The share of the catalogue's items that stand in any list.

    Ge, Delgado-Battenfeld and Jannach, Beyond accuracy: evaluating recommender systems by coverage and serendipity,
    RecSys 2010. It grows with the number of lists: compare equal numbers only.
    """
    return np.unique(lists.item).size / len(catalogue.ids)


def category_coverage(lists: Lists, catalogue: Catalogue) -> float:
    """The share of the catalogue's categories of which an item stands in any list. Raises `ValueError` where no item
    has a category."""
    if catalogue.category is None or not (catalogue.category >= 0).any():
        raise ValueError("no item of the catalogue has a category")
    shown = catalogue.category[lists.item]
    return np.unique(shown[shown >= 0]).size / np.unique(catalogue.category[catalogue.category >= 0]).size
