"""Impressions of interleaved lists, counted: which ranker each prefers, by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evaluation.engine.arrays import Floats, Ints, Words
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import Method

PIECE = 1 << 19  # impressions credited at a time
EQUAL = 1e-9  # credits that differ by less are a tie: sums of fractions are rounded


@dataclass(frozen=True, eq=False)
class Tally:
    """Impressions by pair of rankers and topic. `pairs` index `rankers`.

    `wins`, `losses`, `ties` (n_pairs, n_topics): impressions with clicks whose credit is greater for the first ranker
    of the pair, for the second, and equal; `n_silent` impressions were without a click.

    Of methods that are fair in the mean of credits alone (`Method.by_credit`), besides: `credit` (2, n_pairs,
    n_topics), the sums of both rankers, and `products` (3, n_pairs, n_topics), over impressions with clicks the sums of
    the first's squared credit, of the product, and of the second's squared. None of others.
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


def tally(lists: Lists, method: Method, row: Ints, clicked: Words) -> Tally:
    """`row` (n_impressions,): which list each impression showed; bit i of `clicked`: a click on position i + 1. A
    document that was clicked twice in an impression counts once."""
    pairs = tuple(combinations(range(len(lists.rankers)), 2))
    shape = len(pairs), len(lists.numbers)
    wins, losses, ties = (np.zeros(shape, np.int64) for _ in range(3))
    sums, products = np.zeros((2, *shape)), np.zeros((3, *shape))
    n_silent = 0
    for begin in range(0, row.size, PIECE):
        here, bits = row[begin : begin + PIECE], clicked[begin : begin + PIECE]
        n_silent += int(np.count_nonzero(bits == 0))
        here, bits = here[bits != 0], bits[bits != 0]
        credit, topic = method.credit(lists, here, bits), lists.topic[here]
        for pair, (first, second) in enumerate(pairs):
            own, other = credit[:, first], credit[:, second]
            gap = own - other
            for count, chosen in ((wins, gap > EQUAL), (losses, gap < -EQUAL), (ties, np.abs(gap) <= EQUAL)):
                count[pair] += np.bincount(topic[chosen], minlength=shape[1])
            if method.by_credit:
                sums[:, pair] += _by_topic(topic, (own, other), shape[1])
                products[:, pair] += _by_topic(topic, (own**2, own * other, other**2), shape[1])
    of_credit = (sums, products) if method.by_credit else (None, None)
    return Tally(lists.rankers, lists.numbers, pairs, wins, losses, ties, n_silent, *of_credit)


def _by_topic(topic: Ints, values: Sequence[Floats], n_topics: int) -> Floats:
    return np.stack([np.bincount(topic, each, minlength=n_topics) for each in values])
