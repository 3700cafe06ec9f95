"""What is drawn of a space: its spectrum, how cosines are distributed, and its rows in the plane."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, TypeAlias

from annotation.kernel.plots.axis import Tick, axis_over, px
from annotation.kernel.plots.bars import Bar, BarPlot, bar_plot
from annotation.text.counted import percent

Drawing: TypeAlias = Mapping[str, Any]  # of a SpaceDescription

SHOWN_DIRECTIONS = 64
WIDTH, HEIGHT, LEFT, FOOT = 760, 520, 56, 40
SMALL, USUAL, LARGE = 2.5, 4.0, 7.0  # radii
EXAMPLES, EXAMPLE = 2, 36  # of a group; characters


@dataclass(frozen=True)
class MapDot:
    x: str
    y: str
    r: str
    kind: str  # a class of space.css
    text: str
    href: str  # of the text that it stands for; empty without


@dataclass(frozen=True)
class MapPlot:
    dots: list[MapDot]
    across: list[Tick]
    upwards: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    foot: int = HEIGHT - FOOT

    @property
    def n_links(self) -> int:
        return sum(bool(dot.href) for dot in self.dots)


def spectrum_plot(drawing: Drawing) -> BarPlot | None:
    """The share of the variance in each direction, the largest first; None where all rows are equal."""
    total, values = drawing["total"], drawing["spectrum"][:SHOWN_DIRECTIONS]
    if not total:
        return None
    bars, so_far = [], 0.0
    for number, value in enumerate(values, 1):
        so_far += value / total
        shares = f"{percent(value / total, 1)} of the variance, {percent(so_far, 1)} up to here"
        bars.append(Bar(value / total, f"direction {number}: λ {value:.4g}, {shares}"))
    return bar_plot(bars, 0.5, len(bars) + 0.5)


def spectrum_words(drawing: Drawing) -> str:
    """How many directions hold half and nine tenths of the variance."""
    needed = [_needed(drawing, share) for share in (0.5, 0.9)]
    if None in needed:
        return ""
    directions = "direction holds" if needed[0] == 1 else "directions hold"
    return f"{needed[0]} {directions} half of the variance, {needed[1]} nine tenths."


def _needed(drawing: Drawing, share: float) -> int | None:
    so_far = 0.0
    for number, value in enumerate(drawing["spectrum"], 1):
        so_far += value
        if so_far >= share * drawing["total"] > 0:
            return number
    return None


def cosine_plot(drawing: Drawing) -> BarPlot:
    """Shares of pairs by their cosine."""
    counts, n_pairs = drawing["cosines"], drawing["pairs"]
    width = 2 / len(counts)
    bars = [
        Bar(count / n_pairs, f"{-1 + at * width:.2f} to {-1 + (at + 1) * width:.2f}: {count:,} of {n_pairs:,} pairs")
        for at, count in enumerate(counts)
    ]
    return bar_plot(bars, -1.0, 1.0)


def map_plot(
    drawing: Drawing,
    titles: Mapping[str, str],
    grades: Mapping[str, int] | None,
    page: Callable[[str], str],
    *,
    layout: str = "place",
) -> MapPlot:
    """Rows in the plane, by PCA (`place`) or `umap`; `grades` of the documents of a topic, else None, and groups are
    coloured. Relevant ones last, on top. `page`: of a text of the collection, which `titles` has."""
    points = drawing[layout]
    across = axis_over((x for x, _ in points), start=LEFT, end=WIDTH - 16)
    upwards = axis_over((y for _, y in points), start=HEIGHT - FOOT, end=8)
    rows = list(zip(drawing["ids"], points, drawing["group"], strict=True))
    if grades is not None:
        rows.sort(key=lambda row: grades.get(row[0], -1))
    top = max(grades.values(), default=1) if grades else 1
    dots = []
    for name, (x, y), group in rows:
        kind, radius, text = _look(name, group, grades, top)
        title = f" {titles[name]}" if titles.get(name) else ""
        at, href = (px(across.at(x)), px(upwards.at(y))), page(name) if name in titles else ""
        dots.append(MapDot(*at, f"{radius:.1f}", kind, f"{name}{title}: {text}", href))
    return MapPlot(dots, across.ticks, upwards.ticks)


def plane_words(drawing: Drawing) -> str:
    """How much of the variance lies in each direction of the plane."""
    return " and ".join(percent(share, 1) for share in drawing["share"])


def _look(name: str, group: int, grades: Mapping[str, int] | None, top: int) -> tuple[str, float, str]:
    """Class, radius and words of a dot."""
    if grades is None:
        return f"group{group}", USUAL, f"group {group + 1}"
    grade = grades.get(name)
    if grade is None or grade < 0:
        return "unjudged", SMALL, "not judged"
    if grade == 0:
        return "grade0", USUAL, "grade 0"
    return "relevant", USUAL + (LARGE - USUAL) * grade / max(1, top), f"grade {grade}"


@dataclass(frozen=True)
class GroupLine:
    number: int
    n: int
    examples: str


def group_lines(drawing: Drawing, titles: Mapping[str, str]) -> list[GroupLine]:
    """Each group with how many of the rows drawn it has, and the first few of them."""
    members: dict[int, list[str]] = {}
    for name, group in zip(drawing["ids"], drawing["group"], strict=True):
        members.setdefault(group, []).append(shorten(titles.get(name) or name, EXAMPLE, placeholder=" …"))
    return [GroupLine(group, len(names), "; ".join(names[:EXAMPLES])) for group, names in sorted(members.items())]
