"""All figures of lists beyond accuracy that what is known of them allows."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.beyond.commerce import catalogue_coverage, category_coverage, zero_result_rate, zero_share
from evaluation.engine.beyond.lists import Catalogue, Lists, cut
from evaluation.engine.beyond.recommendation import (
    History,
    Known,
    gini,
    hit_rate,
    intra_list_diversity,
    novelty,
    popularity_bias,
    serendipity,
    without_list,
)


@dataclass(frozen=True)
class ListDescription:
    """None: what it needs is not known. Diversity and serendipity by vectors where there are any, else by category.

    `k` is 0 where lists themselves are not known, only how many results each query had.
    """

    k: int
    n_lists: int
    n_items: int | None  # of the catalogue
    n_recommended: int | None  # different ones in lists
    zero_results: float
    zero_results_of_traffic: float | None
    hit_rate: float | None
    n_without_list: int | None  # people with a relevant item: misses of the hit rate
    catalogue_coverage: float | None
    category_coverage: float | None
    gini_of_catalogue: float | None
    gini_of_recommended: float | None
    popularity_bias: float | None
    novelty: float | None
    n_unused_slots: int | None  # slots of items that nobody ever used: left out of novelty
    diversity: float | None
    serendipity: float | None
    serendipity_of_smallest: float | None
    similarity: str  # vector, category, or empty


def describe_results(n_results: ArrayLike, *, weight: ArrayLike | None = None) -> ListDescription:
    """Of a query log that says how many results each query had, (n_queries,): zero results alone are known. Raises
    `ValueError` as `zero_share`."""
    facts: dict[str, Any] = dict.fromkeys(each.name for each in fields(ListDescription))
    facts |= {"k": 0, "n_lists": np.size(n_results), "similarity": "", "zero_results": zero_share(n_results)}
    if weight is not None:
        facts["zero_results_of_traffic"] = zero_share(n_results, weight=weight)
    return ListDescription(**facts)


def describe_lists(
    lists: Lists,
    catalogue: Catalogue,
    *,
    k: int,
    relevant: History | None = None,
    history: History | None = None,
    weight: ArrayLike | None = None,
) -> ListDescription:
    """Of the first k of each list. Raises `ValueError` for k below 1, lists that are all empty, and as each measure."""
    top = cut(lists, k)
    has_category = catalogue.category is not None and bool((catalogue.category >= 0).any())
    by: Known | None = "vector" if catalogue.vector is not None else "category" if has_category else None
    used = catalogue.popularity is not None and bool(catalogue.popularity.any())
    bits, unused = novelty(top, catalogue) if used else (None, None)
    surprises = _surprises(top, catalogue, history, by)
    return ListDescription(
        k=k,
        n_lists=len(lists.owners),
        n_items=len(catalogue.ids),
        n_recommended=int(np.unique(top.item).size),
        zero_results=zero_result_rate(lists),
        zero_results_of_traffic=None if weight is None else zero_result_rate(lists, weight=weight),
        hit_rate=hit_rate(top, relevant) if relevant else None,
        n_without_list=without_list(top, relevant) if relevant else None,
        catalogue_coverage=catalogue_coverage(top, catalogue),
        category_coverage=category_coverage(top, catalogue) if has_category else None,
        gini_of_catalogue=gini(top, catalogue),
        gini_of_recommended=gini(top, catalogue, over="recommended"),
        popularity_bias=popularity_bias(top, catalogue) if used else None,
        novelty=bits,
        n_unused_slots=unused,
        diversity=_diversity(top, catalogue, by),
        serendipity=surprises[0],
        serendipity_of_smallest=surprises[1],
        similarity=by or "",
    )


def _diversity(lists: Lists, catalogue: Catalogue, by: Known | None) -> float | None:
    if by is None or not (lists.length > 1).any():
        return None
    return intra_list_diversity(lists, catalogue, by=by)


def _surprises(
    lists: Lists, catalogue: Catalogue, history: History | None, by: Known | None
) -> tuple[float | None, float | None]:
    if by is None or not history:
        return None, None
    greatest = serendipity(lists, catalogue, history, by=by)
    return greatest, serendipity(lists, catalogue, history, by=by, similarity="smallest")
