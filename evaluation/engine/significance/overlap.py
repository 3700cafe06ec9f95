"""How far two orders share their tops: rank-biased overlap, average overlap, and the overlap of sets.

An order is a sequence from the best down. An element is a name, or a set, tuple or list of names
that are tied. The two orders may hold different names and be of different length: rankings of
documents, or systems by their means (`order_by_value`). Ties are taken as not decided: every
quantity is its mean over all ways to break them, each as likely, independently in the two orders
(variant a of Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024).
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats

Order: TypeAlias = Sequence[str | Collection[str]]


@dataclass(frozen=True)
class RankBiasedOverlap:
    """RBO of two orders: between `low` and `low + residual` however they go on, `value` if they go on as they began."""

    value: float  # extrapolated
    low: float
    residual: float
    p: float
    lengths: tuple[int, int]
    n_shared: int  # names in both

    @property
    def high(self) -> float:
        return self.low + self.residual


@dataclass(frozen=True)
class AverageOverlap:
    """The mean over depths 1 … `depth` of the share of names that the two orders have in common down to there."""

    value: float
    depth: int
    by_depth: tuple[float, ...]  # the value had one stopped at depth 1, 2, …


def rank_biased_overlap(first: Order, second: Order, *, p: float = 0.9) -> RankBiasedOverlap:
    """RBO = (1 − p) Σ over depths d of p^(d − 1) · X(d) / d, X(d) the number of names both have down to depth d.

    `p` is how likely a reader goes on to the next rank: the first d ranks matter the more the smaller it is. Orders are
    beginnings of longer ones: `low` has no further name in common, `low + residual` as many as can be, and `value`
    (RBO_ext) holds the agreement at the end of what is seen; where one order is longer, the shorter one goes on with
    its own. Two orders of all systems there are have a residual too: only what both have is compared. Raises
    `ValueError` for an empty order, a name twice in an order and a p outside (0, 1).

    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010: equations 11, 30 and 32.
    """
    if not 0 < p < 1:
        raise ValueError(f"p lies between 0 and 1, not {p}")
    short, long = sorted((_rank_spans(first), _rank_spans(second)), key=len)
    s, n = len(short), len(long)
    shared = _shared_by_depth(short, long, n)
    depth = np.arange(1, n + 1)
    weight = p ** (depth - 1) * (1 - p) / depth  # of one name in common at this depth
    at_s, at_n = float(shared[s - 1]), float(shared[-1])
    observed = float(weight @ shared)
    longer = at_s / s * float(weight[s:] @ (depth[s:] - s))  # the shorter order goes on agreeing as it did
    beyond = ((at_n - at_s) / n + at_s / s) * p**n
    low = observed + at_n * _tail(p, n)
    return RankBiasedOverlap(
        value=observed + longer + beyond,
        low=low,
        residual=_residual(p, s, n, round(at_n)),
        p=p,
        lengths=(sum(map(_size, first)), sum(map(_size, second))),
        n_shared=round(at_n),
    )


def average_overlap(first: Order, second: Order, *, depth: int | None = None) -> AverageOverlap:
    """AO = 1/k Σ over depths d = 1 … k of X(d) / d; k is `depth`, the length of the shorter order unless given.

    Raises `ValueError` for an empty order, a name twice in an order, and a depth below 1 or beyond the shorter order.

    Fagin, Kumar and Sivakumar, Comparing top k lists, SODA 2003 (their intersection distance is 1 − AO).
    """
    short, long = sorted((_rank_spans(first), _rank_spans(second)), key=len)
    k = len(short) if depth is None else depth
    if not 1 <= k <= len(short):
        raise ValueError(f"the depth is between 1 and {len(short)}, the length of the shorter order, not {k}")
    ranks = np.arange(1, k + 1)
    by_depth = np.add.accumulate(_shared_by_depth(short, long, k) / ranks) / ranks
    return AverageOverlap(float(by_depth[-1]), k, tuple(by_depth.tolist()))


def set_overlap(*sets: Iterable[str]) -> float:
    """The size of the intersection over that of the union, of two or more sets: of the documents that assessors find
    relevant, how many all of them do. Raises `ValueError` for fewer than two sets, and where all are empty.

    Voorhees, Variations in relevance judgments and the measurement of retrieval effectiveness, IPM 36, 2000.
    """
    members = [set(one) for one in sets]
    if len(members) < 2:
        raise ValueError("an overlap needs at least two sets")
    union = set.union(*members)
    if not union:
        raise ValueError("all sets are empty: they have no overlap")
    return len(set.intersection(*members)) / len(union)


def order_by_value(names: Sequence[str], value: Floats) -> list[tuple[str, ...]]:
    """The order of systems by value, highest first; equal values share an element. Raises `ValueError` for values that
    are not finite, or not as many as names.
    """
    if value.shape != (len(names),) or not np.isfinite(value).all():
        raise ValueError(f"{len(names)} names need as many finite values")
    distinct, index = np.unique(-value, return_inverse=True)
    groups: list[list[str]] = [[] for _ in distinct]
    for name, at in zip(names, index.tolist(), strict=True):
        groups[at].append(name)
    return [tuple(group) for group in groups]


def _rank_spans(order: Order) -> dict[str, tuple[int, int]]:
    """The first and the last rank that each name can have, counted from 1."""
    spans: dict[str, tuple[int, int]] = {}
    rank = 0
    for element in order:
        names = (element,) if isinstance(element, str) else tuple(element)
        for name in names:
            if name in spans:
                raise ValueError(f"{name!r} is twice in an order")
            spans[name] = (rank + 1, rank + len(names))
        rank += len(names)
    if not spans:
        raise ValueError("an order has at least one name")
    return spans


def _shared_by_depth(short: dict[str, tuple[int, int]], long: dict[str, tuple[int, int]], depth: int) -> Floats:
    """X(d), (depth,): the expected number of names that are in both orders down to depth d, d = 1 … depth."""
    surely = np.zeros(depth)  # names in both from this depth on, whatever the ties
    perhaps = np.zeros(depth)  # expected at this depth of those whose ties may put them above or below it
    for name in [name for name in short if name in long]:
        (a, b), (c, d) = short[name], long[name]
        if max(b, d) <= depth:
            surely[max(b, d) - 1] += 1
        at = np.arange(max(a, c), min(max(b, d), depth + 1))
        perhaps[at - 1] += np.minimum(1, (at - a + 1) / (b - a + 1)) * np.minimum(1, (at - c + 1) / (d - c + 1))
    return np.add.accumulate(surely) + perhaps


def _residual(p: float, s: int, n: int, x: int) -> float:
    """How much more RBO can be than `low`: orders of s ≤ n names, x of them in both, go on with as many as can be.

    Below s each new name of the shorter order can be one that the longer has; below n, one of each can be; from depth
    s + n − x on all agree.
    """
    full = s + n - x
    depth = np.arange(1, full + 1)
    weight = p ** (depth - 1) * (1 - p) / depth
    gain = np.maximum(0, depth - s) + np.maximum(0, depth - n)  # x + gain ≤ depth up to `full`
    return max(0.0, float(weight @ gain) + p**full - x * _tail(p, full))


def _tail(p: float, depth: int) -> float:
    """(1 − p) Σ over d > depth of p^(d − 1) / d: what one name in common adds below `depth`."""
    d = np.arange(1, depth + 1)
    return max(0.0, (1 - p) / p * (-math.log1p(-p) - float((p**d / d).sum())))


def _size(element: str | Collection[str]) -> int:
    return 1 if isinstance(element, str) else len(element)
