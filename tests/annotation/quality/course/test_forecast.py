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
    moments = np.append(saved(19, 20, 20, 50, 50), NOW - 5 * DAY)
    found = forecast(moments, NOW, 600)
    assert (found.reason, found.no_range, found.unit, round(found.pace, 6)) == ("", "", "day", 32.0)
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
    found = forecast(np.append(saved(29, 0, 0, 0, 30, 30), NOW - 6 * DAY), NOW, 60)
    assert found.earliest == pytest.approx(3 * DAY)
    assert found.latest is None


def test_work_of_three_days_and_a_half_is_counted_from_its_first_judgment() -> None:
    """60 judgments in the first half day, 10 on each day since: 90 in 3.5 days; too few to say how it varies."""
    found = forecast(np.append(NOW - 3.5 * DAY + np.arange(60) * 600, saved(10, 10, 10)), NOW, 90)
    assert (found.reason, found.unit) == ("", "day")
    assert found.middle == pytest.approx(3.5 * DAY)
    assert (found.earliest, found.latest) == (None, None)
    assert found.no_range == "no range yet: judging began less than five days ago"


def test_a_first_day_that_is_not_whole_counts_by_the_part_it_has() -> None:
    """Twenty a day throughout, begun at noon: no pace is slower for it."""
    found = forecast(np.arange(NOW - 5.5 * DAY, NOW, DAY / 20), NOW, 20)
    assert (found.earliest, found.middle, found.latest) == (DAY, DAY, DAY)


def test_at_a_standstill_there_is_no_end() -> None:
    moments = saved(40, 40, 10, 0, 0)
    last = float(moments.max())
    said = "Nobody has judged since 24 Sep, 22:48 UTC: no pace to go by."
    assert forecast(moments, NOW, 50, quiet=NOW - last) == Forecast(said)
    assert forecast(moments, NOW, 50, quiet=NOW - last + 1).middle is not None
    assert forecast(saved(40, 40, 10, 0, 0, 0), NOW, 50, quiet=40 * DAY).reason.startswith("Nobody has judged since")


def test_what_lies_more_than_two_weeks_back_says_nothing() -> None:
    assert forecast(saved(900, *[10] * 14), NOW, 100) == forecast(saved(*[10] * 15), NOW, 100)


def test_young_work_is_counted_in_hours() -> None:
    found = forecast(np.arange(NOW - 5 * HOUR, NOW, 60.0), NOW, 120)
    assert (found.unit, found.pace) == ("hour", 60)
    assert (found.earliest, found.latest) == (2 * HOUR, 2 * HOUR)
    younger = forecast(np.arange(NOW - 3.5 * HOUR, NOW, 60.0), NOW, 120)
    assert (younger.middle, younger.earliest) == (2 * HOUR, None)
    assert younger.no_range == "no range yet: judging began less than five hours ago"


@pytest.mark.parametrize(
    ("moments", "n_left", "reason"),
    [
        (saved(50, 50, 50, 50), 0, "Everything that was wanted is judged."),
        (saved(9), 10, "Fewer than 10 judgments are in: no pace yet."),
        (np.arange(NOW - 2 * HOUR, NOW, 60.0), 10, "Judging began less than three hours ago: too early to say."),
        (saved(50, *[0] * 14), 10, "Nobody has judged since 12 Sep, 23:45 UTC: no pace to go by."),
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
