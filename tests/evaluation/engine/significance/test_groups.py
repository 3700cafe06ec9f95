"""Groups of runs and ranges of ranks, from tests of all pairs: by hand, against plain search, and their promise."""

from itertools import combinations

import numpy as np
import pytest

from evaluation.engine.arrays import Bools
from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.groups import better_than, groups_of, letters_of, rank_ranges
from evaluation.engine.significance.tukey import tukey_hsd


def told_apart(n_runs: int, *pairs: tuple[int, int]) -> Bools:
    """The first of each pair is the better."""
    better: Bools = np.zeros((n_runs, n_runs), np.bool_)
    for first, second in pairs:
        better[first, second] = True
    return better


def plain_groups(better: Bools) -> list[tuple[int, ...]]:
    """Every set of runs that are all alike, and no part of a greater one: all 2^n sets looked at."""
    n, apart = len(better), better | better.T
    sets = [each for size in range(1, n + 1) for each in combinations(range(n), size)]
    alike = [set(each) for each in sets if not any(apart[i, j] for i, j in combinations(each, 2))]
    return sorted(tuple(sorted(each)) for each in alike if not any(each < other for other in alike))


def test_groups_letters_and_ranks_by_hand() -> None:
    """0 is better than 2 and 3, 1 than 3: a holds 0 and 1, b holds 1 and 2, c holds 2 and 3."""
    better = told_apart(4, (0, 2), (0, 3), (1, 3))
    groups = groups_of(better)
    assert groups == [(0, 1), (1, 2), (2, 3)]
    assert letters_of(groups, 4) == ["a", "ab", "bc", "c"]
    assert rank_ranges(better) == [(1, 2), (1, 3), (2, 4), (3, 4)]


def test_runs_all_alike_and_all_apart() -> None:
    assert groups_of(told_apart(3)) == [(0, 1, 2)]
    assert rank_ranges(told_apart(3)) == [(1, 3)] * 3
    all_apart = told_apart(3, (0, 1), (0, 2), (1, 2))
    assert groups_of(all_apart) == [(0,), (1,), (2,)]
    assert rank_ranges(all_apart) == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("seed", range(30))
def test_groups_are_those_of_plain_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    better: Bools = np.triu(rng.random((n, n)) < rng.random(), 1)
    groups = groups_of(better, most=2**n)
    assert groups == plain_groups(better)
    together = {pair for group in groups or [] for pair in combinations(group, 2)}
    assert together == {(i, j) for i, j in combinations(range(n), 2) if not better[i, j]}


def test_more_groups_than_letters_are_left_to_ranks() -> None:
    """Each run can be told from its twin alone: 2^5 groups of one of each couple."""
    better = told_apart(10, *((n, n + 1) for n in range(0, 10, 2)))
    assert groups_of(better) is None
    assert len(groups_of(better, most=32) or []) == 32


def test_tukey_gives_no_more_groups_than_runs() -> None:
    """Of one critical difference a group is all runs between two means: 300 runs are done at once."""
    rng = np.random.default_rng(4)
    value = rng.random((50, 300)) * 0.3 + np.linspace(0.7, 0, 300)
    groups = groups_of(better_than(tukey_hsd(value, n_permutations=200, rng=1), alpha=0.05), most=300)
    assert groups is not None
    assert 2 <= len(groups) <= 300
    assert {run for group in groups for run in group} == set(range(300))


def test_better_is_who_has_the_higher_mean_of_a_pair_told_apart() -> None:
    rng = np.random.default_rng(2)
    value = rng.normal(size=(40, 3)) * 0.1 + [0.2, 0.5, 0.21]
    better = better_than(compare_pairs(value, test="t", rng=1), alpha=0.05)
    assert better.tolist() == [[False] * 3, [True, False, True], [False] * 3]


def test_told_apart_is_who_has_an_adjusted_p_of_at_most_alpha() -> None:
    """At the p of each pair in turn: it is told apart, and whoever has a greater one is not."""
    pairs = compare_pairs(np.random.default_rng(6).random((20, 6)) + np.linspace(0, 0.3, 6), test="t", rng=1)
    for alpha in pairs.adjusted.tolist():
        better = better_than(pairs, alpha=alpha)
        assert (better | better.T)[pairs.first, pairs.second].tolist() == (pairs.adjusted <= alpha).tolist()
        assert not (better & better.T).any()


@pytest.mark.parametrize("shift", [0.0, 0.05, 0.3])
def test_all_true_ranks_lie_in_their_ranges_as_often_as_promised(shift: float) -> None:
    """1,000 collections of 30 topics and 6 runs in three couples of equal ones, `shift` apart: in no fewer than 93 % of
    them every true rank is in its range, for 95 % less three spreads of 1,000 draws."""
    rng = np.random.default_rng(7)
    truth, inside, n = np.repeat([2, 1, 0], 2), 0, 1000
    true_ranks = [(1 + int((truth > own).sum()), 6 - int((truth < own).sum())) for own in truth]
    for _ in range(n):
        topic = rng.normal(size=(30, 1)) * 0.2
        value = topic + rng.normal(size=(30, 6)) * 0.15 + shift * truth
        ranges = rank_ranges(better_than(tukey_hsd(value, n_permutations=199, rng=rng), alpha=0.05))
        inside += all(
            low <= first and last <= high for (low, high), (first, last) in zip(ranges, true_ranks, strict=True)
        )
    assert inside / n >= 0.93
