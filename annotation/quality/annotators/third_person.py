"""How far the only other person on the pairs of a couple agrees with people besides the two."""

from itertools import combinations

import numpy as np

from annotation.quality.annotators.shared_pairs import Meetings
from annotation.quality.arrays import Floats, Ints
from annotation.quality.pairs import find
from annotation.quality.votes import Votes


def third_people(votes: Votes, met: Meetings, key: Ints) -> tuple[Floats, Floats]:
    """`(same, n)`, (n_couples,) each: pairs of three people that the couple shares, and of these the mean share of the
    same grades of the third with others than the two; a third who met nobody else counts as one who never agreed."""
    same, n = np.zeros(len(key)), np.zeros(len(key))
    for people in _threes(votes) if len(key) else ():
        at, known = find(people[0] * met.n_annotators + people[1], key)
        n += np.bincount(at[known], minlength=len(key))
        elsewhere = _elsewhere(met, *(each[known] for each in people))
        same += np.bincount(at[known], weights=elsewhere, minlength=len(key))
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
