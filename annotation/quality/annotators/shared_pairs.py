"""Who met whom on pairs, how often, and how often with the same grade; and third people on the pairs of a couple."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from annotation.quality.arrays import Floats, Ints
from annotation.quality.pairs import find
from annotation.quality.votes import Votes, met_on_pairs


@dataclass(frozen=True, eq=False)
class Meetings:
    """(n_couples,) each; `key` is first · n_annotators + second, first < second, ascending."""

    key: Ints
    n: Floats
    same: Floats
    n_annotators: int

    @cached_property
    def of_people(self) -> tuple[Floats, Floats]:
        """`(same, n)`, (n_annotators,) each: of each person with anybody."""
        return self._sum(self.same), self._sum(self.n)

    def of(self, one: Ints, other: Ints) -> tuple[Floats, Floats]:
        """`(same, n)` of couples that met, whichever way round."""
        first, second = np.minimum(one, other), np.maximum(one, other)
        at, _ = find(first * self.n_annotators + second, self.key)
        return self.same[at], self.n[at]

    def without(self, key: Ints) -> tuple[Floats, Floats]:
        """`(same, n)` of all meetings without either of a couple, for each couple of `key`."""
        one, other = key // self.n_annotators, key % self.n_annotators
        parts = zip((self.same, self.n), self.of_people, self.of(one, other), strict=True)
        same, n = (every.sum() - each[one] - each[other] + both for every, each, both in parts)
        return same, n

    def _sum(self, part: Floats) -> Floats:
        ends = (self.key // self.n_annotators, self.key % self.n_annotators)
        first, second = (np.bincount(end, weights=part, minlength=self.n_annotators) for end in ends)
        return np.asarray(first + second, dtype=np.float64)


def meetings_of(votes: Votes, step: Ints, n_annotators: int) -> Meetings:
    """`step`: the grades by their place on the scale."""
    keys, same = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.bool_)]
    for one, other in met_on_pairs(votes):
        keys.append(votes.annotator[one] * n_annotators + votes.annotator[other])
        same.append(step[one] == step[other])
    key, index, n = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    n_same = np.bincount(index.reshape(-1), weights=np.concatenate(same), minlength=len(key))
    return Meetings(key, n.astype(np.float64), n_same.astype(np.float64), n_annotators)


def third_people(votes: Votes, met: Meetings, key: Ints) -> tuple[Floats, Floats]:
    """`(same, n)`, (n_couples,) each: pairs of three people that the couple shares, and of these the mean share of the
    same grades of the third with others than the two; a third who met nobody else counts as one who never agreed."""
    same, n = np.zeros(len(key)), np.zeros(len(key))
    for people in _threes(votes) if len(key) else ():
        at, is_there = find(people[0] * met.n_annotators + people[1], key)
        n += np.bincount(at[is_there], minlength=len(key))
        elsewhere = _elsewhere(met, *(each[is_there] for each in people))
        same += np.bincount(at[is_there], weights=elsewhere, minlength=len(key))
    return same, n


def _elsewhere(met: Meetings, one: Ints, other: Ints, third: Ints) -> Floats:
    parts = zip(met.of_people, met.of(one, third), met.of(other, third), strict=True)
    same, n = (each[third] - first - second for each, first, second in parts)
    return np.asarray(same / np.maximum(n, 1))


def _threes(votes: Votes) -> list[tuple[Ints, Ints, Ints]]:
    """The people of pairs of three, a couple by ascending annotator and the third, in each of the three ways."""
    three = votes.n[votes.pair] == 3
    order = np.lexsort((votes.annotator[three], votes.pair[three]))
    people = votes.annotator[three][order].reshape(-1, 3)
    return [(people[:, a], people[:, b], people[:, 3 - a - b]) for a, b in combinations(range(3), 2)]
