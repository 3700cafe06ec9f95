"""From figures to places in a drawing."""

import math

import pytest

from annotation.kernel.plots.axis import Axis, axis_over
from annotation.kernel.plots.intervals import Estimate, interval_plot


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.31, 0.44, ["0.325", "0.350", "0.375", "0.400", "0.425"]),
        (-3, 12, ["-2.5", "0.0", "2.5", "5.0", "7.5", "10.0"]),
        (0, 1200, ["0", "200", "400", "600", "800", "1000", "1200"]),
        (0.00012, 0.00018, ["0.00012", "0.00013", "0.00014", "0.00015", "0.00016", "0.00017", "0.00018"]),
    ],
)
def test_ticks_are_round_and_lie_within(low: float, high: float, texts: list[str]) -> None:
    ticks = Axis(low, high, 0, 100).ticks
    assert [tick.text for tick in ticks] == texts
    assert all(0 <= float(tick.at) <= 100 for tick in ticks)


@pytest.mark.parametrize("values", [[0.5, 0.5], [0.0], [], [math.nan], [1e-9, 3e5], [-2, -1]])
def test_an_axis_holds_all_values_and_has_a_length(values: list[float]) -> None:
    axis = axis_over(values, start=10, end=90)
    assert axis.low < axis.high
    assert all(10 < axis.at(value) < 90 for value in values if math.isfinite(value))
    assert 1 <= len(axis.ticks) <= 8


def test_an_axis_may_run_upwards() -> None:
    axis = Axis(0, 1, 100, 0)
    assert (axis.at(0), axis.at(1), axis.at(0.25)) == (100, 0, 75)


def test_a_mark_lies_between_the_ends_of_its_interval() -> None:
    rows = [
        Estimate("one", 0.5, 0.4, 0.6, "one"),
        Estimate("a tag of far more letters than there is room", 0.7, None, None, ""),
    ]
    first, second = interval_plot(rows).marks
    assert float(first.low) < float(first.value) < float(first.high)
    assert second.low == second.value == second.high
    assert float(first.y) < float(second.y)
    assert (len(second.name), second.name[-1]) == (30, "…")


def test_forty_rows_make_it_taller() -> None:
    row = Estimate("one", 0.5, None, None, "")
    assert interval_plot([row] * 40).height - interval_plot([row] * 20).height == 400
