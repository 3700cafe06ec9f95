"""From figures to places in a drawing."""

import itertools
import math
import pathlib
import random
import re

import pytest

from annotation.kernel.plots.axis import Axis, axis_over
from annotation.kernel.plots.bars import Bar, bar_plot, named_bar_plot
from annotation.kernel.plots.curves import Curve, curve_plot
from annotation.kernel.plots.heat import Head, Share, heat_plot
from annotation.kernel.plots.intervals import Estimate, estimate, interval_plot
from annotation.kernel.plots.paths import Path, Spot, path_plot, steps
from annotation.kernel.plots.scatter import LETTER, LINE, Point, scatter_plot
from annotation.kernel.plots.slopes import Slope, slope_plot

MOST_OF_AXES = 51  # letters for which a narrow plot has room below
TEMPLATES = pathlib.Path(__file__).parents[3] / "templates"


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.31, 0.44, ["0.325", "0.350", "0.375", "0.400", "0.425"]),
        (-3, 12, ["−2.5", "0.0", "2.5", "5.0", "7.5", "10.0"]),
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


def test_on_a_narrow_page_names_stand_above_their_intervals() -> None:
    plot = interval_plot([Estimate(f"a run of a long name {n}", n / 9, n / 10, n / 8, "") for n in range(9)])
    assert plot.narrow is not None
    marks = plot.narrow.marks
    assert all(float(mark.name_y) + 12 < float(mark.y) for mark in marks)
    assert all(0 < float(mark.low) <= float(mark.high) < plot.narrow.width for mark in marks)
    assert [mark.estimate for mark in marks] == [mark.estimate for mark in plot.marks]


@pytest.mark.parametrize("n", [3, 80])
def test_a_limit_stands_where_its_figure_does_and_the_axis_holds_it(n: int) -> None:
    rows = [Estimate(f"run {at}", 0.5, 0.4, 0.6, "") for at in range(n)]
    wide = interval_plot(rows, 0.9)
    for plot in (wide, wide.narrow):
        assert plot is not None
        assert float(plot.marks[0].high) < float(plot.limit) < plot.width
    assert interval_plot(rows, 0.5).limit == interval_plot(rows, 0.5).marks[0].value
    assert interval_plot(rows).limit == ""


def test_forty_rows_make_it_taller() -> None:
    row = Estimate("one", 0.5, None, None, "")
    assert interval_plot([row] * 40).height - interval_plot([row] * 20).height == 400


def test_points_lie_as_their_figures_and_upwards_is_more() -> None:
    low, high = scatter_plot([Point("low", 0.1, 0.2, ""), Point("high", 0.6, 0.9, "")]).dots
    assert float(low.x) < float(high.x)
    assert float(low.y) > float(high.y)
    assert (low.name, high.name) == ("low", "high")


def test_no_two_names_of_forty_points_cover_each_other() -> None:
    draw = random.Random(2)
    points = [Point(f"run-{n:02}", draw.random(), draw.random(), "") for n in range(40)]
    named = [dot for dot in scatter_plot(points).dots if dot.name]
    assert len(named) > 20
    for at, one in enumerate(named):
        for other in named[at + 1 :]:
            across = abs(float(one.x) - float(other.x)) >= LETTER * 6 - 0.2
            assert across or abs(float(one.y) - float(other.y)) >= LINE - 0.2


def test_of_points_in_one_place_the_marked_one_is_named() -> None:
    dots = scatter_plot([Point("one", 0.5, 0.5, ""), Point("two", 0.5, 0.5, "", is_marked=True)]).dots
    assert [dot.name for dot in dots] == ["", "two"]


def test_a_curve_has_a_point_a_value_and_names_are_apart() -> None:
    curves = [Curve(f"run-{n}", [0.5, None, 0.5 + n / 1000], "", is_marked=n < 5) for n in range(40)]
    plot = curve_plot(curves, ["5", "10", "20"])
    assert [tick.text for tick in plot.across] == ["5", "10", "20"]
    assert {len(line.points.split()) for line in plot.lines} == {2}
    marked = sorted(float(line.name_y) for line in plot.lines if line.curve.is_marked)
    assert len(marked) == 5
    assert all(after - before >= 13.9 for before, after in itertools.pairwise(marked))
    assert plot.lines[-1].curve.is_marked


def test_names_of_curves_that_end_at_the_foot_keep_to_the_plot() -> None:
    plot = curve_plot([Curve(f"run-{n}", [0.5, n / 1000], "", is_marked=True) for n in range(5)], ["5", "100"])
    heights = sorted(float(line.name_y) for line in plot.lines)
    assert heights[-1] <= plot.foot
    assert all(after - before >= 13.9 for before, after in itertools.pairwise(heights))


