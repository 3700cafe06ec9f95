from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.significance.inputs import paired_difference
from evaluation.engine.significance.paired.result import Alternative
from evaluation.engine.significance.paired.student import paired_t
from tests.annotation.quality.worked import worked_example


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [2, 5, 50, 1000])
def test_it_is_scipys(n: int, alternative: Alternative) -> None:
    first, second = np.random.default_rng(n).random((2, n))
    expected = stats.ttest_rel(first, second, alternative=alternative)
    outcome = paired_t(paired_difference(first, second), alternative=alternative)
    assert (outcome.statistic, outcome.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    assert (outcome.n_topics, outcome.n_draws, outcome.exact) == (n, 0, False)
    assert outcome.mean_difference == pytest.approx(first.mean() - second.mean(), abs=1e-15)


@pytest.mark.shared
def test_darwins_maize(shared_data: Path) -> None:
    example = worked_example(shared_data, "paired_t_darwin_maize")
    outcome = paired_t(example["input"]["differences"])
    assert outcome.statistic == pytest.approx(example["expected"]["t_full"], abs=1e-8)
    assert outcome.p == pytest.approx(example["expected"]["p_full"], abs=1e-8)
    assert outcome.n_topics - 1 == example["expected"]["df"]


def test_no_difference_at_all() -> None:
    outcome = paired_t([0.0, 0.0, 0.0])
    assert (outcome.statistic, outcome.p, outcome.n_different) == (0.0, 1.0, 0)


@pytest.mark.parametrize("difference", [[0.1, 0.1], [0.1 + 0.2, 0.3, 0.3], [-2.0, -2.0]])
def test_one_difference_everywhere_is_refused(difference: list[float]) -> None:
    with pytest.raises(ValueError, match=r"all differences are equal.*use randomization"):
        paired_t(difference)


def test_p_is_never_0() -> None:
    value = 1 + np.random.default_rng(0).normal(size=20_000) / 100
    assert 0 < paired_t(value).p < 1e-300
    assert paired_t(value, alternative="less").p == 1.0


def test_what_cannot_be_answered() -> None:
    with pytest.raises(ValueError, match="at least 2 topics"):
        paired_t([0.1])
    with pytest.raises(ValueError, match="must be finite"):
        paired_t([0.1, np.nan])
    with pytest.raises(ValueError, match="'two-sided', 'greater' or 'less', not 'both'"):
        paired_t([0.1, 0.2], alternative="both")  # type: ignore[arg-type]
