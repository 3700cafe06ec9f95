"""Lists of items for people or queries, and the catalogue that they are from."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evaluation.engine.arrays import Floats, Ints

EXAMPLES = 3  # ids that an error names


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All items that could have been shown, each once. What is not known of them is None.

    `popularity`: how often each was used, any unit, (n_items,). `category`: its number, (n_items,), −1 for none.
    `vector`: (n_items, dim).
    """

    ids: tuple[str, ...]
    popularity: Floats | None = field(default=None, repr=False)
    category: Ints | None = field(default=None, repr=False)
    vector: NDArray[np.floating] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.ids:
            raise ValueError("the catalogue has no item")
        if len(set(self.ids)) < len(self.ids):
            raise ValueError("an item stands twice in the catalogue")
        for name in ("popularity", "category", "vector"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.ids):
                raise ValueError(f"{len(self.ids)} items, but a {name} of {len(column)}")
        if self.popularity is not None and not (np.isfinite(self.popularity).all() and (self.popularity >= 0).all()):
            raise ValueError("a popularity is a finite number of at least 0")


def category_codes(names: Sequence[str | None]) -> Ints:
    """Numbers of the names, from 0 in the order in which they are met; −1 for none. (n_items,)"""
    code: dict[str, int] = {}
    return np.array([-1 if name is None else code.setdefault(name, len(code)) for name in names], np.int64)


@dataclass(frozen=True, eq=False)
class Lists:
    """List after list: `item` (n_slots,) indexes the catalogue, `start` (n_lists + 1,) says where each begins. A list
    may be empty."""

    owners: tuple[str, ...]
    start: Ints = field(repr=False)
    item: Ints = field(repr=False)

    @property
    def length(self) -> Ints:
        return np.diff(self.start)

    @property
    def owner_of_slot(self) -> Ints:
        return np.repeat(np.arange(len(self.owners)), self.length)

    def each(self) -> list[Ints]:
        return [self.item[a:b] for a, b in zip(self.start[:-1], self.start[1:], strict=True)]


def lists_of(catalogue: Catalogue, owners: Sequence[str], items: Sequence[Sequence[str]]) -> Lists:
    """`items[i]` are the ids shown to `owners[i]`, the best first.

    Raises `ValueError` for no lists, an owner twice, an item twice in a list, and items that the catalogue lacks.
    """
    if not owners or len(owners) != len(items):
        raise ValueError(f"{len(owners)} people or queries with {len(items)} lists: one each, at least one")
    if len(set(owners)) < len(owners):
        raise ValueError("a person or query stands twice")
    index_by_id = {name: i for i, name in enumerate(catalogue.ids)}
    flat = [name for one in items for name in one]
    if unknown := [name for name in dict.fromkeys(flat) if name not in index_by_id]:
        more = " …" if len(unknown) > EXAMPLES else ""
        raise ValueError(f"items that the catalogue does not have: {', '.join(unknown[:EXAMPLES])}{more}")
    for owner, one in zip(owners, items, strict=True):
        if len(set(one)) < len(one):
            raise ValueError(f"{owner}: an item stands twice in the list")
    start = np.concatenate([[0], np.cumsum([len(one) for one in items])]).astype(np.int64)
    return Lists(tuple(owners), start, np.array([index_by_id[name] for name in flat], np.int64))


def cut(lists: Lists, k: int) -> Lists:
    """The first k of each list. Raises `ValueError` for k below 1."""
    if k < 1:
        raise ValueError(f"the lists are cut at 1 or more, not at {k}")
    within = np.arange(lists.item.size) - np.repeat(lists.start[:-1], lists.length)
    length = np.minimum(lists.length, k)
    return Lists(lists.owners, np.concatenate([[0], np.cumsum(length)]).astype(np.int64), lists.item[within < k])
