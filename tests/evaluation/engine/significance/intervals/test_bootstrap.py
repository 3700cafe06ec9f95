import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evaluation.engine.arrays import Floats
from evaluation.engine.significance.inputs import paired_difference
from evaluation.engine.significance.intervals import bootstrap
from evaluation.engine.significance.intervals.mean import METHODS, mean_interval
from evaluation.engine.significance.intervals.result import Method
from evaluation.engine.significance.intervals.student import t_interval
from evaluation.engine.significance.resamples import resample_counts
from tests.annotation.quality.worked import worked_example

RESAMPLED: list[Method] = ["studentised", "percentile", "basic", "bca"]
# The data of bootstrap_mean_*_R_boot in ../shared/reference: scipy's test_resampling.py, from R's boot 1.3.
R_BOOT = [10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213]


@pytest.mark.shared
@pytest.mark.parametrize("method", ["basic", "percentile"])
def test_worked_examples_of_r(shared_data: Path, method: Method) -> None:
    example = worked_example(shared_data, f"bootstrap_mean_{method}_R_boot")
    interval = mean_interval(example["input"]["x"], method=method, n_resamples=99_999, rng=0)
    expected, rel = example["expected"], example["tolerance"]["rel"]
    assert (interval.low, interval.high) == pytest.approx((expected["low"], expected["high"]), rel=rel)


def test_bca_as_r_has_it() -> None:
    """boot.ci(…, type = "bca") with 10⁶ resamples: 32.31 to 91.43 (quoted in scipy's test_resampling.py)."""
    interval = mean_interval(R_BOOT, method="bca", n_resamples=99_999, rng=0)
    assert (interval.low, interval.high) == pytest.approx((32.31, 91.43), rel=0.01)


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_it_is_scipys_bootstrap(method: Method, confidence: float) -> None:
    value = np.random.default_rng(3).gamma(0.5, 1, 40)
    theirs = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}[method]
    expected = stats.bootstrap(
        (value,), np.mean, n_resamples=50_000, method=theirs, confidence_level=confidence, rng=1
    ).confidence_interval
    interval = mean_interval(value, method=method, confidence=confidence, n_resamples=49_999, rng=2)
    width = expected.high - expected.low
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.02 * width)
    assert (interval.mean, interval.deviation) == pytest.approx((value.mean(), value.std(ddof=1)), rel=1e-12)
    assert (interval.n_topics, interval.method, interval.n_resamples) == (40, method, 49_999)


def samples(value: Floats, n_resamples: int, rng: int) -> list[Floats]:
    """The resamples themselves, one by one, from their counts."""
    parts = resample_counts(value.size, n_resamples=n_resamples, rng=rng)
    return [np.repeat(value, count.astype(int)) for part in parts for count in part]


def test_ends_are_the_resamples_own() -> None:
    """999 resamples at 95 %: the 25th and the 975th of their means, and of their t, each worked out by itself."""
    value = np.random.default_rng(4).gamma(0.5, 1, 30)
    drawn = samples(value, 999, rng=6)
    assert {sample.size for sample in drawn} == {30}
    means = sorted(sample.mean() for sample in drawn)
    percentile = mean_interval(value, method="percentile", n_resamples=999, rng=6)
    assert (percentile.low, percentile.high) == pytest.approx((means[24], means[974]), rel=1e-12)
    error = value.std(ddof=1) / math.sqrt(30)
    t = sorted((sample.mean() - value.mean()) / (sample.std(ddof=1) / math.sqrt(30)) for sample in drawn)
    studentised = mean_interval(value, method="studentised", n_resamples=999, rng=6)
    expected = (value.mean() - t[974] * error, value.mean() - t[24] * error)
    assert (studentised.low, studentised.high) == pytest.approx(expected, rel=1e-10)


def test_studentised_leans_to_the_long_side() -> None:
    """Of a skewed sample the bootstrap t reaches further up than t does, and less far down."""
    value = np.random.default_rng(0).exponential(1, 60)
    interval, symmetric = mean_interval(value, method="studentised", rng=0), t_interval(value)
    assert interval.high > symmetric.high
    assert interval.low > symmetric.low


