"""Counting preferences that a ranking fulfils, group by group."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, segment_sums

Among: TypeAlias = Literal["all", "ret", "imp"]


@dataclass(frozen=True, eq=False)
class Counts:
    """Preferences of each group, (n_groups,) each, as whole numbers. `ret`: both documents are retrieved; `imp`: one.

    A preference is fulfilled if the better document stands above the worse, or is the only one retrieved.
    """

    fulfilled_ret: Floats
    possible_ret: Floats
    fulfilled_imp: Floats
    possible_imp: Floats
    neither: Floats  # not retrieved, so not fulfilled

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.fulfilled_ret + other.fulfilled_ret,
            self.possible_ret + other.possible_ret,
            self.fulfilled_imp + other.fulfilled_imp,
            self.possible_imp + other.possible_imp,
            self.neither + other.neither,
        )

    def fulfilled(self, among: Among) -> Floats:
        return self.fulfilled_ret if among == "ret" else self.fulfilled_ret + self.fulfilled_imp

    def possible(self, among: Among) -> Floats:
        """`among` "all": every preference; "imp": those with a retrieved document; "ret": with two."""
        with_one = self.possible_ret if among == "ret" else self.possible_ret + self.possible_imp
        return with_one + self.neither if among == "all" else with_one


def of_pairs(group: Ints, better: Ints, worse: Ints, position: Ints, retrieved: Bools, *, n_groups: int) -> Counts:
    """From pairs one by one: `better` and `worse` (n_pairs,) index `position`, from the top, and `retrieved`."""
    one, other = retrieved[better], retrieved[worse]
    both, above = one & other, position[better] < position[worse]

    def count(flag: Bools) -> Floats:
        return segment_sums(flag.astype(np.float64), group, n_groups)

    return Counts(count(both & above), count(both), count(one & ~other), count(one ^ other), count(~(one | other)))


def of_levels(group: Ints, level: Floats, position: Ints, retrieved: Bools, *, n_groups: int) -> Counts:
    """From the levels of members, (n_members,) each, without a pair being made: a sort and a pass for each bit of the
    number of levels.
    """
    _, ordinal = np.unique(level, return_inverse=True)
    ret = np.flatnonzero(retrieved)
    fulfilled_ret = _descents(group[ret], ordinal[ret], position[ret], n_groups)
    # the others below, in such an order that no two of them are a descent
    below = np.where(retrieved, position, ordinal)
    fulfilled = _descents(group, ordinal, below, n_groups, late=~retrieved)
    every, possible_ret = _unequal(group, ordinal, n_groups), _unequal(group[ret], ordinal[ret], n_groups)
    neither = _unequal(group[~retrieved], ordinal[~retrieved], n_groups)
    return Counts(fulfilled_ret, possible_ret, fulfilled - fulfilled_ret, every - possible_ret - neither, neither)


def _unequal(group: Ints, ordinal: Ints, n_groups: int) -> Floats:
    """Pairs of members of different levels: (n² − Σ (members of a level)²) / 2."""
    n = np.bincount(group, minlength=n_groups).astype(np.float64)
    level = np.unique(group * (int(ordinal.max(initial=0)) + 1) + ordinal, return_counts=True, return_index=True)
    alike = segment_sums(level[2].astype(np.float64) ** 2, group[level[1]], n_groups)
    return (n**2 - alike) / 2.0


def _descents(group: Ints, ordinal: Ints, position: Ints, n_groups: int, late: Bools | None = None) -> Floats:
    """Pairs of which the upper has the higher level. By place, those that are `late` after all others.

    Bit by bit from the top: among members that share all higher bits, a pair differs here first if the upper has the
    bit and the lower has not.
    """
    order = np.lexsort((position, group) if late is None else (position, late, group))
    group, ordinal = group[order], ordinal[order]
    total = np.zeros(n_groups)
    segment = group.copy()
    for bit in reversed(range(int(ordinal.max(initial=0)).bit_length())):
        one = (ordinal >> bit) & 1
        start = np.searchsorted(segment, segment)
        above = np.cumsum(one) - one
        total += segment_sums(np.where(one == 0, above - above[start], 0).astype(np.float64), group, n_groups)
        order = np.lexsort((one, segment))  # stable: places stay in order
        group, ordinal = group[order], ordinal[order]
        segment = segment[order] * 2 + one[order]
    return total