def test_links_of_a_plot_are_counted_and_stand_at_their_marks() -> None:
    rows = [Estimate(f"run {n}", n / 9, None, None, "", href="/here" if n % 2 else "") for n in range(9)]
    for plot in (interval_plot(rows), interval_plot(rows * 9)):
        assert plot.narrow is not None
        assert plot.n_links == plot.narrow.n_links == sum(bool(row.href) for row in rows) * (9 if plot.is_dense else 1)
        assert all(bool(mark.estimate.href) == bool(int(mark.estimate.name[-1]) % 2) for mark in plot.marks)
    assert scatter_plot([Point("one", 0.1, 0.2, "", href="/here"), Point("two", 0.2, 0.3, "")]).n_links == 1
    assert curve_plot([Curve("one", [0.1], "", href="/here")], ["5"]).n_links == 1
    sizes = [f"{8_896 * step:,}" for step in range(1, 9)]
    power = curve_plot([Curve("power", [step / 8 for step in range(8)], "", is_marked=True)], sizes)
    assert [tick.text for tick in power.across] == sizes
    assert power.narrow is not None
    assert [tick.text for tick in power.narrow.across][:5] == [sizes[0], "", sizes[2], "", sizes[4]]


def test_names_of_steps_stay_within_the_drawing() -> None:
    days = [f"2026-11-{day:02}" for day in range(1, 6)]
    plot = curve_plot([Curve("difference", [0.1, 0.2, 0.1, 0.3, 0.2], "")], days)
    for drawn in (plot, plot.narrow):
        assert drawn is not None
        first, last = drawn.across[0], drawn.across[-1]
        half = 6.5 * len(days[0]) / 2
        assert (first.text, last.text) == (days[0], days[-1])
        assert float(first.text_at) - half >= 0
        assert float(last.text_at) + half <= drawn.width


def test_long_names_of_curves_are_cut_to_their_room() -> None:
    """On a wide page beside the end of the line, on a narrow one below the plot."""
    names = [f"system-{n}-with-a-tag-that-is-far-too-long-to-stand-anywhere" for n in range(2)]
    plot = curve_plot([Curve(name, [0.5, 0.6], "", is_marked=True) for name in names], ["5", "10"])
    assert plot.narrow is not None
    assert [line.name for line in plot.lines] == [f"system-{n}-with-a-tag-that…" for n in range(2)]
    assert all(len(key.text) * 7.2 <= plot.narrow.width for key in plot.narrow.keys)
    assert all(key.text.endswith("…") for key in plot.narrow.keys)


def test_very_many_curves_and_points_are_drawn_thinly() -> None:
    for n, is_dense in ((60, False), (61, True)):
        assert curve_plot([Curve("run", [0.1, 0.2], "")] * n, ["5", "10"]).is_dense == is_dense
        assert scatter_plot([Point("run", 0.1, 0.2, "")] * n).is_dense == is_dense


def test_of_very_many_rows_the_shape_is_drawn_and_marked_ones_alone_are_named() -> None:
    rows = [Estimate(f"run {n}", n / 300, n / 301, n / 299, f"run {n}", is_marked=n == 7) for n in range(300)]
    plot = interval_plot(rows)
    assert plot.is_dense
    assert plot.narrow is not None
    assert (plot.height, plot.narrow.height) == (1234, 1234)
    assert [mark.name for mark in plot.marks if mark.name] == ["run 7"]
    assert {mark.estimate.text for mark in plot.marks} == {row.name for row in rows}


def test_on_a_narrow_page_points_and_curves_keep_to_it() -> None:
    plot = scatter_plot([Point(f"run {n}", n / 9, n / 7, "") for n in range(9)]).narrow
    assert plot is not None
    assert all(0 < float(dot.x) < plot.width for dot in plot.dots)
    curves = curve_plot([Curve(f"run-{n}", [0.5, n / 10], "", is_marked=n < 2) for n in range(9)], ["5", "10"]).narrow
    assert curves is not None
    assert [key.text for key in curves.keys] == ["1 run-0", "2 run-1"]
    assert [line.name for line in curves.lines if line.name] == ["1", "2"]
    assert all(float(at.split(",")[0]) < curves.width for line in curves.lines for at in line.points.split())


