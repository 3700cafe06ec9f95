import numpy as np
import pytest

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.all_pairs import TESTS, compare_pairs
from evaluation.engine.significance.corrections import adjusted
from evaluation.engine.significance.inputs import paired_difference
from evaluation.engine.significance.paired.bootstrap import bootstrap_test
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.paired.result import PairedTest, Test
from evaluation.engine.significance.paired.sign import sign_test
from evaluation.engine.significance.paired.student import paired_t
from evaluation.engine.significance.paired.wilcoxon import wilcoxon


def values(n_topics: int, n_runs: int, seed: int = 0) -> Floats:
    """Runs that share the topics' difficulty and get better from the first to the last."""
    rng = np.random.default_rng(seed)
    return rng.random((n_topics, 1)) + 0.3 * rng.normal(size=(n_topics, n_runs)) + 0.05 * np.arange(n_runs)


def one_pair(difference: Floats, test: Test) -> PairedTest:
    if test == "randomization":
        return randomization(difference, rng=1)
    if test == "bootstrap":
        return bootstrap_test(difference, rng=1)
    return {"t": paired_t, "wilcoxon": wilcoxon, "sign": sign_test}[test](difference)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("n_topics", [12, 50])
def test_each_pair_is_tested_as_by_itself(n_topics: int, test: Test) -> None:
    value = values(n_topics, 5)
    comparison = compare_pairs(value, test=test, rng=0)
    assert list(zip(comparison.first.tolist(), comparison.second.tolist(), strict=True)) == [
        (i, j) for i in range(5) for j in range(i + 1, 5)
    ]
    for pair, (i, j) in enumerate(zip(comparison.first, comparison.second, strict=True)):
        alone = one_pair(paired_difference(value[:, i], value[:, j]), test)
        assert comparison.statistic[pair] == pytest.approx(alone.statistic, rel=1e-9)
        assert comparison.mean_difference[pair] == pytest.approx(alone.mean_difference, rel=1e-9)
        assert abs(comparison.p[pair] - alone.p) < 1e-9 + 8 * alone.sampling_error
        assert comparison.exact == alone.exact
    assert (comparison.n_topics, comparison.n_runs, len(comparison)) == (n_topics, 5, 10)


def test_few_topics_are_exact() -> None:
    comparison = compare_pairs(values(10, 4), rng=0)
    assert (comparison.exact, comparison.n_draws) == (True, 1024)
    assert np.array_equal(comparison.p, compare_pairs(values(10, 4), rng=9).p)
    assert (compare_pairs(values(17, 4), rng=0).exact, compare_pairs(values(17, 4), rng=0).n_draws) == (False, 100_095)


def test_against_a_baseline() -> None:
    value = values(30, 4)
    comparison, everything = compare_pairs(value, baseline=2, rng=0), compare_pairs(value, rng=0)
    assert (comparison.first.tolist(), comparison.second.tolist()) == ([0, 1, 3], [2, 2, 2])
    assert comparison.mean_difference == pytest.approx(value[:, [0, 1, 3]].mean(axis=0) - value[:, 2].mean())
    with_2 = (everything.first == 2) | (everything.second == 2)
    assert np.array_equal(comparison.p, everything.p[with_2])
    assert np.array_equal(comparison.adjusted, adjusted(comparison.p, "holm"))


@pytest.mark.parametrize("test", TESTS)
def test_equal_runs(test: Test) -> None:
    value = values(40, 3)
    value[:, 2] = value[:, 0]
    comparison = compare_pairs(value, test=test, rng=0)
    assert comparison.p[1] == 1.0
    assert np.isfinite(comparison.statistic).all()


def test_equal_sums_count_however_they_were_added() -> None:
    """Tenths: signed sums that are equal as numbers differ in the last bit."""
    value = np.random.default_rng(3).integers(0, 4, (40, 3)) / 10
    assert np.array_equal(compare_pairs(value, rng=2).p, compare_pairs(np.round(value * 10), rng=2).p)


def test_corrections_and_their_change() -> None:
    comparison = compare_pairs(values(40, 6), correction="bh", rng=0)
    assert np.array_equal(comparison.adjusted, adjusted(comparison.p, "bh"))
    holm = comparison.corrected("holm")
    assert (holm.correction, holm.adjusted.tolist()) == ("holm", adjusted(comparison.p, "holm").tolist())
    assert np.array_equal(comparison.p, holm.p)


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_the_seed_decides_and_p_is_never_0(test: Test) -> None:
    value = values(40, 3) + 10 * np.arange(3)
    value[:, 1] -= 9.95
    first, again, other = (compare_pairs(value, test=test, n_draws=999, rng=rng) for rng in (1, 1, 2))
    assert np.array_equal(first.p, again.p)
    assert not np.array_equal(first.p, other.p)
    assert first.p.min() == 1 / (first.n_draws + 1)


@pytest.mark.parametrize("test", ["t", "bootstrap"])
def test_runs_that_differ_by_a_constant_are_named(test: Test) -> None:
    value = values(20, 3)
    value[:, 2] = value[:, 1] + 0.1
    with pytest.raises(ValueError, match="runs 1 and 2: all differences are equal"):
        compare_pairs(value, test=test, rng=0)
    assert compare_pairs(value, test="randomization", rng=0).p[2] < 0.001


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match=r"a test is one of t, randomization, .*not 'anova'"):
        compare_pairs(values(5, 3), test="anova", rng=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a correction is one of"):
        compare_pairs(values(5, 3), correction="sidak", rng=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one of the runs 0 to 2, not 3"):
        compare_pairs(values(5, 3), baseline=3, rng=0)
    with pytest.raises(ValueError, match="at least 2 topics"):
        compare_pairs(values(1, 3), rng=0)
    with pytest.raises(ValueError, match="at least 2 runs"):
        compare_pairs(values(5, 1), rng=0)
    with pytest.raises(ValueError, match="must be finite"):
        compare_pairs(np.array([[0.1, np.nan], [0.2, 0.3]]), rng=0)
    with pytest.raises(ValueError, match="at least one draw"):
        compare_pairs(values(5, 3), n_draws=0, rng=0)
