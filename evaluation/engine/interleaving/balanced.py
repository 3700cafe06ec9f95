"""Balanced interleaving."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.engine.arrays import Floats, Ints, Words
from evaluation.engine.interleaving.lists import Lists
from evaluation.engine.interleaving.method import Draw, Method, Shown


@dataclass(frozen=True, kw_only=True)
class Balanced(Method):
    """A coin says which ranking is first; then the list takes the next document from the ranking that was read less
    far, from the first one where both were read alike. Each prefix of the list so holds the first k documents of one
    ranking and the first k or k − 1 of the other. The team is the ranking that a document was taken from.

    Credit: k is the smaller rank of the lowest document that was clicked; the ranker with more clicks among its first
    k documents wins. Joachims, Evaluating retrieval performance using clickthrough data, in Text Mining, 2003, and
    Optimizing search engines using clickthrough data, KDD 2002.

    It is biased: where one ranking is the other with its first document put last, clicks at random prefer one of them
    (Radlinski, Kurup and Joachims, CIKM 2008, section 3.2). Take team draft unless you must.
    """

    title = "balanced"
    pairs_only = True

    def drawing(self, rankings: Sequence[Sequence[str]]) -> Draw:
        depth = len(rankings[0])
        both = [_balanced(rankings, first, depth) for first in (0, 1)]
        return lambda rng: both[int(rng.integers(2))]

    def credit(self, lists: Lists, row: Ints, clicked: Words) -> Floats:
        lowest = np.full(row.size, -1)
        for at in range(lists.depth):
            lowest[(clicked & np.uint64(1 << at)) != 0] = at
        absent = np.iinfo(np.int16).max
        rank = np.where(lists.rank == 0, absent, lists.rank)  # (n_lists, depth, 2)
        k = np.where(lowest < 0, 0, rank.min(axis=2)[row, lowest])
        total = np.zeros((row.size, 2))
        for at in range(lists.depth):
            hit = np.flatnonzero(clicked & np.uint64(1 << at))
            total[hit] += rank[row[hit], at] <= k[hit, None]
        return total


def _balanced(rankings: Sequence[Sequence[str]], first: int, depth: int) -> Shown:
    docnos: dict[str, int] = {}
    read = [0, 0]
    while len(docnos) < depth:
        turn = first if read[first] <= read[1 - first] else 1 - first
        docnos.setdefault(rankings[turn][read[turn]], turn)
        read[turn] += 1
    return Shown(tuple(docnos), tuple(docnos.values()))
