"""When the work will be done: by hand, the reasons why nobody can say, and how often the range holds."""

import numpy as np
import pytest

from annotation.quality.over_time.forecast import DAY, HOUR, Forecast, forecast

NOW = 1000 * DAY + 0.0


def saved(*per_day: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """So many judgments on each of the last days, the oldest first, spread over each day."""
    days = enumerate(reversed(per_day))
    moments = [NOW - ago * DAY - DAY * (n + 0.5) / count for ago, count in days for n in range(count)]
    return np.array(moments)


def test_the_range_is_a_prediction_interval_of_student() -> None:
    """Ten whole days, 8 and 12 by turns: mean 10, s = √(40/9), t = 2.2622 at nine degrees of freedom (t tables), so
    that (t s)² = 22.745; 100 are left. Its ends solve (100 − 10 T)² = 22.745 (T + T²/10)."""
    outlook = forecast(np.append(saved(7, *[12, 8] * 4, 12), NOW - 10 * DAY), NOW, 100)
    assert (outlook.reason, outlook.no_range, outlook.unit, round(outlook.pace, 3)) == ("", "", "day", 10.0)
    ends = np.roots([100 - 2.2745, -(2000 + 22.745), 10_000])
    assert outlook.earliest == pytest.approx(ends.min() * DAY, rel=1e-4)
    assert outlook.middle == pytest.approx(10 * DAY, rel=1e-4)
    assert outlook.latest == pytest.approx(ends.max() * DAY, rel=1e-4)


def test_the_range_holds_its_formula_where_less_than_one_judgment_comes_a_day() -> None:
    """Ten judgments in fourteen days, one on most: |40 − 5/7 T| = t s √(T + T²/14), t = 2.1604 (t tables)."""
    days = [1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1]
    outlook = forecast(np.append(saved(0, *days[1:]), NOW - 14 * DAY), NOW, 40)
    spread = (2.1604 * float(np.std(days, ddof=1))) ** 2
    ends = np.roots([(10 / 14) ** 2 - spread / 14, -(2 * 40 * 10 / 14 + spread), 40**2])
    assert outlook.earliest == pytest.approx(min(ends.min(), 40.0) * DAY, rel=1e-3)
    assert outlook.latest == pytest.approx(max(ends.max(), 120.0) * DAY, rel=1e-3)


def test_the_fastest_and_the_slowest_three_days_lie_in_the_range() -> None:
    """Ten a day, then twenty, in long runs: three days in a row have paces of 10 to 20."""
    outlook = forecast(np.append(saved(*[10] * 6, *[20] * 6), NOW - 12.5 * DAY), NOW, 60)
    assert outlook.earliest is not None
    assert outlook.latest is not None
    assert outlook.earliest <= 3 * DAY
    assert outlook.latest >= 6 * DAY


def test_idle_days_count_and_where_a_standstill_is_open_there_is_no_latest_end() -> None:
    slow = forecast(np.append(saved(29, *[30] * 6, 0, 0, 0, 30, 30), NOW - 12 * DAY), NOW, 60)
    assert (slow.pace, slow.middle) == (22.5, 60 / 22.5 * DAY)
    assert slow.latest is not None
    assert slow.latest > 6 * DAY
    rare = forecast(saved(90, 0, 0, 90, 0, 0, 90, 0, 0, 90), NOW, 60)
    assert rare.latest is None


def test_work_of_three_days_and_a_half_is_counted_from_its_first_judgment() -> None:
    """60 judgments in the first half day, 10 on each day since: 90 in 3.5 days; too few to say how it varies."""
    outlook = forecast(np.append(NOW - 3.5 * DAY + np.arange(60) * 600, saved(10, 10, 10)), NOW, 90)
    assert (outlook.reason, outlook.unit) == ("", "day")
    assert outlook.middle == pytest.approx(3.5 * DAY)
    assert (outlook.earliest, outlook.latest) == (None, None)
    assert outlook.no_range == "no range yet: judging began less than ten days ago"


def test_a_first_day_that_is_not_whole_counts_by_the_part_it_has() -> None:
    """Twenty a day throughout, begun at noon: no pace is slower for it."""
    outlook = forecast(np.arange(NOW - 10.5 * DAY, NOW, DAY / 20), NOW, 20)
    assert (outlook.earliest, outlook.middle, outlook.latest) == (DAY, DAY, DAY)


def test_at_a_standstill_there_is_no_end() -> None:
    moments = saved(40, 40, 10, 0, 0)
    last = float(moments.max())
    reason = "Nobody has judged since 24 Sep, 22:48 UTC: no pace to go by."
    assert forecast(moments, NOW, 50, quiet=NOW - last) == Forecast(reason)
    assert forecast(moments, NOW, 50, quiet=NOW - last + 1).middle is not None
    assert forecast(saved(40, 40, 10, 0, 0, 0), NOW, 50, quiet=40 * DAY).reason.startswith("Nobody has judged since")


def test_what_lies_more_than_two_weeks_back_says_nothing() -> None:
    assert forecast(saved(900, *[10] * 14), NOW, 100) == forecast(saved(*[10] * 15), NOW, 100)


def test_young_work_is_counted_in_hours() -> None:
    outlook = forecast(np.arange(NOW - 10 * HOUR, NOW, 60.0), NOW, 120)
    assert (outlook.unit, outlook.pace) == ("hour", 60)
    assert (outlook.earliest, outlook.latest) == (2 * HOUR, 2 * HOUR)
    younger = forecast(np.arange(NOW - 3.5 * HOUR, NOW, 60.0), NOW, 120)
    assert (younger.middle, younger.earliest) == (2 * HOUR, None)
    assert younger.no_range == "no range yet: judging began less than ten hours ago"


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


@pytest.mark.parametrize("idle", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("done", [10, 14])
def test_the_range_holds_as_often_as_it_says(done: int, idle: float) -> None:
    """400 campaigns of 80 judgments a day whose days are alike but for chance: the end lies in it about 95 times of
    100. Of ten days of which a quarter is idle it holds least often, in the long run 92 times."""
    rng = np.random.default_rng(8)
    inside = n_ranges = 0
    while n_ranges < 400:
        days = rng.poisson(80, 400) * (rng.random(400) >= idle)
        outlook = forecast(np.append(saved(*days[:done]), NOW - done * DAY), NOW, 800)
        if outlook.earliest is None:  # it stands still
            continue
        n_ranges += 1
        true = int(np.searchsorted(np.cumsum(days[done:]), 800)) + 1
        latest = np.inf if outlook.latest is None else outlook.latest
        inside += bool(outlook.earliest <= true * DAY <= latest + DAY)
    assert inside >= 360
