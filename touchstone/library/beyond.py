"""`ts.plan`, `ts.describe_lists` and `ts.describe_drift`: an experiment's size, lists beyond their order, drift."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Ints
from evaluation.engine.beyond.description import ListDescription
from evaluation.engine.beyond.description import describe_lists as describe
from evaluation.engine.beyond.lists import Catalogue, category_codes, lists_of
from evaluation.engine.drift.description import ALPHA, DIRECTIONS, PERMUTATIONS, SAMPLE, Drift, drift
from evaluation.engine.planning.plan import Design, Plan, Question
from evaluation.engine.planning.plan import plan as answer


def plan(design: Design = "groups", **known: Any) -> Plan:
    """Say how large an experiment must be, what it can show, or how wide its interval will be.

    `known` are the fields of `evaluation.engine.planning.plan.Question`, the options of `plan_experiment`: `rate` or
    `deviation`, `difference` or `relative`, `n`, `power`, `width`, `alpha`, `n_tests`, `ratio`, `cluster_size`,
    `correlation`, `size_variation`. Raises `ValueError` where they say too little, too much or what cannot be,
    `TypeError` for others.
    """
    return answer(Question(design=design, **known))


def describe_lists(
    lists: Mapping[str, Sequence[str]],
    items: Sequence[str],
    *,
    k: int = 10,
    popularity: ArrayLike | None = None,
    category: Sequence[str | None] | None = None,
    vector: ArrayLike | None = None,
    relevant: Mapping[str, Iterable[str]] | None = None,
    history: Mapping[str, Iterable[str]] | None = None,
    weight: Mapping[str, float] | None = None,
) -> ListDescription:
    """Describe recommendations beyond the order of a list; docs/beyond_ranking.md says what the figures mean.

    `lists`: for each person or query the items shown, the best first; empty ones count as zero results. `items` is the
    catalogue; `popularity` (n_items,), `category` (n_items,; None for none) and `vector` (n_items, dim) are in its
    order. `relevant` and `history`: items by person; `weight`: how often each was asked. Raises `ValueError` for what
    does not belong together.
    """
    catalogue = Catalogue(
        tuple(items),
        popularity=None if popularity is None else np.asarray(popularity, np.float64),
        category=None if category is None else category_codes(category),
        vector=None if vector is None else np.asarray(vector, np.float64),
    )
    return describe(
        lists_of(catalogue, list(lists), list(lists.values())),
        catalogue,
        k=k,
        relevant=None if relevant is None else _indexes(relevant, catalogue, unknown=-1),
        history=None if history is None else _indexes(history, catalogue),
        weight=None if weight is None else [weight[person] for person in lists],
    )


def describe_drift(
    reference: ArrayLike,
    window: ArrayLike,
    *,
    seed: int = 42,
    sample: int = SAMPLE,
    n_permutations: int = PERMUTATIONS,
    n_directions: int = DIRECTIONS,
    alpha: float = ALPHA,
) -> Drift:
    """Say whether a window has drifted from a reference, as the command `describe_drift` does; docs/drift.md says what
    the figures mean.

    Rows of vectors, (n_reference, dim) and (n_window, dim), or scores, (n,). `found` names the tests that tell the
    sides apart. Raises `ValueError` for fewer than ten rows of a side, different dimensions and what is not finite.
    """
    sides = [np.asarray(side, np.float64) for side in (reference, window)]
    return drift(
        *(side[:, None] if side.ndim == 1 else side for side in sides),
        seed=seed,
        sample=sample,
        n_permutations=n_permutations,
        n_directions=n_directions,
        alpha=alpha,
    )


def _indexes(
    by_person: Mapping[str, Iterable[str]], catalogue: Catalogue, unknown: int | None = None
) -> dict[str, Ints]:
    """`unknown`: the place of items that the catalogue lacks; None: they are an error."""
    index_by_id = {name: i for i, name in enumerate(catalogue.ids)}
    indexes = {}
    for person, items in by_person.items():
        names = list(items)
        if unknown is None and (strangers := [name for name in names if name not in index_by_id]):
            raise ValueError(f"{person} has used {strangers[0]}, which the catalogue does not have")
        indexes[person] = np.array([index_by_id.get(name, unknown) for name in names], np.int64)
    return indexes
