"""The small plots of the health page."""

from itertools import pairwise

import pytest

from annotation.health.pages.plots import Point, series_plot

pytestmark = pytest.mark.both("reads")


@pytest.mark.parametrize(
    ("low", "told"),
    [
        (0.3, ["0.0", "0.5", "1.0"]),
        (-0.04, ["0.0", "0.5", "1.0"]),  # too near 0 to be read beside it
        (-0.1, ["0.0", "0.5", "1.0"]),
        (-0.4, ["−0.4", "0.0", "0.5", "1.0"]),
        (-6.0, ["−6.0", "0.0", "1.0"]),
    ],
)
def test_ticks_of_a_course_keep_clear_of_each_other(low: float, told: list[str]) -> None:
    ticks = series_plot("α", [Point(0.4, low, 0.8, "")], ("", "")).ticks
    heights = [float(tick.at) for tick in ticks]
    assert [tick.text for tick in ticks] == told
    assert min(a - b for a, b in pairwise(heights)) >= 14
