"""Who met whom, what the third person and the rest say of a couple: counted pair by pair."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest

from annotation.quality.annotators.expected_agreement import sums_of
from annotation.quality.annotators.shared_pairs import meetings_of, third_people
from annotation.quality.arrays import Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts

N_PEOPLE = 6
SCALE = Scale((0, 1, 2))


class Campaign(NamedTuple):
    votes: Votes
    pairs: list[dict[int, int]]  # who gave which grade

    def met(self, one: int, other: int) -> tuple[int, int]:
        """Pairs with the same grade, and pairs."""
        both = [grades[one] == grades[other] for grades in self.pairs if one in grades and other in grades]
        return sum(both), len(both)


def campaign(seed: int, most: int) -> Campaign:
    """Two people or more a pair; the last person meets one other at most."""
    rng = np.random.default_rng(seed)
    pairs = [
        {int(who): int(rng.integers(0, 3)) for who in rng.choice(N_PEOPLE - 1, rng.integers(2, most + 1), False)}
        for _ in range(60)
    ]
    pairs[0] = {0: 1, 1: 1, N_PEOPLE - 1: 2}
    rows = [(i, who, grade) for i, grades in enumerate(pairs) for who, grade in grades.items()]
    pair, who, grade = np.array(rows).T
    return Campaign(Votes(pair, who, grade, len(pairs)), pairs)


def keys(example: Campaign) -> Ints:
    return np.array([a * N_PEOPLE + b for a, b in combinations(range(N_PEOPLE), 2) if example.met(a, b)[1]])


@pytest.mark.parametrize("seed", [1, 2])
def test_meetings(seed: int) -> None:
    example = campaign(seed, 4)
    met, key = meetings_of(example.votes, example.votes.grade, N_PEOPLE), keys(example)
    assert met.key.tolist() == key.tolist()
    every = [example.met(*divmod(couple, N_PEOPLE)) for couple in key.tolist()]
    assert list(zip(met.same.tolist(), met.n.tolist(), strict=True)) == every
    same, n = met.without(key)
    for at, couple in enumerate(key.tolist()):
        others = [example.met(a, b) for a, b in combinations(range(N_PEOPLE), 2) if not {a, b} & {*divmod(couple, 6)}]
        assert (same[at], n[at]) == (sum(each[0] for each in others), sum(each[1] for each in others))


@pytest.mark.parametrize(("seed", "most"), [(1, 3), (2, 4)])
def test_third_people(seed: int, most: int) -> None:
    example, key = campaign(seed, most), keys(campaign(seed, most))
    same, n = third_people(example.votes, meetings_of(example.votes, example.votes.grade, N_PEOPLE), key)
    for at, couple in enumerate(key.tolist()):
        two = {*divmod(couple, N_PEOPLE)}
        thirds = [(grades.keys() - two).pop() for grades in example.pairs if len(grades) == 3 and two <= grades.keys()]
        shares = []
        for third in thirds:
            met = [example.met(third, other) for other in range(N_PEOPLE) if other not in {*two, third}]
            shares.append(sum(each[0] for each in met) / max(sum(each[1] for each in met), 1))
        assert n[at] == len(thirds)
        assert same[at] == pytest.approx(sum(shares))


@pytest.mark.parametrize("seed", [1, 2])
def test_sums_of_a_couple(seed: int) -> None:
    example = campaign(seed, 5)
    three = np.array([len(grades) > 2 for grades in example.pairs])
    votes, pairs = example.votes.of(three), [grades for grades in example.pairs if len(grades) > 2]
    key = keys(Campaign(votes, pairs))
    sums = sums_of(votes, grade_counts(votes, SCALE), votes.grade, key, N_PEOPLE)
    for at, couple in enumerate(key.tolist()):
        one, other = divmod(couple, N_PEOPLE)
        expected = np.zeros(6)
        for grades in pairs:
            if one not in grades or other not in grades:
                continue
            rest = [grade for who, grade in grades.items() if who not in (one, other)]
            among = [a == b for a, b in combinations(rest, 2)]
            alike = [[grades[who] == grade for grade in rest] for who in (one, other)]
            shares = [float(np.mean(each)) for each in (*alike, among or [False])]
            expected += np.array([1, grades[one] == grades[other], *shares[:2], len(rest) > 1, shares[2]])
        np.testing.assert_allclose(sums[:, at], expected)
