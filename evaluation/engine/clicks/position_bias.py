"""How often each position is looked at, from a log: the position-based model by expectation–maximisation.

A click on pair i at position k has the chance θ_k γ_i: the position is looked at, and what is looked at attracts. Both
are known but for one factor, so θ is set to 1 at the first position. Chuklin, Markov and de Rijke, Click Models for Web
Search, 2015, 3.2 and 4.1; as a regression on a feature of documents, here the grade: Wang, Golbandi, Bendersky, Metzler
and Najork, Position bias estimation for unbiased learning to rank in personal search, WSDM 2018.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, ratio, segment_sums
from evaluation.engine.clicks.counts import ClickCounts

STEPS, CLOSE = 500, 1e-6
FIRST_STEPS = 200


@dataclass(frozen=True, eq=False)
class Propensities:
    """`position` (n_positions,) ascending, and `value`: how often each is looked at, by the first of them."""

    position: Ints
    value: Floats

    def at(self, position: Ints) -> Floats:
        """NaN for a position that is not known. Of the shape that was given."""
        place = np.minimum(np.searchsorted(self.position, position), self.position.size - 1)
        return np.where(self.position[place] == position, self.value[place], np.nan)


def given_propensities(values: Mapping[int, float]) -> Propensities:
    """Raises `ValueError` for no position, one below 1, and a propensity that is not positive and finite."""
    if not values:
        raise ValueError("no propensity is given")
    for position, value in values.items():
        if position < 1 or not 0 < value < np.inf:
            raise ValueError(f"the propensity of position {position} is {value:g}: positive numbers are expected")
    order = sorted(values)
    return Propensities(np.array(order, np.int64), np.array([values[one] for one in order], np.float64))


def power_propensities(counts: ClickCounts, eta: float) -> Propensities:
    """(1 / position)^eta. Raises `ValueError` for eta below 0, and where it leaves 0 at the last position."""
    if not 0 <= eta < np.inf:
        raise ValueError(f"eta is at least 0, not {eta:g}")
    position = np.unique(counts.position)
    value = position.astype(np.float64) ** -eta
    if not value.all():
        raise ValueError(f"eta {eta:g} is too large: it leaves a propensity of 0 at position {position[-1]}")
    return Propensities(position, value)


def estimated_propensities(
    counts: ClickCounts, group: Ints, *, weight: Floats | None = None, start: Propensities | None = None
) -> Propensities:
    """θ of the positions that can be set beside the first, from cells whose `group`, (n_cells,), attracts alike: the
    pair, or the grade; −1 is left aside. `weight` (n_cells,) counts a cell several times, or not at all.

    A position is known where groups that were clicked lead from it to the first, over positions that they share; and
    where it has a click. Raises `ValueError` where no other position is known: then nothing was shown at two of them;
    and where the first has no click: the others are set beside it.
    """
    times = np.ones(counts.clicks.size) if weight is None else weight
    used = (group >= 0) & (times > 0)
    position, place = np.unique(counts.position[used], return_inverse=True)
    _, code = np.unique(group[used], return_inverse=True)
    clicks, shown = (counts.clicks * times)[used], (counts.impressions * times)[used]
    cells = _Cells(place, code, clicks, shown, position.size, int(code.max(initial=-1)) + 1)
    known = _connected(cells)
    if np.count_nonzero(known) < 2:
        raise ValueError(
            "no pair with a click was shown at the first position and at another: name the propensities of positions, "
            "or take those by grade"
        )
    if not known[0]:
        raise ValueError(
            f"position {position[0]}, the first, has no click, and the others are set beside it: name the propensities "
            "of positions, or leave its rows out of the log"
        )
    begin = None if start is None else np.nan_to_num(start.at(position), nan=0.5)
    theta = _maximised(cells.only(known[place]), begin)
    return Propensities(position[known], theta[known] / theta[0])


@dataclass(frozen=True, eq=False)
class _Cells:
    place: Ints
    group: Ints
    clicks: Floats
    shown: Floats
    n_places: int
    n_groups: int

    def only(self, chosen: Bools) -> "_Cells":
        return replace(
            self,
            place=self.place[chosen],
            group=self.group[chosen],
            clicks=self.clicks[chosen],
            shown=self.shown[chosen],
        )

    def by_place(self, value: Floats) -> Floats:
        return segment_sums(value, self.place, self.n_places)

    def by_group(self, value: Floats) -> Floats:
        return segment_sums(value, self.group, self.n_groups)


def _connected(cells: _Cells) -> Bools:
    """Which positions groups with clicks lead to from the first, and have a click themselves. (n_places,)"""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not cells.n_places:
        return np.zeros(0, np.bool_)
    clicked = cells.by_group(cells.clicks)[cells.group] > 0
    size = cells.n_places + cells.n_groups
    ends = cells.place[clicked], cells.n_places + cells.group[clicked]
    _, component = connected_components(coo_array((np.ones(ends[0].size), ends), shape=(size, size)), directed=False)
    known: Bools = (component[: cells.n_places] == component[0]) & (cells.by_place(cells.clicks) > 0)
    return known


def _maximised(cells: _Cells, start: Floats | None) -> Floats:
    """θ by place, its greatest 1. Begun where a Poisson model has its maximum, which is found in few steps."""
    theta = np.ones(cells.n_places) if start is None else start
    gamma = np.ones(cells.n_groups)
    for _ in range(FIRST_STEPS):
        gamma = ratio(cells.by_group(cells.clicks), cells.by_group(cells.shown * theta[cells.place]))
        new = ratio(cells.by_place(cells.clicks), cells.by_place(cells.shown * gamma[cells.group]))
        new /= max(float(new.max()), 1e-300)
        theta, moved = new, float(np.abs(new - theta).max())
        if moved < CLOSE:
            break
    gamma = np.minimum(gamma * 1.0, 1 - 1e-9)
    for _ in range(STEPS):
        new, gamma = _step(cells, theta, gamma)
        theta, moved = new, float(np.abs(new - theta).max())
        if moved < CLOSE:
            break
    return theta


def _step(cells: _Cells, theta: Floats, gamma: Floats) -> tuple[Floats, Floats]:
    """E: what a cell without a click says of whether its position was looked at, and whether it attracts; M: shares."""
    at, of = theta[cells.place], gamma[cells.group]
    missed = cells.shown - cells.clicks
    silent = np.maximum(1 - at * of, 1e-12)
    looked = cells.clicks + missed * at * (1 - of) / silent
    attracted = cells.clicks + missed * of * (1 - at) / silent
    return (
        ratio(cells.by_place(looked), cells.by_place(cells.shown)),
        ratio(cells.by_group(attracted), cells.by_group(cells.shown)),
    )
