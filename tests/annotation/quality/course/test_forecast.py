"""When the work will be done: by hand, the reasons why nobody can say, and how often the range holds."""

import numpy as np
import pytest

from annotation.quality.course.forecast import DAY, HOUR, Forecast, forecast

NOW = 1000 * DAY + 0.0


def saved(*per_day: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """So many judgments on each of the last days, the oldest first, spread over each day."""
    days = enumerate(reversed(per_day))
    moments = [NOW - ago * DAY - DAY * (n + 0.5) / count for ago, count in days for n in range(count)]
    return np.array(moments)


def test_the_range_is_of_the_fastest_and_the_slowest_three_days() -> None:
    """Paces of three days in a row: 20, 30, 40; of all five days: 30."""
    moments = np.append(saved(20, 20, 20, 50, 50), NOW - 5 * DAY)
    found = forecast(moments, NOW, 600)
    assert (found.reason, found.unit, round(found.pace, 6)) == ("", "day", 32.0)
    assert found.earliest == pytest.approx(600 / 40 * DAY)
    assert found.middle == pytest.approx(600 / 32 * DAY)
    assert found.latest == pytest.approx(600 / 20 * DAY)


def test_the_mean_lies_in_the_range() -> None:
    """In the three runs of three days the outer days count less: paces 12, 12, 12, mean 13."""
    found = forecast(np.append(saved(16, 10, 10, 16, 10), NOW - 5 * DAY), NOW, 60)
    assert found.earliest is not None
    assert found.latest is not None
    assert found.middle is not None
    assert found.earliest <= found.middle <= found.latest


def test_idle_days_count_and_a_standstill_has_no_latest_end() -> None:
    found = forecast(saved(30, 0, 0, 0, 30, 30), NOW, 60)
    assert found.earliest == pytest.approx(3 * DAY)
    assert found.latest is None


def test_what_lies_more_than_two_weeks_back_says_nothing() -> None:
    assert forecast(saved(900, *[10] * 14), NOW, 100) == forecast(saved(*[10] * 15), NOW, 100)


def test_young_work_is_counted_in_hours() -> None:
    found = forecast(np.arange(NOW - 5 * HOUR, NOW, 60.0) + 1, NOW, 120)
    assert (found.unit, found.pace) == ("hour", 60)
    assert (found.earliest, found.latest) == (2 * HOUR, 2 * HOUR)


@pytest.mark.parametrize(
    ("moments", "n_left", "reason"),
    [
        (saved(50, 50, 50, 50), 0, "Everything that was wanted is judged."),
        (saved(9), 10, "Fewer than 10 judgments are in: no pace yet."),
        (np.arange(NOW - 2 * HOUR, NOW, 60.0), 10, "Judging began less than three hours ago: too early to say."),
        (saved(50, *[0] * 14), 10, "Nobody has judged in the last 14 days."),
    ],
)
def test_why_nobody_can_say(moments: "np.ndarray[tuple[int], np.dtype[np.float64]]", n_left: int, reason: str) -> None:
    assert forecast(moments, NOW, n_left) == Forecast(reason)


def test_the_range_holds_for_work_that_goes_on_as_it_did() -> None:
    """200 campaigns whose days are alike but for chance (a quarter of them idle): how often does the end lie in it?"""
    rng = np.random.default_rng(8)
    inside = 0
    for _ in range(200):
        days = rng.poisson(80, 60) * (rng.random(60) > 0.25)
        days[0], done = 80, 14
        found = forecast(saved(*days[:done]), NOW, 800)
        true = int(np.searchsorted(np.cumsum(days[done:]), 800)) + 1
        latest = np.inf if found.latest is None else found.latest
        inside += bool((found.earliest or 0) <= true * DAY <= latest + DAY)
    assert inside >= 170
