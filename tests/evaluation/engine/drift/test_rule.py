"""A rule that watches a series as it grows: its rate over a horizon, its paths, its histories."""

import numpy as np
import pytest

from evaluation.engine.drift.paths import cusum, first_above, page_hinkley
from evaluation.engine.drift.rule import Baseline, baseline_of, history_in, path_of

RNG = np.random.default_rng(31)
HISTORY = RNG.normal(10, 2, 60)


@pytest.mark.parametrize("method", ["cusum", "page-hinkley"])
@pytest.mark.parametrize("bad", ["up", "down", "either"])
def test_the_path_is_that_of_the_bad_direction(method: str, bad: str) -> None:
    baseline = baseline_of(HISTORY, method=method, bad=bad, horizon=50, n_draws=400)  # type: ignore[arg-type]
    new = RNG.normal(10, 2, 40)
    z = (new - HISTORY.mean()) / HISTORY.std(ddof=1)
    up, down = (cusum if method == "cusum" else page_hinkley)(z, 60)
    expected = {"up": up, "down": down, "either": np.maximum(up, down)}[bad]
    np.testing.assert_allclose(path_of(baseline, new).level, expected)
    assert Baseline.of_facts(baseline.to_facts()) == baseline


def test_the_path_begins_anew_after_a_horizon_and_after_an_alert() -> None:
    baseline = baseline_of(HISTORY, method="cusum", bad="up", horizon=10, n_draws=400)
    new = np.full(25, 14.0)
    level = path_of(baseline, new, frozenset({4})).level
    fresh = path_of(baseline, new[:1]).level[0]
    assert [at for at in range(25) if level[at] == pytest.approx(fresh)] == [0, 4, 14, 24]
    np.testing.assert_allclose(level[4:14], path_of(baseline, new[:10]).level)


def test_where_a_change_begins() -> None:
    baseline = baseline_of(HISTORY, method="cusum", bad="down", n_draws=400)
    path = path_of(baseline, np.r_[np.full(12, 12.0), np.full(12, 6.0)])
    at = first_above(path, baseline.threshold)
    assert at is not None
    assert (path.begins(at), path.direction(at)) == (12, "down")
    assert first_above(path, baseline.threshold, at + 1) == at + 1
    assert first_above(path, 1e9) is None


def test_a_change_begins_on_the_path_of_its_own_direction() -> None:
    """Downward at first; upward from 12 on, where the path downward is long above 0."""
    baseline = baseline_of(HISTORY, method="cusum", bad="either", n_draws=400)
    path = path_of(baseline, np.r_[np.full(12, 8.5), np.full(12, 14.0)])
    at = int(np.argmax(path.up > baseline.threshold))
    assert at > 12
    assert (path.begins(at), path.direction(at)) == (12, "up")
    assert (path.level[:at] > 0).all()


def test_a_change_begins_in_the_stretch_that_holds_it() -> None:
    """Shifted from the last points of a stretch on, or since an alert was closed: no further back than the restart."""
    baseline = baseline_of(HISTORY, method="cusum", bad="up", horizon=10, n_draws=400)
    new = np.r_[np.full(7, 9.0), np.full(13, 13.0)]
    path = path_of(baseline, new)
    assert (path.begins(9), path.begins(10), path.begins(14)) == (7, 10, 10)
    assert path_of(baseline, new, frozenset({12})).begins(15) == 12


@pytest.mark.parametrize("bad", ["down", "either"])
def test_false_alarms_come_in_a_horizon_at_the_stated_rate(bad: str) -> None:
    """Of 300 series without a change; a binomial's standard error at 10 % is 1.7. Longer: benchmarks/series_rule.py."""
    rng, n = np.random.default_rng(5), 300
    alarms = 0
    for _ in range(n):
        value = rng.standard_normal(130)
        baseline = baseline_of(value[:100], method="cusum", bad=bad, horizon=30, rate=0.1, n_draws=300)  # type: ignore[arg-type]
        alarms += first_above(path_of(baseline, value[100:]), baseline.threshold) is not None
    assert 0.05 < alarms / n < 0.15


def test_a_one_sided_threshold_is_lower() -> None:
    one, both = (baseline_of(HISTORY, method="cusum", bad=bad, seed=3) for bad in ("up", "either"))
    assert one.threshold < both.threshold


def test_a_history_waits_for_variation() -> None:
    assert history_in(np.ones(50), 30) is None
    assert history_in(np.r_[np.ones(35), 2.0, 2.0], 30) == (0, 36)
    assert history_in(HISTORY, 30) == (0, 30)
    assert history_in(HISTORY[:29], 30) is None
    assert history_in(1e-310 * HISTORY, 30) is None


def test_of_a_history_that_waited_long_the_last_points_count() -> None:
    value = np.r_[np.ones(1200), 2.0, 3.0]
    assert history_in(value, 30) == (201, 1201)
    assert baseline_of(value[201:1201], method="cusum", bad="up", n_draws=400).n_history == 1000


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"horizon": 0}, "a horizon has 1 to 1000 points"),
        ({"rate": 0.001}, r"a rate lies between 0\.005 and 1"),
        ({"block": 31}, "a block has 1 to 30 points"),
    ],
)
def test_a_rule_that_cannot_be(options: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        baseline_of(HISTORY, method="cusum", bad="up", **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a history has 20 to 1000 points"):
        baseline_of(HISTORY[:19], method="cusum", bad="up")
    with pytest.raises(ValueError, match="all values of the history are equal"):
        baseline_of(np.r_[np.zeros(30), 1e-310], method="cusum", bad="up")