def test_paths_lie_in_their_axes_with_a_key_of_their_own() -> None:
    paths = [Path("one", [0, 2, 4], [0.0, 0.5, 1.0], ""), Path("chance", [0, 4], [0, 1], "", kind="chance")]
    plot = path_plot(paths, [Spot("here", 2, 0.5, "")])
    assert [len(each.points.split()) for each in plot.paths] == [3, 2]
    first, chance = (each.points.split() for each in plot.paths)
    assert (first[0], first[-1]) == (chance[0], chance[-1])  # one scale for all
    assert first[1] == f"{plot.spots[0].x},{plot.spots[0].y}"
    keys = [float(path.key_y) for path in plot.paths] + [float(spot.key_y) for spot in plot.spots]
    assert all(after - before >= 20 for before, after in itertools.pairwise(keys))
    assert plot.narrow is not None
    below = [float(path.key_y) for path in plot.narrow.paths] + [float(spot.key_y) for spot in plot.narrow.spots]
    assert plot.narrow.foot < min(below) < max(below) < plot.narrow.height  # the key of a phone
    assert max(float(point.split(",")[0]) for each in plot.narrow.paths for point in each.points.split()) < 340


def test_slopes_have_a_row_each_in_every_column() -> None:
    slopes = [Slope("a" * 40, [1, 2], ""), Slope("b", [1, 3], "", is_marked=True), Slope("c", [3, 1], "")]
    plot = slope_plot(["before", "j" * 200], slopes)
    lines = {line.slope.name[0]: line for line in plot.lines}
    assert plot.lines[-1] is lines["b"]
    before, after = ([float(lines[name].ends[at][1]) for name in "abc"] for at in (0, 1))
    assert before == sorted(set(before))
    assert after[2] < after[0] < after[1] < plot.height
    assert {line.ends[0][0] for line in plot.lines} == {plot.columns[0].x}
    assert [len(lines["a"].name) < 40, plot.columns[1].name[-1]] == [True, "…"]
    last = slope_plot(["before", "flan-t5-large.four"], slopes).columns[1]
    assert (last.name, float(last.name_x) < float(last.x)) == ("flan-t5-large.four", True)  # within the drawing
    assert not plot.keys


def test_of_very_many_slopes_the_marked_alone_are_named() -> None:
    plot = slope_plot(["a", "b"], [Slope(f"run-{at}", [at, at], "", is_marked=at == 7) for at in range(300)])
    assert plot.narrow is not None
    for each in (plot, plot.narrow):
        assert each.is_dense
        assert [line.name for line in each.lines if line.name] == ["run-7"]
        assert each.foot < 1300
        assert len({line.ends[0] for line in each.lines}) == 300


@pytest.mark.parametrize("marked", [(7, 8, 10), (297, 298, 299)])
def test_names_of_close_rows_do_not_cover_each_other(marked: tuple[int, ...]) -> None:
    slopes = slope_plot(["a", "b"], [Slope(f"run-{at}", [at, at], "", is_marked=at in marked) for at in range(300)])
    rows = interval_plot([Estimate(f"run-{at}", 0.5, 0.4, 0.6, "", is_marked=at in marked) for at in range(300)])
    names = [(float(line.y), line.name) for line in slopes.lines if line.name]
    for heights in (names, [(float(mark.name_y), mark.name) for mark in rows.marks if mark.name]):
        assert [name for _, name in sorted(heights)] == [f"run-{at}" for at in marked]
        at = sorted(height for height, _ in heights)
        assert all(below - above >= 12 for above, below in itertools.pairwise(at))
        assert 0 < at[0] <= at[-1] <= slopes.foot


def test_slopes_on_a_phone_number_their_columns_and_name_them_below() -> None:
    slopes = [Slope("a" * 40, [1, 2, 3, 4], ""), Slope("b", [2, 1, 4, 3], "")]
    narrow = slope_plot(["as it stands", "one", "two", "j" * 200], slopes).narrow
    assert narrow is not None
    assert (narrow.width, narrow.name_x) == (340, 0)
    assert [column.name for column in narrow.columns] == ["1", "2", "3", "4"]
    assert [key.name[:14] for key in narrow.keys] == ["1 as it stands", "2 one", "3 two", "4 jjjjjjjjjjjj"]
    heights = [float(key.y) for key in narrow.keys]
    assert max(float(y) for line in narrow.lines for _, y in line.ends) < narrow.foot < heights[0]
    assert heights == sorted(heights)
    assert heights[-1] + 4 < narrow.height
    assert max(len(line.name) for line in narrow.lines) * 6.8 < float(narrow.columns[0].x)


def test_bins_as_outlines() -> None:
    assert steps([0, 1, 3], [0.25, 0.75]) == ([0, 0, 1, 1, 3, 3], [0, 0.25, 0.25, 0.75, 0.75, 0])


