"""Whether recommendations are more than accurate: hits, exposure, popularity, novelty, diversity, serendipity."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.beyond.lists import Catalogue, Lists

History: TypeAlias = Mapping[str, Ints]  # owner -> items of the catalogue
Nearest: TypeAlias = Literal["greatest", "smallest"]
Known: TypeAlias = Literal["vector", "category"]  # what says how alike two items are


def hit_rate(lists: Lists, relevant: History) -> float:
    """The share of people with at least one relevant item in their list, over those who have any relevant item: who
    got no list was not hit.

    Raises `ValueError` where nobody with a list has a relevant item: lists and relevant items are of different people.
    """
    people = _known(lists, relevant)
    if not people:
        raise ValueError("nobody with a list has a relevant item")
    hits = sum(bool(np.isin(one, relevant[owner]).any()) for owner, one in people)
    return hits / sum(bool(items.size) for items in relevant.values())


def without_list(lists: Lists, relevant: History) -> int:
    """How many people with a relevant item have no list, or an empty one."""
    served = sum(bool(one.size) for _owner, one in _known(lists, relevant))
    return sum(bool(items.size) for items in relevant.values()) - served


def gini(lists: Lists, catalogue: Catalogue, *, over: Literal["catalogue", "recommended"] = "catalogue") -> float:
    """How unequally slots are spread over items: 0, all alike, towards 1, one item has all.

    Σ (2i − n − 1) x₍ᵢ₎ / (n Σ x), x₍ᵢ₎ the number of slots of an item, ascending. `over` all items of the catalogue,
    those that are never shown counting 0; or only over recommended items, which leaves out the worst of inequality.
    Raises `ValueError` where no list has an item.

    Gini 1912; Fleder and Hosanagar, Blockbuster culture's next rise or fall, Management Science 55, 2009.
    """
    count = np.bincount(lists.item, minlength=len(catalogue.ids))
    if over == "recommended":
        count = count[count > 0]
    if not count.sum():
        raise ValueError("all lists are empty")
    x = np.sort(count)
    n = x.size
    return float(((2 * np.arange(1, n + 1) - n - 1) * x).sum() / (n * x.sum()))


def popularity_bias(lists: Lists, catalogue: Catalogue) -> float:
    """The mean popularity over all slots, by the mean popularity of the catalogue; 1 means no preference for what is
    popular. Raises `ValueError` without popularities, or where all are 0, or where no list has an item."""
    popularity = _popularity(catalogue)
    if not lists.item.size:
        raise ValueError("all lists are empty")
    return float(popularity[lists.item].mean() / popularity.mean())


def novelty(lists: Lists, catalogue: Catalogue, *, n_people: float | None = None) -> tuple[float, int]:
    """`(mean self-information in bits, slots left out)`: −log₂ of an item's share of all use, mean over slots of a
    list, then over lists.

    `n_people`: the share is of so many people in place of the sum of popularities. An item that nobody ever used has no
    finite self-information: its slots are left out. Raises `ValueError` without popularities, for fewer people than
    the most popular item has, and where no slot is left.

    Zhou and others, Solving the apparent diversity–accuracy dilemma of recommender systems, PNAS 107, 2010; Vargas and
    Castells, Rank and relevance in novelty and diversity metrics for recommender systems, RecSys 2011.
    """
    popularity = _popularity(catalogue)
    whole = float(popularity.sum()) if n_people is None else n_people
    if whole < popularity.max():
        raise ValueError(f"{whole:g} people, but an item that {popularity.max():g} used")
    used = popularity[lists.item] > 0
    bits = -np.log2(popularity[lists.item][used] / whole)
    return _mean_of_lists(bits, lists.owner_of_slot[used], len(lists.owners)), int((~used).sum())


def intra_list_diversity(lists: Lists, catalogue: Catalogue, *, by: Known = "vector") -> float:
    """The mean dissimilarity of two items of a list, over all its pairs, then over lists of two items or more.

    Dissimilarity is 1 − cosine of the vectors; by category it is 0 for the same one, else 1. Raises `ValueError`
    without vectors or categories, for zero vectors, and where no list has two items.

    Ziegler and others, Improving recommendation lists through topic diversification, WWW 2005; Zhang and Hurley,
    Avoiding monotony, RecSys 2008.
    """
    dissimilarities = []
    for one in lists.each():
        if one.size > 1:
            alike = _similarity(catalogue, one, one, by)
            dissimilarities.append(1 - (alike.sum() - np.trace(alike)) / (one.size * (one.size - 1)))
    if not dissimilarities:
        raise ValueError("no list has two items")
    return float(np.mean(dissimilarities))


def serendipity(
    lists: Lists,
    catalogue: Catalogue,
    history: History,
    *,
    similarity: Nearest = "greatest",
    by: Known = "vector",
) -> float:
    """1 − the similarity of an item to a person's history, mean over the items of a list, then over people.

    `similarity`: to the item of the history that is most similar (`greatest`: an item is a surprise if it resembles
    nothing there), or to the least similar (`smallest`, as some tutorials have it: hardly any item is then familiar).
    People without history, and empty lists, do not count. Raises `ValueError` as `intra_list_diversity`, and where
    nobody is left.

    Kaminskas and Bridge, Diversity, serendipity, novelty, and coverage, ACM TiiS 7, 2016.
    """
    chosen = np.max if similarity == "greatest" else np.min
    surprises = [
        float((1 - chosen(_similarity(catalogue, one, history[owner], by), axis=1)).mean())
        for owner, one in _known(lists, history)
        if one.size
    ]
    if not surprises:
        raise ValueError("nobody with a list has a history")
    return float(np.mean(surprises))


def _known(lists: Lists, by_owner: History) -> list[tuple[str, Ints]]:
    pairs = zip(lists.owners, lists.each(), strict=True)
    return [(owner, one) for owner, one in pairs if owner in by_owner and by_owner[owner].size]


def _popularity(catalogue: Catalogue) -> Floats:
    if catalogue.popularity is None or not catalogue.popularity.any():
        raise ValueError("no item of the catalogue has a popularity")
    return catalogue.popularity


def _similarity(catalogue: Catalogue, one: Ints, other: Ints, by: Known) -> Floats:
    """(n_one, n_other) of items by their places."""
    if by == "category":
        if catalogue.category is None:
            raise ValueError("no item of the catalogue has a category")
        first, second = catalogue.category[one], catalogue.category[other]
        alike: Floats = ((first[:, None] == second[None, :]) & (first[:, None] >= 0)).astype(np.float64)
        return alike
    if catalogue.vector is None:
        raise ValueError("the items have no vectors")
    cosine: Floats = _unit(catalogue.vector[one]) @ _unit(catalogue.vector[other]).T
    return cosine


def _unit(vector: NDArray[np.floating]) -> Floats:
    rows: Floats = vector.astype(np.float64)
    length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    if not (length > 0).all():
        raise ValueError("a vector is zero: it has no cosine with any other")
    unit: Floats = rows / length
    return unit


def _mean_of_lists(value: Floats, owner: Ints, n_lists: int) -> float:
    count = np.bincount(owner, minlength=n_lists)
    if not count.any():
        raise ValueError("no slot has an item that anybody used")
    return float((np.bincount(owner, value, minlength=n_lists)[count > 0] / count[count > 0]).mean())
