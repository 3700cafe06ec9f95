"""Strata by frequency: head, torso and tail of a list of counts."""

from typing import TypeAlias

import numpy as np

from evaluation.engine.arrays import Floats, Ints

Codes: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.int8]]"

NAMES = ("head", "torso", "tail")


def by_rank(count: Ints, *, head: int, torso: int) -> Codes:
    """The `head` most frequent units, then `torso` more, then the rest: 0, 1, 2; (n_units,).

    Equal counts are in the order given. Raises `ValueError` for a negative number, and head and torso beyond all units.
    """
    if head < 0 or torso < 0 or head + torso > count.size:
        raise ValueError(f"head {head:,} and torso {torso:,} do not fit into {count.size:,} units")
    return _cut(count, head, head + torso)


def by_traffic(count: Ints, *, head: float = 1 / 3, torso: float = 1 / 3) -> Codes:
    """The most frequent units that together have up to the share `head` of all counts, then those up to `head` +
    `torso`, then the rest: 0, 1, 2; (n_units,).

    The unit that crosses a limit belongs to the stratum below it. Equal counts are in the order given. Raises
    `ValueError` for shares that are not positive or exceed 1 together, negative counts, and counts that are all 0.
    """
    if not (head > 0 and torso > 0 and head + torso <= 1):
        raise ValueError(f"head {head:g} and torso {torso:g} are shares of all traffic: positive, together at most 1")
    if count.size == 0 or count.min() < 0:
        raise ValueError("traffic is counted by numbers of at least 0, and there is none, or one below")
    if count.max() == 0:
        raise ValueError("every count is 0: there is no traffic to divide")
    descending = np.sort(count)[::-1]
    share: Floats = np.cumsum(descending, dtype=np.float64) / descending.sum(dtype=np.float64)
    n_head, n_more = np.searchsorted(share, [head + 1e-12, head + torso + 1e-12], side="right").tolist()
    return _cut(count, n_head, n_more)


def _cut(count: Ints, n_head: int, n_more: int) -> Codes:
    order = np.argsort(-count, kind="stable")
    stratum = np.full(count.size, 2, np.int8)
    stratum[order[:n_more]] = 1
    stratum[order[:n_head]] = 0
    return stratum
