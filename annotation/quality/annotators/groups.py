"""Three people and more who copy from each other: each couple of them beside people outside the group.

Spearman's product holds whoever is left out of the rest. So of each couple that agrees far beyond
chance, those others who agree as much with both are left out, one more at a time, before the rest
explains anything. That somebody chose whom to leave out is paid for: the bound on chance is
multiplied by the number of ways to choose so many among all who judged the couple's pairs, and by
the numbers that are tried (C. E. Bonferroni 1936).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np

from annotation.quality.annotators.expected_agreement import LEAST, beyond_chance, by_chance, sums_of
from annotation.quality.annotators.outside_group import Met, explained_outside
from annotation.quality.annotators.shared_pairs import Meetings
from annotation.quality.arrays import Bools, Floats, Ints
from annotation.quality.scale import Scale
from annotation.quality.votes import Votes, grade_counts

FAR = 0.5  # of the way from the agreement explained to full agreement
SURE = 0.001  # expected number of couples so alike by chance, over all couples compared, at most
MOST_LEFT_OUT = 4
MOST_COUPLES = 100  # those most alike: leaving people out takes a millisecond a couple


@dataclass(frozen=True)
class Left:
    """A couple on its pairs with people outside its group."""

    n: int
    same: int
    expected: float
    by_chance: float
    n_left_out: int

    @property
    def is_alike(self) -> bool:
        beyond = (self.same / self.n - self.expected) / max(1 - self.expected, 1e-9)
        return beyond >= FAR and self.by_chance <= SURE


@dataclass(frozen=True, eq=False)
class Field:
    """All votes, and who met whom."""

    votes: Votes
    scale: Scale
    met: Meetings
    habits: Floats

    @cached_property
    def ends(self) -> tuple[Ints, Ints]:
        return self.met.key // self.met.n_annotators, self.met.key % self.met.n_annotators

    @cached_property
    def rows(self) -> tuple[Ints, Ints]:
        """The votes by pair, and where each pair begins."""
        return np.argsort(self.votes.pair, kind="stable"), np.searchsorted(
            np.sort(self.votes.pair), np.arange(self.votes.n_pairs + 1)
        )

    def pairs_of(self, person: int) -> Ints:
        return np.asarray(self.votes.pair[self.votes.annotator == person], dtype=np.int64)


def copying_groups(field: Field, key: Ints, *, free: Bools) -> dict[int, Left]:
    """Of the couples `key` that are `free` to be tried, (n_couples,) each: by place, those that are alike once so many
    others are left out; the fewest who do."""
    groups: dict[int, Left] = {}
    index_of = {couple: at for at, couple in enumerate(key.tolist()) if free[at]}
    for couple, others in _candidates(_close(field), index_of, field.met.n_annotators):
        for n in range(1, len(others) + 1):
            left = _without(field, couple, others[:n], n_couples=len(key))
            if left is not None and left.is_alike:
                groups[index_of[couple]] = left
                break
    return groups


def _close(field: Field) -> dict[int, dict[int, float]]:
    """By person: everybody with whom they agree at least halfway beyond chance, and how far."""
    enough = field.met.n >= LEAST
    first, second = (end[enough] for end in field.ends)
    share = field.habits / np.maximum(field.habits.sum(axis=1, keepdims=True), 1)
    chance = (share[first] * share[second]).sum(axis=1)
    kappa = beyond_chance(field.met.same[enough] / field.met.n[enough], chance)
    close: dict[int, dict[int, float]] = {}
    for one, other, far in zip(first.tolist(), second.tolist(), kappa.tolist(), strict=True):
        if far >= FAR:
            close.setdefault(one, {})[other] = far
            close.setdefault(other, {})[one] = far
    return close


def _candidates(
    close: Mapping[int, Mapping[int, float]], wanted: Mapping[int, int], n_annotators: int
) -> Iterator[tuple[int, list[int]]]:
    """The couples that agree most, each with the others closest to both, the closest first."""
    couples = [(-far, one * n_annotators + other) for one, near in close.items() for other, far in near.items()]
    couples = sorted(each for each in couples if each[1] in wanted)
    for _, couple in couples[:MOST_COUPLES]:
        one, other = close[couple // n_annotators], close[couple % n_annotators]
        near_both = sorted(one.keys() & other.keys(), key=lambda who: (-min(one[who], other[who]), who))
        yield couple, near_both[:MOST_LEFT_OUT]


def _without(field: Field, couple: int, others: list[int], *, n_couples: int) -> Left | None:
    """The couple on the pairs that it shares with somebody but these; None where they are too few."""
    n_annotators = field.met.n_annotators
    first, second = divmod(couple, n_annotators)
    votes, n_people = _shared(field, first, second, others)
    if votes.n_pairs < LEAST:
        return None
    step, key = field.scale.index_of(votes.grade), np.array([couple], dtype=np.int64)
    sums = sums_of(votes, grade_counts(votes, field.scale), step, key, n_annotators)
    outside = np.ones(n_annotators, dtype=np.bool_)
    outside[[first, second, *others]] = False
    everybody = field.habits[outside].sum(axis=0)
    expected = explained_outside(
        sums[:, 0],
        field.habits[first],
        field.habits[second],
        everybody,
        others=_among(field, outside),
        third=_thirds(field, votes, outside),
    )
    ways = comb(max(n_people, len(others)), len(others)) * MOST_LEFT_OUT
    chance = float(by_chance(sums[1], sums[0], np.array([expected]))[0]) * ways * n_couples
    return Left(int(sums[0, 0]), int(sums[1, 0]), expected, chance, len(others))


def _shared(field: Field, first: int, second: int, others: list[int]) -> tuple[Votes, int]:
    """The votes on the couple's pairs without the others', where somebody else is left; and how many people more than
    the couple judged its pairs."""
    order, start = field.rows
    pairs = np.intersect1d(field.pairs_of(first), field.pairs_of(second))
    rows = np.concatenate([order[start[pair] : start[pair + 1]] for pair in pairs.tolist()] or [order[:0]])
    annotator = field.votes.annotator[rows]
    n_people = len(np.unique(annotator)) - 2
    kept = rows[~np.isin(annotator, others)]
    new = np.searchsorted(pairs, field.votes.pair[kept]).astype(np.int64)
    votes = Votes(new, field.votes.annotator[kept], field.votes.grade[kept], len(pairs))
    return votes.of(votes.n > 2), n_people


def _among(field: Field, outside: Bools) -> Met:
    """How people outside agree among each other."""
    first, second = field.ends
    kept = outside[first] & outside[second]
    return float(field.met.same[kept].sum()), float(field.met.n[kept].sum())


def _thirds(field: Field, votes: Votes, outside: Bools) -> Met:
    """Pairs with one person outside, and how far that person agrees with others outside."""
    alone = votes.n == 3
    third = votes.annotator[alone[votes.pair] & outside[votes.annotator]]
    who, times = np.unique(third, return_counts=True)
    first, second = field.ends
    same = 0.0
    for person, n in zip(who.tolist(), times.tolist(), strict=True):
        kept = ((first == person) & outside[second]) | ((second == person) & outside[first])
        same += n * float(field.met.same[kept].sum()) / max(float(field.met.n[kept].sum()), 1)
    return same, float(times.sum())
