"""Comparing runs: the parts are tested one by one; here that they are put together rightly."""

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.comparison import Comparison, Design, compare
from evaluation.engine.scorer import MeasureValues
from evaluation.engine.significance.paired.randomization import randomization
from evaluation.engine.significance.power import paired_power, topics_needed

VALUES = {
    "a": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
    "b": [0.7, 0.8, 0.4, 0.5, 0.45, 0.1],
    "c": [0.1, 0.2, 0.3, 0.1, 0.15, 0.5],
}


def evaluated(
    tag: str, values: list[float], numbers: tuple[str, ...] = ("1", "2", "3", "4", "5", "6")
) -> MeasureValues:
    value = np.array(values)[:, None]
    return MeasureValues(
        tag, ("AP",), "complete", numbers, value, value.mean(axis=0), (), (), (), n_judged_rows=0,
        n_tied_judged_rows=0, top_grade=1,
    )  # fmt: skip


def compared(design: Design | None = None) -> Comparison:
    runs = [evaluated(tag, values) for tag, values in VALUES.items()]
    return compare(runs, "AP", design or Design(), rng=1)


def test_pairs_with_their_differences_intervals_tests_and_effects() -> None:
    comparison = compared()
    assert [(pair.first, pair.second) for pair in comparison.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    first, difference = comparison.pairs[0], np.array(VALUES["a"]) - np.array(VALUES["b"])
    assert first.difference == pytest.approx(difference, abs=1e-15)
    assert first.p == randomization(difference, rng=1).p  # 2^6 sign vectors: exact, whatever the seed
    expected = stats.ttest_1samp(difference, 0).confidence_interval(0.95)
    assert (first.interval.low, first.interval.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (first.n_better, first.n_equal, first.n_worse) == (5, 1, 0)
    assert [effect.name for effect in first.effects] == ["d_z", "d", "g"]
    assert first.effects[0].value == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert (comparison.test, comparison.exact) == ("randomization", True)
    assert comparison.mean == pytest.approx((0.65, 0.4917, 0.225), abs=1e-4)


def test_p_is_corrected_over_the_pairs_of_the_measure() -> None:
    p = [pair.p for pair in compared().pairs]
    assert [pair.adjusted for pair in compared(Design(correction="bonferroni")).pairs] == [min(1, 3 * x) for x in p]
    assert [pair.adjusted for pair in compared(Design(correction="none")).pairs] == p


def test_every_run_against_a_baseline() -> None:
    comparison = compared(Design(baseline="b"))
    assert [(pair.first, pair.second) for pair in comparison.pairs] == [("a", "b"), ("c", "b")]


def test_tukey_is_one_test_for_all_pairs() -> None:
    comparison = compared(Design(test="tukey", n_draws=999))
    assert (comparison.test, comparison.correction, comparison.n_draws) == ("tukey", "none", 999)
    assert [pair.p for pair in comparison.pairs] == [pair.adjusted for pair in comparison.pairs]


def test_power_is_that_of_the_difference_that_was_named() -> None:
    pair = compared(Design(minimum=0.05)).pairs[0]
    assert pair.power is not None
    assert pair.needed is not None
    deviation = float(pair.difference.std(ddof=1))
    assert pair.power == paired_power(6, difference=0.05, deviation=deviation)
    assert pair.needed == topics_needed(difference=0.05, deviation=deviation)
    assert compared().pairs[0].power is None


def test_runs_that_do_not_differ() -> None:
    runs = [evaluated("a", VALUES["a"]), evaluated("b", VALUES["a"])]
    pair = compare(runs, "AP", Design(interval="studentised", minimum=0.1), rng=1).pairs[0]
    assert (pair.p, pair.interval.low, pair.interval.high, pair.n_equal) == (1.0, 0.0, 0.0, 6)
    assert (pair.power, pair.needed) == (None, None)


def test_only_topics_that_all_runs_have() -> None:
    runs = [evaluated("a", [0.5, 0.1, 0.2], ("1", "2", "3")), evaluated("b", [0.3, 0.4, 0.9], ("2", "3", "4"))]
    comparison = compare(runs, "AP", Design(), rng=1)
    assert comparison.numbers == ("2", "3")
    assert comparison.pairs[0].difference == pytest.approx([-0.2, -0.2])


@pytest.mark.parametrize(
    ("tags", "design", "reason"),
    [
        ("ab", Design(baseline="z"), "no run has the tag 'z'; there are a, b"),
        ("aa", Design(), "two runs have the same tag: a"),
        ("a", Design(), "needs two runs"),
        ("ab", Design(test="tukey", baseline="a"), "takes no baseline"),
        ("ab", Design(confidence=1.0), "AP, runs a, b: .*confidence"),
    ],
)
def test_what_cannot_be_compared(tags: str, design: Design, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        compare([evaluated(tag, VALUES[tag]) for tag in tags], "AP", design, rng=1)


def test_the_seed_decides() -> None:
    rng = np.random.default_rng(5)
    runs = [evaluated(tag, rng.random(30).tolist(), tuple(map(str, range(30)))) for tag in "ab"]
    design = Design(test="bootstrap", interval="bca", n_draws=999)
    assert compare(runs, "AP", design, rng=7) == compare(runs, "AP", design, rng=7)
    assert compare(runs, "AP", design, rng=7) != compare(runs, "AP", design, rng=8)
