"""What the page of clicks beside judgments shows: rates by grade, drawn; looks by position; contradictions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.kernel.plots.axis import Axis, Tick, px
from annotation.kernel.plots.curves import Curve, CurvePlot, curve_plot

WIDTH, HEIGHT, LEFT, FOOT = 760, 440, 56, 40
GOLDEN = 0.618034  # its multiples spread points of a grade evenly
MOST_POSITIONS = 30
MOST_SHOWN = 100  # contradictions in the table


@dataclass(frozen=True)
class RateDot:
    x: str
    y: str
    kind: str  # a class of clicks.css
    text: str


@dataclass(frozen=True)
class GradeMark:
    """The rate of a grade with its interval, and the raw one, hollow."""

    x: str
    y: str
    raw: str
    low: str
    high: str
    text: str


@dataclass(frozen=True)
class RatePlot:
    dots: list[RateDot]
    marks: list[GradeMark]
    line: str  # as SVG's polyline takes it
    across: list[Tick]
    upwards: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    foot: int = HEIGHT - FOOT


def rate_plot(figures: Mapping[str, Any], drawing: Mapping[str, Any]) -> RatePlot:
    """A point a pair, strewn over the place of its grade; the grade's own rate to the right of them."""
    grades = figures["grades"]
    values = [one["corrected"] for one in drawing["points"]] + [one["corrected"]["value"] for one in grades]
    upwards = Axis(0.0, max(values) * 1.05 or 1.0, HEIGHT - FOOT, 8)
    across = Axis(grades[0]["grade"] - 0.5, grades[-1]["grade"] + 0.5, LEFT, WIDTH - 8)
    marks = [_mark(one, across, upwards) for one in grades]
    return RatePlot(
        dots=[_dot(at, one, across, upwards) for at, one in reversed(list(enumerate(drawing["points"])))],
        marks=marks,
        line=" ".join(f"{one.x},{one.y}" for one in marks),
        across=[Tick(px(across.at(one["grade"])), str(one["grade"])) for one in grades],
        upwards=upwards.ticks,
    )


def looks_plot(figures: Mapping[str, Any]) -> CurvePlot | None:
    """How often each position is looked at, by the first; None where there is but one."""
    rows = figures["positions"][:MOST_POSITIONS]
    if len(rows) < 2:
        return None
    values = [one["propensity"]["value"] for one in rows]
    text = ", ".join(f"{value:.2f} at {one['position']}" for value, one in zip(values, rows, strict=True))
    return curve_plot(
        [Curve("looked at", values, f"looked at: {text}", is_marked=True)], [str(one["position"]) for one in rows]
    )


def _dot(at: int, one: Mapping[str, Any], across: Axis, upwards: Axis) -> RateDot:
    beside = 0.42 * (at * GOLDEN % 1) - 0.4
    what = {"few": ", clicked less than lower grades", "many": ", clicked more than higher grades"}.get(one["kind"], "")
    text = (
        f"topic {one['number']}, {one['docno']}, grade {one['grade']}: {one['corrected']:.3f} "
        f"({one['low']:.3f} to {one['high']:.3f}) of {one['impressions']:,.0f} impressions{what}"
    )
    kind = "odd" if one["kind"] else "dot"
    return RateDot(px(across.at(one["grade"] + beside)), px(upwards.at(one["corrected"])), kind, text)


def _mark(one: Mapping[str, Any], across: Axis, upwards: Axis) -> GradeMark:
    rate, raw = one["corrected"], one["ctr"]["value"]
    low, high = (rate["value"] if rate[end] is None else min(rate[end], upwards.high) for end in ("low", "high"))
    interval = "" if rate["low"] is None else f" ({rate['low']:.3f} to {rate['high']:.3f})"
    text = f"grade {one['grade']}: {rate['value']:.3f}{interval}, {one['n_pairs']:,} pairs; uncorrected {raw:.3f}"
    y, y_raw, y_low, y_high = (px(upwards.at(value)) for value in (rate["value"], raw, low, high))
    return GradeMark(px(across.at(one["grade"] + 0.22)), y, y_raw, y_low, y_high, text)