def test_an_estimate_says_its_figures() -> None:
    assert estimate("bm25", 0.41, 0.38, 0.44).text == "bm25: 0.410 (0.380 to 0.440)"
    assert estimate("bm25", 0.41, href="/x") == Estimate("bm25", 0.41, None, None, "bm25: 0.410", href="/x")


def test_bars_stand_over_their_names_and_are_as_high_as_their_figures() -> None:
    plot = named_bar_plot([Bar(2, "", "one"), Bar(4, "", "two"), Bar(0, "", "three")])
    middles = [float(each.x) + float(each.width) / 2 for each in plot.bars]
    assert [float(tick.at) for tick in plot.across] == pytest.approx(middles, abs=0.11)
    assert [tick.text for tick in plot.across] == ["one", "two", "three"]
    one, two, three = (float(each.height) for each in plot.bars)
    assert [one * 2, three] == pytest.approx([two, 0], abs=0.11)
    assert {float(each.y) + float(each.height) for each in plot.bars} == {plot.foot}


def test_of_many_names_no_two_cover_each_other() -> None:
    plot = named_bar_plot([Bar(day, "", f"{day} November") for day in range(1, 29)])
    assert plot.narrow is not None
    for drawn in (plot, plot.narrow):
        at = [float(tick.at) for tick in drawn.across]
        assert 2 <= len(at) < 28
        assert min(b - a for a, b in itertools.pairwise(at)) > 7.2 * len("28 November")
        last = drawn.bars[-1]
        assert float(last.x) + float(last.width) <= drawn.width


@pytest.mark.parametrize(("most", "texts"), [(2, ["0", "1", "2"]), (1, ["0", "1"]), (0, ["0", "1"])])
def test_beside_counts_stand_whole_numbers(most: int, texts: list[str]) -> None:
    assert [tick.text for tick in named_bar_plot([Bar(most, "", "a")]).upwards] == texts


def test_bins_fill_their_axis() -> None:
    plot = bar_plot([Bar(0, ""), Bar(0, "")], -1, 1)
    assert [float(each.height) for each in plot.bars] == [0, 0]
    assert {"−1.0", "1.0"} <= {tick.text for tick in plot.across}
    assert all(plot.left < float(each.x) < plot.width for each in plot.bars)


def test_few_bars_with_names_are_no_walls() -> None:
    assert {float(each.width) for each in named_bar_plot([Bar(1, "", "a"), Bar(2, "", "b")]).bars} == {60}


def test_names_of_axes_have_room_in_a_narrow_plot() -> None:
    names = re.compile(r'(?=[^%]*x_name="([^"]*)")[^%]*y_name="([^"]*)"')
    texts = [file.read_text() for file in TEMPLATES.rglob("*.html")]
    pairs = [pair for text in texts if "components/plots/curves.html" in text for pair in names.findall(text)]
    assert pairs
    assert [y for x, y in pairs if len(f"{y} upwards, {x} to the right") > MOST_OF_AXES] == []


def test_squares_stand_at_their_row_and_column_the_more_the_darker() -> None:
    rows, columns = [Head("1", "Topic 1"), Head("2", "Topic 2", "/2")], [Head(name, name) for name in "ABC"]
    some = [[Share(0, "none"), None, Share(1, "all")], [None, Share(0.5, "half"), None]]
    plot = heat_plot(rows, columns, some)
    none, all_, half = plot.squares
    assert [square.percent for square in plot.squares] == ["0", "100", "50"]
    assert float(none.opacity) == 0 < float(half.opacity) < float(all_.opacity) < 0.5
    assert none.y == all_.y < half.y
    assert [square.middle for square in (none, half, all_)] == [column.at for column in plot.columns]
    assert (plot.n_links, plot.rest) == (1, 0)


@pytest.mark.parametrize("letters", [1, 40])
def test_many_squares_have_room_for_their_figures_and_lie_within(letters: int) -> None:
    rows, columns = ([Head("x" * letters, f"{n}") for n in range(many)] for many in (30, 20))
    wide = heat_plot(rows, columns, [[Share(1, "")] * 20] * 30)
    assert wide.narrow is not None
    for plot in (wide, wide.narrow):
        assert float(plot.side) >= 26
        assert float(plot.left) >= 7.7 * len(plot.rows[0].name)
        assert max(float(square.x) for square in plot.squares) + float(plot.side) <= plot.width
        assert max(float(square.y) for square in plot.squares) + plot.row <= plot.height
        assert len(plot.columns) + plot.rest == 20
    assert (wide.rest, wide.narrow.rest > 0) == (0, True)
