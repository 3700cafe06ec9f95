"""Change points of a series: paths by their recursions, thresholds, alarms and what is said of them."""

import numpy as np
import pytest

from evaluation.engine.drift.paths import cusum, page_hinkley
from evaluation.engine.drift.watch import watch
from evaluation.engine.drift.words import words_of_series

RNG = np.random.default_rng(8)
SERIES = RNG.normal(0.4, 0.02, 120)
TIME = tuple(f"day {i}" for i in range(120))


def test_paths_by_their_recursions() -> None:
    z = RNG.normal(0.2, 1, (3, 40))
    up, down = cusum(z, 30)
    ph_up, ph_down = page_hinkley(z, 30)
    for k, series in enumerate(z):
        high = low = total = above = below = 0.0
        m_up, m_down, least_up, least_down = 0.0, 0.0, 0.0, 0.0
        for i, point in enumerate(series):
            high, low = max(0, high + point - 0.5), max(0, low - point - 0.5)
            total += point
            mean = total / (30 + i + 1)
            m_up, m_down = m_up + point - mean - 0.25, m_down + mean - point - 0.25
            least_up, least_down = min(least_up, m_up), min(least_down, m_down)
            above, below = m_up - least_up, m_down - least_down
            assert (up[k, i], down[k, i]) == pytest.approx((high, low))
            assert (ph_up[k, i], ph_down[k, i]) == pytest.approx((above, below))


@pytest.mark.parametrize(("shift", "direction", "side"), [(0.05, "up", "above"), (-0.05, "down", "below")])
def test_a_change_is_found_where_it_is(shift: float, direction: str, side: str) -> None:
    moved = SERIES + shift * (np.arange(120) >= 80)
    outcome = watch(moved, 60, seed=1)
    assert outcome.is_alarm
    for one in outcome.watches:
        assert one.alarm
        assert one.alarm.direction == direction
        assert 80 <= one.alarm.at <= 90
        assert one.alarm.begins <= 82
        assert one.greatest > one.threshold
    assert outcome.watches[0].alarm
    assert outcome.watches[0].alarm.begins >= 74  # Page–Hinkley's path is seldom 0: its estimate may be far too early
    words = words_of_series(outcome, TIME, n_missing=2)
    assert f"the series runs {side} its history" in words[0]
    assert words[-1] == "2 times without a value: left out, not filled in."
    assert watch(moved, 60, seed=1) == outcome


def test_no_change() -> None:
    outcome = watch(SERIES, 60, seed=1)
    assert (outcome.is_alarm, outcome.connected, outcome.n_new) == (False, False, 60)
    words = words_of_series(outcome, TIME)
    assert words[0] == "No alarm in 60 points after the history. That does not show that nothing changed."
    assert words[1].endswith("among 60 new points with a chance of at most about 5 %.")
    assert len(words) == 2


def test_false_alarms_are_near_the_stated_rate() -> None:
    """Of 300 series without a change; benchmarks/change_points.py counts 10,000."""
    rng = np.random.default_rng(7)
    alarms = [watch(rng.normal(size=60), 40, seed=seed, n_draws=400).is_alarm for seed in range(300)]
    assert 0.005 <= np.mean(alarms) <= 0.09


def test_points_that_follow_each_other() -> None:
    walk = np.convolve(RNG.normal(size=140), np.ones(6), "valid")
    alone, blocks = watch(walk, 40, seed=1), watch(walk, 40, seed=1, block=8)
    assert alone.connected
    assert all(b.threshold > a.threshold for a, b in zip(alone.watches, blocks.watches, strict=True))
    time = tuple(map(str, range(walk.size)))
    notes = [[line for line in words_of_series(one, time) if line.startswith("Note")] for one in (alone, blocks)]
    assert [note[:20] for note in notes[0]] == ["Note: 40 points of h", "Note: points of the "]
    assert notes[0][1].endswith("false alarms are more than stated; draw them in blocks.")
    assert notes[1][1].endswith("also in blocks false alarms may be twice as many as stated.")


@pytest.mark.parametrize(
    ("value", "n_history", "options", "reason"),
    [
        (SERIES, 19, {}, "at least 20 are history"),
        (SERIES, 120, {}, "at least one comes after it"),
        (np.ones(50), 25, {}, "all values of the history are equal"),
        (np.append(SERIES, np.inf), 60, {}, "finite"),
        (np.append(SERIES, 1e200), 60, {}, r"lie between -1e\+100 and 1e\+100"),
        (SERIES, 60, {"rate": 0.001}, "20 / draws"),
        (SERIES, 60, {"block": 31}, "1 to 30 points"),
    ],
)
def test_what_is_refused(value: np.ndarray, n_history: int, options: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        watch(value, n_history, seed=0, **options)  # type: ignore[arg-type]
