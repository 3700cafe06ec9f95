"""At which cards of a block something planted comes: at random gaps, as often as its share says."""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil

import numpy as np
from numpy.random import Generator


def spread(
    rng: Generator, *, share: float, cards: Sequence[float], room: Sequence[float]
) -> list[list[tuple[float, bool]]]:
    """For each block the positions (cards done before, and whether the person is expected to come so far), ascending.

    Time is cut into stretches of 1/share cards with one position at random in each: gaps lie between
    0 and twice that, and in any n cards are n · share positions, give or take one. The expected
    `cards` of the blocks are laid end to end, so that short blocks share a stretch; beyond them, up
    to `room`, each block goes on by itself.
    """
    positions: list[list[tuple[float, bool]]] = [[] for _ in cards]
    if share <= 0:
        return positions
    edges = np.array([0.0, *accumulate(cards)])
    n = ceil(edges[-1] * share)
    for point in (np.arange(n) + rng.random(n)) / share:
        block = int(np.searchsorted(edges, point, side="right")) - 1
        if block < len(positions):
            positions[block].append((float(point - edges[block]), True))
    for block, (expected, most) in enumerate(zip(cards, room, strict=True)):
        positions[block] += [(expected + point, False) for point in _beyond(rng, share, most - expected)]
    return positions


def scatter(rng: Generator, *, n: int, cards: float) -> list[float]:
    """`n` positions in `cards` cards: one at random in each n-th part."""
    return [float(point) for point in (np.arange(n) + rng.random(n)) * (cards / max(n, 1))]


def whole_positions(positions: Sequence[float]) -> list[int]:
    """The same positions as numbers of cards done before, no two alike.

    One whose number is taken moves on to the next; those that stand first in `positions` choose
    first. Rounded down, each card of a block is as likely as any other to be what is planted:
    nothing tells the first card, or any later one, from the rest.
    """
    dues: list[int] = []
    for position in positions:
        due = int(position)
        while due in dues:
            due += 1
        dues.append(due)
    return dues


def _beyond(rng: Generator, share: float, length: float) -> list[float]:
    if length <= 0:
        return []
    phase = rng.random()
    n = ceil(length * share + phase)
    points = (np.arange(n) + rng.random(n) - phase) / share
    return [float(point) for point in points if 0 <= point < length]
