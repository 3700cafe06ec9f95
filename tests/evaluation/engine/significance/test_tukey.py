import itertools
import math

import numpy as np
import pytest

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.all_pairs import compare_pairs
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.tukey import tukey_hsd

N = 20_000


def exact_p(value: Floats) -> list[float]:
    """Every order of every topic's values, one by one."""
    means = value.mean(axis=0)
    shuffles = itertools.product(*(list(itertools.permutations(row)) for row in value.tolist()))
    ranges = [np.ptp(np.mean(rows, axis=0)) for rows in shuffles]
    pairs = itertools.combinations(range(value.shape[1]), 2)
    return [float(np.mean(np.array(ranges) >= abs(means[i] - means[j]) - 1e-12)) for i, j in pairs]


@pytest.mark.parametrize("seed", [0, 1])
def test_it_draws_among_all_permutations(seed: int) -> None:
    """3 runs on 5 topics: 7776 ways, of which 7000 are drawn."""
    value, n = np.random.default_rng(seed).integers(0, 6, (5, 3)) / 10 + [0.0, 0.1, 0.3], 7000
    comparison = tukey_hsd(value, n_permutations=n, rng=0)
    for p, expected in zip(comparison.p.tolist(), exact_p(value), strict=True):
        assert abs(p - expected) < 5 * math.sqrt(expected * (1 - expected) / n) + 1 / n
    assert (comparison.test, comparison.n_draws, comparison.exact) == ("tukey", n, False)
    assert (comparison.n_topics, comparison.n_runs) == (5, 3)


@pytest.mark.parametrize(("n_topics", "n_runs"), [(5, 3), (4, 3), (3, 4), (2, 2)])
def test_of_few_permutations_each_is_taken_once(n_topics: int, n_runs: int) -> None:
    n = math.factorial(n_runs) ** n_topics
    for seed in range(5):
        value = np.random.default_rng(seed).integers(0, 6, (n_topics, n_runs)) / 10
        comparison = tukey_hsd(value, n_permutations=n, rng=seed)
        assert comparison.p.tolist() == pytest.approx(exact_p(value), abs=1e-12)
        assert (comparison.n_draws, comparison.exact) == (n, True)


def test_many_runs_on_many_topics_are_drawn() -> None:
    """300!^20 permutations are not even counted."""
    comparison = tukey_hsd(np.random.default_rng(8).random((20, 300)), n_permutations=9, rng=0)
    assert (comparison.n_draws, comparison.exact) == (9, False)


def test_of_two_runs_it_is_the_randomization_test() -> None:
    value = np.random.default_rng(2).random((14, 2)) + np.array([0.0, 0.2])
    exact = randomization(value[:, 0] - value[:, 1], rng=0).p
    comparison = tukey_hsd(value, n_permutations=N, rng=0)
    assert comparison.p[0] == pytest.approx(exact, abs=1e-12)
    assert comparison.mean_difference == pytest.approx([value[:, 0].mean() - value[:, 1].mean()])


def test_it_pairs_topics() -> None:
    """Topics of very different difficulty hide nothing: each is shuffled within itself."""
    rng = np.random.default_rng(3)
    value = rng.normal(size=(30, 4)) + np.array([0.0, 0.0, 0.0, 1.5])
    hard = value + 100 * rng.random((30, 1))
    assert np.allclose(tukey_hsd(value, rng=1).p, tukey_hsd(hard, rng=1).p)


def test_it_is_for_all_pairs_at_once() -> None:
    """Never keener than the test of a pair by itself, and of many equal runs rarely a pair is told apart."""
    value = np.random.default_rng(4).random((50, 12))
    comparison, alone = tukey_hsd(value, rng=0), compare_pairs(value, correction="none", rng=0)
    assert (comparison.p >= alone.p - 0.01).all()
    assert np.array_equal(comparison.adjusted, comparison.p)
    assert comparison.corrected("none").p is comparison.p
    with pytest.raises(ValueError, match="as it is"):
        comparison.corrected("holm")


def test_false_alarms_of_the_family_are_as_rare_as_said() -> None:
    """400 families of 5 equal runs: some pair is told apart at 10 % in a tenth of them."""
    rng = np.random.default_rng(5)
    alarms = [tukey_hsd(rng.random((20, 5)), n_permutations=199, rng=rng).p.min() <= 0.1 for _ in range(400)]
    assert np.mean(alarms) == pytest.approx(0.1, abs=4 * math.sqrt(0.09 / 400))


def test_equal_runs_have_p_1_and_no_p_is_0() -> None:
    value = np.random.default_rng(6).random((40, 3))
    value[:, 1] = value[:, 0]
    value[:, 2] += 5
    comparison = tukey_hsd(value, n_permutations=99, rng=0)
    assert comparison.p[0] == 1.0
    assert comparison.p[1:].tolist() == [0.01, 0.01]
    assert tukey_hsd(np.zeros((4, 3)), n_permutations=9, rng=0).p.tolist() == [1.0, 1.0, 1.0]


def test_the_seed_decides() -> None:
    value = np.random.default_rng(7).random((30, 4))
    assert np.array_equal(tukey_hsd(value, rng=1).p, tukey_hsd(value, rng=np.random.default_rng(1)).p)
    assert not np.array_equal(tukey_hsd(value, rng=1).p, tukey_hsd(value, rng=2).p)


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="at least 2 runs"):
        tukey_hsd(np.ones((5, 1)), rng=0)
    with pytest.raises(ValueError, match="at least 2 topics"):
        tukey_hsd(np.ones((1, 3)), rng=0)
    with pytest.raises(ValueError, match="must be finite"):
        tukey_hsd(np.array([[0.1, np.inf], [0.1, 0.2]]), rng=0)
    with pytest.raises(ValueError, match="at least one draw"):
        tukey_hsd(np.ones((5, 3)), n_permutations=0, rng=0)
