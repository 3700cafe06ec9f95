"""At which cards of a block something planted comes: at random gaps, as often as its share says."""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil

import numpy as np
from numpy.random import Generator


def spread(
    rng: Generator, *, share: float, cards: Sequence[float], room: Sequence[float]
) -> list[list[tuple[float, bool]]]:
    """For each block the places (cards done before, and whether the person is expected to come so far), ascending.

    Time is cut into stretches of 1/share cards with one place at random in each: gaps lie between 0 and twice that, and
    in any n cards are n · share places, give or take one. The expected `cards` of the blocks are laid end to end, so
    that short blocks share a stretch; beyond them, up to `room`, each block goes on by itself.
    """
    places: list[list[tuple[float, bool]]] = [[] for _ in cards]
    if share <= 0:
        return places
    edges = np.array([0.0, *accumulate(cards)])
    n = ceil(edges[-1] * share)
    for point in (np.arange(n) + rng.random(n)) / share:
        block = int(np.searchsorted(edges, point, side="right")) - 1
        if block < len(places):
            places[block].append((float(point - edges[block]), True))
    for block, (expected, most) in enumerate(zip(cards, room, strict=True)):
        places[block] += [(expected + point, False) for point in _beyond(rng, share, most - expected)]
    return places


def scatter(rng: Generator, *, n: int, cards: float) -> list[float]:
    """`n` places in `cards` cards: one at random in each n-th part."""
    return [float(point) for point in (np.arange(n) + rng.random(n)) * (cards / max(n, 1))]


def whole_places(places: Sequence[float]) -> list[int]:
    """The same places as numbers of cards done before, no two alike: one whose number is taken moves on to the next.

    Those that stand first in `places` choose first. Rounded down, each card of a block is as likely as any other to be
    what is planted: nothing tells the first card, or any later one, from the rest.
    """
    dues: list[int] = []
    for at in places:
        due = int(at)
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
