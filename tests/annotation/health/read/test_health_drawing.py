"""The small plots of the health page."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from annotation.health.pages.plots import Point, plan_plot, series_plot

pytestmark = pytest.mark.both("reads")


@pytest.mark.parametrize(
    ("low", "texts"),
    [
        (0.3, ["0.0", "0.5", "1.0"]),
        (-0.04, ["0.0", "0.5", "1.0"]),  # too near 0 to be read beside it
        (-0.1, ["0.0", "0.5", "1.0"]),
        (-0.4, ["−0.4", "0.0", "0.5", "1.0"]),
        (-6.0, ["−6.0", "0.0", "1.0"]),
    ],
)
def test_ticks_of_a_course_keep_clear_of_each_other(low: float, texts: list[str]) -> None:
    ticks = series_plot("α", [Point(0.4, low, 0.8, "")], ("", "")).ticks
    heights = [float(tick.at) for tick in ticks]
    assert [tick.text for tick in ticks] == texts
    assert min(a - b for a, b in pairwise(heights)) >= 14


FIRST = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(("days", "form"), [(1, "1 Mar, 00:00"), (9, "1 Mar")])
def test_what_was_reached_stands_below_the_plan_and_goes_on_to_its_end(days: int, form: str) -> None:
    reached = [(FIRST + timedelta(days=days * part / 2), 40 * part) for part in range(3)]
    plot = plan_plot("", reached, 160, FIRST + timedelta(days=2 * days))
    first, middle, last = plot.marks
    assert (float(first.y), float(middle.y) > float(last.y) > float(plot.threshold)) == (128, True)
    assert float(last.x) - float(first.x) == pytest.approx(292 / 2, abs=0.1)
    assert plot.ahead == f"{last.x},{last.y} 332.0,{plot.threshold}"
    assert [tick.text for tick in plot.ticks] == ["0", "160"]
    assert plot.ends[0] == form


def test_the_even_pace_to_the_day_due_stands_beside_what_was_reached() -> None:
    reached = [(FIRST, 0), (FIRST + timedelta(days=2), 40)]
    plot = plan_plot("", reached, 80, None, FIRST + timedelta(days=4))
    first, last = plot.marks
    assert float(last.x) - float(first.x) == pytest.approx(292 / 2, abs=0.1)
    assert plot.plan == f"{first.x},{first.y} 332.0,{plot.threshold}"
    assert plot.ends[1] == "5 Mar"
    assert plan_plot("", reached, 80, None, FIRST).plan == "", "due before anybody began"


def test_more_than_was_planned_and_no_end_to_tell() -> None:
    plot = plan_plot("", [(FIRST, 1), (FIRST, 5)], 4, None)
    assert (plot.ahead, [tick.text for tick in plot.ticks]) == ("", ["0", "5"])
    assert float(plot.marks[-1].y) < float(plot.threshold)
