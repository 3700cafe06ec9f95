"""Who met whom on pairs, how often, and how often with the same grade."""

from dataclasses import dataclass
from functools import cached_property

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
    key, place, n = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    n_same = np.bincount(place.reshape(-1), weights=np.concatenate(same), minlength=len(key))
    return Meetings(key, n.astype(np.float64), n_same.astype(np.float64), n_annotators)