def test_studentised_of_a_normal_sample_is_near_students() -> None:
    value = np.random.default_rng(1).normal(size=200)
    interval, expected = mean_interval(value, method="studentised", n_resamples=39_999, rng=0), t_interval(value)
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), abs=0.02)


@pytest.mark.parametrize("method", METHODS)
def test_of_a_difference(method: Method) -> None:
    first, second = np.random.default_rng(2).random((2, 50))
    interval = mean_interval(paired_difference(first, second), method=method, rng=0)
    turned = mean_interval(paired_difference(second, first), method=method, rng=0)
    assert (turned.low, turned.high) == pytest.approx((-interval.high, -interval.low), rel=1e-9)
    assert interval.low < interval.mean < interval.high


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("value", [0.0, 0.1, 0.3])
def test_equal_values_have_no_width(method: Method, value: float) -> None:
    interval = mean_interval([value] * 7, method=method, rng=0)
    assert (interval.low, interval.high) == pytest.approx((value, value), abs=1e-16)
    assert interval.deviation == 0.0


def test_a_studentised_interval_without_end_is_refused() -> None:
    """One topic that differs: a third of the resamples leave it out, and have no standard error."""
    with pytest.raises(ValueError, match=r"no finite end.*use t"):
        mean_interval([0.0] * 9 + [1.0], method="studentised", rng=0)
    with pytest.raises(ValueError, match="no finite end"):
        mean_interval([0.2, 0.7], method="studentised", rng=0)


@pytest.mark.parametrize("name", RESAMPLED)
def test_columns_are_resampled_alike(name: str) -> None:
    value = np.random.default_rng(7).random((25, 4))
    ends = getattr(bootstrap, f"{name}_ends")
    together = ends(value, confidence=0.9, n_resamples=499, rng=3)
    for column in range(4):
        alone = ends(value[:, [column]], confidence=0.9, n_resamples=499, rng=3)
        assert np.array(together)[:, column] == pytest.approx(np.array(alone)[:, 0], rel=1e-10)


def test_memory_changes_no_number() -> None:
    small = np.concatenate(list(resample_counts(9, n_resamples=50, rng=1)))
    parts = list(resample_counts(9, n_resamples=50, rng=1, n_columns=1 << 17))
    assert len(parts) > 1
    assert np.array_equal(small, np.concatenate(parts))


@pytest.mark.parametrize("method", RESAMPLED)
def test_the_seed_decides(method: Method) -> None:
    value = np.random.default_rng(1).random(30)
    assert mean_interval(value, method=method, rng=5) == mean_interval(value, method=method, rng=5)
    assert mean_interval(value, method=method, rng=5).low != mean_interval(value, method=method, rng=6).low


@pytest.mark.parametrize(("confidence", "least"), [(0.95, 39), (0.9, 19), (0.99, 199)])
def test_enough_resamples(confidence: float, least: int) -> None:
    value = np.random.default_rng(1).random(30)
    mean_interval(value, method="percentile", confidence=confidence, n_resamples=least, rng=0)
    with pytest.raises(ValueError, match=f"needs at least {least} resamples, not {least - 1}"):
        mean_interval(value, method="percentile", confidence=confidence, n_resamples=least - 1, rng=0)


@pytest.mark.parametrize("method", RESAMPLED)
def test_what_cannot_be_answered(method: Method) -> None:
    with pytest.raises(ValueError, match="at least 2 topics"):
        mean_interval([0.1], method=method, rng=0)
    with pytest.raises(ValueError, match="must be finite"):
        mean_interval([0.1, np.nan], method=method, rng=0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        mean_interval([0.1, 0.2], method=method, confidence=1.0, rng=0)
    with pytest.raises(ValueError, match="needs an rng"):
        mean_interval([0.1, 0.2], method=method)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="t, studentised, percentile, basic, bca, not 'normal'"):
        mean_interval([0.1, 0.2], method="normal")  # type: ignore[arg-type]
