"""What plots show of lists and alarms: exposure, coverage by cut, trade-offs of a threshold. Curves are thinned."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.beyond.alarms import checked_alarms, cumulated
from evaluation.engine.beyond.commerce import catalogue_coverage, category_coverage
from evaluation.engine.beyond.lists import Catalogue, Lists, cut

MOST_POINTS, MOST_CUTS = 200, 50


@dataclass(frozen=True, eq=False)
class Path:
    """Points (n,) of a curve, from left to right."""

    x: Floats = field(repr=False)
    y: Floats = field(repr=False)


@dataclass(frozen=True, eq=False)
class Trade:
    """What each threshold trades. `roc`: rate of false alarms and share detected; `precision`: share detected and share
    of alarms that are right; `cost`: threshold and cost, None without costs."""

    roc: Path
    precision: Path
    cost: Path | None


def lorenz(lists: Lists, catalogue: Catalogue) -> Path:
    """Share of the items, the least shown first, and the share of all slots that they have: (0, 0) to (1, 1).

    The Gini of exposure is twice the area between it and the diagonal, up to 1/n. Raises `ValueError` where all lists
    are empty. Lorenz, Methods of measuring the concentration of wealth, 1905.
    """
    count = np.sort(np.bincount(lists.item, minlength=len(catalogue.ids)))
    if not count.any():
        raise ValueError("all lists are empty")
    share = np.append(0.0, np.cumsum(count) / count.sum())
    at = _thinned(share.size)
    return Path(at / count.size, share[at])


def coverages(lists: Lists, catalogue: Catalogue, k: int) -> dict[str, list[float]]:
    """Catalogue coverage, and category coverage where there are categories, of the first 1 … k of each list: `k` says
    of how many; at most fifty cuts, the last of which is k."""
    cuts = [int(one) for one in np.unique(np.linspace(1, k, min(k, MOST_CUTS)).round())]
    tops = [cut(lists, one) for one in cuts]
    columns: dict[str, list[float]] = {"k": [float(one) for one in cuts]}
    columns["catalogue"] = [catalogue_coverage(top, catalogue) for top in tops]
    if catalogue.category is not None and (catalogue.category >= 0).any():
        columns["category"] = [category_coverage(top, catalogue) for top in tops]
    return columns


def trade(score: ArrayLike, positive: ArrayLike, *, costs: Sequence[float] | None = None) -> Trade:
    """`costs`: of a false alarm and of a miss. Raises `ValueError` as the figures of `alarms`."""
    values, is_positive = checked_alarms(score, positive)
    true, false = cumulated(values, is_positive)
    at = _thinned(true.size, first=True)
    x, y = false / false[-1], true / true[-1]
    roc = Path(np.append(0.0, x[at]), np.append(0.0, y[at]))
    precision = Path(y[at], (true / (true + false))[at])
    if costs is None:
        return Trade(roc, precision, None)
    level = np.unique(values)  # ascending; an alarm above each of them
    at = level.size - 1 - at[::-1]
    n_true, n_false = (np.append(0.0, each[:-1])[::-1] for each in (true, false))
    cost = n_false * costs[0] + (true[-1] - n_true) * costs[1]
    return Trade(roc, precision, Path(level[at], cost[at]))


def at_threshold(score: ArrayLike, positive: ArrayLike, threshold: float) -> tuple[float, float, float | None]:
    """`(rate of false alarms, share detected, share of alarms that are right)` of alarms above the threshold; the last
    is None where there is no alarm. Raises `ValueError` as the figures of `alarms`."""
    values, is_positive = checked_alarms(score, positive)
    above = values > threshold
    right = float(is_positive[above].mean()) if above.any() else None
    return float(above[~is_positive].mean()), float(above[is_positive].mean()), right


def _thinned(n: int, *, first: bool = False) -> Ints:
    """Places of at most `MOST_POINTS` of n, first and last among them; `first`: half of them thicker at the first."""
    if n <= MOST_POINTS:
        return np.arange(n)
    indexes = np.linspace(0, n - 1, MOST_POINTS // 2 if first else MOST_POINTS)
    if first:
        indexes = np.concatenate([indexes, np.geomspace(1, n, MOST_POINTS - indexes.size) - 1])
    return np.unique(indexes.round().astype(np.int64))
