"""Impressions of interleaved lists, counted: which ranker each prefers, by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.engine.arrays import Bools, Floats, Ints, Words
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import Method

PIECE = 1 << 19  # impressions credited at a time
EQUAL = 1e-9  # credits that differ by less are a tie: sums of fractions are rounded


@dataclass(frozen=True, eq=False)
class Tally:
    """Impressions by pair of rankers and topic. `pairs` index `rankers`.

    `wins`, `losses`, `ties` (n_pairs, n_topics): impressions with clicks whose credit is greater for the first ranker
    of the pair, for the second, and equal; `n_silent` impressions were without a click.

    Of methods that are fair in the mean of credits alone (`Method.by_credit`), besides, `credit` (2, n_pairs,
    n_topics): the sums of both rankers; None of others.

    Over the `n_lists` (n_topics,) lists with a click: `products` (3, n_pairs, n_topics), the sums of the first's
    square, of the product, and of the second's square, of what impressions of a list add up to: wins and losses, or
    credits. None: each impression had a list of its own.
    """

    rankers: tuple[str, ...]
    numbers: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    wins: Ints
    losses: Ints
    ties: Ints
    n_silent: int
    credit: Floats | None = None
    products: Floats | None = None
    n_lists: Ints | None = None


def tally(lists: Lists, method: Method, row: Ints, clicked: Words) -> Tally:
    """`row` (n_impressions,): which list each impression showed; bit i of `clicked`: a click on position i + 1. A
    document that was clicked twice in an impression counts once."""
    pairs = tuple(combinations(range(len(lists.rankers)), 2))
    shape = len(pairs), len(lists.numbers)
    wins, losses, ties = (np.zeros(shape, np.int64) for _ in range(3))
    sums, of_lists = np.zeros((2, *shape)), _OfLists(lists.topic, shape)
    seen = np.flatnonzero(clicked)
    seen = seen[np.argsort(row[seen], kind="stable")]
    for begin in range(0, seen.size, PIECE):
        here, bits = row[seen[begin : begin + PIECE]], clicked[seen[begin : begin + PIECE]]
        credit, topic = method.credit(lists, here, bits), lists.topic[here]
        start = of_lists.starts(here)
        for pair, (first, second) in enumerate(pairs):
            own, other = credit[:, first], credit[:, second]
            gap = own - other
            won, lost = gap > EQUAL, gap < -EQUAL
            for count, chosen in ((wins, won), (losses, lost), (ties, ~(won | lost))):
                count[pair] += np.bincount(topic[chosen], minlength=shape[1])
            if method.by_credit:
                sums[:, pair] += _by_topic(topic, (own, other), shape[1])
            of_lists.add(pair, here[start], start, (own, other) if method.by_credit else (won, lost))
    of_lists.close()
    return Tally(
        *(lists.rankers, lists.numbers, pairs, wins, losses, ties),
        n_silent=row.size - seen.size,
        credit=sums if method.by_credit else None,
        products=of_lists.products,
        n_lists=of_lists.n,
    )


class _OfLists:
    """Sums of products of what each list adds up to, from pieces in the order of lists: the last list of a piece stays
    open, as the next one may go on with it."""

    def __init__(self, topic: Ints, shape: tuple[int, int]) -> None:
        self.topic, self.last, self.open = topic, -1, np.zeros((2, shape[0]))
        self.products, self.n = np.zeros((3, *shape)), np.zeros(shape[1], np.int64)

    def starts(self, row: Ints) -> Ints:
        """Where each list begins in a piece, `row` (n,)."""
        new = np.append(True, row[1:] != row[:-1])
        if row[0] != self.last:
            self.close()
        self.last = int(row[-1])
        return np.flatnonzero(new)

    def add(self, pair: int, lists: Ints, start: Ints, sides: Sequence[Floats | Bools]) -> None:
        """`lists` (n_lists,) begin at `start`; `sides` (n,) are the first's and the second's of each impression."""
        both = np.stack([np.add.reduceat(side, start, dtype=np.float64) for side in sides])  # (2, n_lists)
        both[:, 0] += self.open[:, pair]
        self.open[:, pair] = both[:, -1]
        self._count(pair, lists[:-1], both[:, :-1])

    def close(self) -> None:
        if self.last >= 0:
            for pair, both in enumerate(self.open.T):
                self._count(pair, np.array([self.last]), both[:, None])
            self.open[:] = 0

    def _count(self, pair: int, lists: Ints, both: Floats) -> None:
        topic, (own, other) = self.topic[lists], both
        self.products[:, pair] += _by_topic(topic, (own**2, own * other, other**2), self.n.size)
        if pair == 0:
            self.n += np.bincount(topic, minlength=self.n.size)


def _by_topic(topic: Ints, values: Sequence[Floats], n_topics: int) -> Floats:
    return np.stack([np.bincount(topic, each, minlength=n_topics) for each in values])
