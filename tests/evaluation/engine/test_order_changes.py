"""Runs under several qrels: orders, swaps and tests, against the same worked out pair by pair."""

from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats

from evaluation.engine.order_changes import SAME, Cases, compare_cases
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.corrections import holm

N_RUNS, N_TOPICS = 5, 8
TAGS = [f"r{n}" for n in range(N_RUNS)]


def evaluation(tag: str, values: np.ndarray) -> MeasureValues:
    numbers = tuple(str(n) for n in range(len(values)))
    mean = np.array([values.mean()])
    return MeasureValues(tag, ("AP",), "complete", numbers, values[:, None], mean, (), (), (), 0, 0, 1)


def cases_of(tables: list[np.ndarray]) -> Cases:
    """`tables` are (n_topics, n_runs), one a case."""
    evaluated = [[evaluation(f"r{j}", table[:, j]) for j in range(table.shape[1])] for table in tables]
    return compare_cases([f"case {i}" for i in range(len(tables))], evaluated, "AP", seed=0)


def exchanged(difference: np.ndarray) -> float:
    """The share of all sign vectors that make the sum at least as great, in either direction."""
    sums = np.array(list(product([-1, 1], repeat=difference.size))) @ difference
    return float((np.abs(sums) >= abs(difference.sum()) - 1e-9).mean())


@pytest.fixture(scope="module")
def tables() -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    first = rng.random((N_TOPICS, N_RUNS)) + np.arange(N_RUNS) / 10
    return [first, first[:, ::-1], rng.random((N_TOPICS, N_RUNS))]


def test_there_is_a_change_for_each_two_cases(tables: list[np.ndarray]) -> None:
    cases = cases_of(tables)
    names = [(each.before, each.after) for each in cases.changes]
    assert names == [("case 0", "case 1"), ("case 0", "case 2"), ("case 1", "case 2")]
    assert np.array(cases.mean) == pytest.approx(np.array([table.mean(axis=0) for table in tables]))


def test_tau_is_that_of_another_library(tables: list[np.ndarray]) -> None:
    for change, (one, other) in zip(cases_of(tables).changes, combinations(tables, 2), strict=True):
        assert change.tau_b == pytest.approx(scipy.stats.kendalltau(one.mean(axis=0), other.mean(axis=0)).statistic)


def test_swaps_and_their_tests_pair_by_pair(tables: list[np.ndarray]) -> None:
    """Each p is counted over all 256 ways to exchange two runs on eight topics, and Holm's correction made after."""
    pairs = list(combinations(range(N_RUNS), 2))
    p = [holm([exchanged(table[:, i] - table[:, j]) for i, j in pairs]) for table in tables]
    for change, (a, b) in zip(cases_of(tables).changes, combinations(range(3), 2), strict=True):
        worked_out = {}
        apart_both = 0
        for at, (i, j) in enumerate(pairs):
            before, after = (tables[case][:, i].mean() - tables[case][:, j].mean() for case in (a, b))
            apart_both += p[a][at] <= 0.05 and p[b][at] <= 0.05 and before * after > 0
            if before * after < 0:
                ahead, behind = (TAGS[i], TAGS[j]) if before > 0 else (TAGS[j], TAGS[i])
                worked_out[ahead, behind] = (abs(before), -abs(after), p[a][at], p[b][at])
        swaps = {(s.ahead, s.behind): (s.before, s.after, s.p_before, s.p_after) for s in change.swaps}
        assert swaps.keys() == worked_out.keys()
        for pair, values in worked_out.items():
            assert swaps[pair] == pytest.approx(values)
        apart = ((p[a] <= 0.05).sum(), (p[b] <= 0.05).sum(), apart_both)
        assert (change.n_apart_before, change.n_apart_after, change.n_apart_both) == apart


def test_rounding_alone_orders_nothing() -> None:
    """The same values of another run, added in another order: 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ."""
    first = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    nudged = first + np.array([[SAME / 10, 0.0]])
    (change,) = cases_of([first, nudged]).changes
    assert (change.swaps, change.n_parted, change.tau_b, change.tau_ap) == ((), 0, None, None)
    (change,) = cases_of([first, first + np.array([[0.1, 0.0]])]).changes
    assert (change.swaps, change.n_parted) == ((), 1)


def test_one_topic_has_no_test_and_one_run_no_order() -> None:
    one_topic = [np.array([[0.1, 0.2]]), np.array([[0.2, 0.1]])]
    (change,) = cases_of(one_topic).changes
    assert [(s.ahead, s.behind, s.p_before, s.p_after) for s in change.swaps] == [("r1", "r0", None, None)]
    assert (change.tau_b, change.n_apart_before, change.n_apart_after) == (-1.0, 0, 0)
    assert cases_of([np.array([[0.1], [0.2]])] * 2).changes == ()
    two_topics = [np.array([[0.1, 0.2], [0.1, 0.3]]), np.array([[0.2, 0.1], [0.3, 0.1]])]
    (change,) = cases_of(two_topics).changes
    assert [(s.p_before, s.p_after) for s in change.swaps] == [(0.5, 0.5)]


def test_runs_told_apart_the_other_way_round_are_not_told_apart_alike() -> None:
    """All eight topics say the same: p is 2/256, both ways."""
    first = np.stack([np.arange(8) / 10, np.arange(8) / 10 + 0.1], axis=1)
    changes = cases_of([first, first[:, ::-1], first * 0.9]).changes
    assert [(each.n_apart_before, each.n_apart_after, each.n_apart_both) for each in changes] == [
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, 0),
    ]
    assert [(s.p_before, s.p_after) for s in changes[0].swaps] == [(2 / 256, 2 / 256)]
