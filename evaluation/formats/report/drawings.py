"""Plots as SVG that stands in a page: shapes have classes, and the page's style has their colours."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from annotation.text.counted import with_sign
from evaluation.engine.many_runs import ManyRuns

WIDTH, ROW, FOOT, LETTER, MOST_LETTERS = 720, 20, 26, 7.0, 28
NARROW_WIDTH, NARROW_ROW, MOST_NARROW = 340, 36, 45
CURVES_HEIGHT, LEFT, NAMES = 300, 50, 190  # of curves; room beside them for figures and names
NARROW_LEFT, NARROW_RIGHT, KEY = 40, 14, 16  # the same on a narrow page; of a name below
NUMBER, LINE = 30, 13  # room of a run's number, and of a line of text
BARS_HEIGHT = 200
SIDE, MOST_SQUARES = 16, 60  # of a square; runs whose pairs can be told apart by eye
NAMED = 5  # curves that are named, at most
STEPS = (1, 2, 2.5, 5, 10)
TICKS = 6


@dataclass(frozen=True)
class Estimate:
    name: str
    value: float
    low: float | None
    high: float | None


def intervals(rows: Sequence[Estimate], *, named: str, zero: bool = False) -> str:
    """A row each, in their order: a point, its interval, its name at the left. `zero`: a line stands at 0.

    Twice: on a narrow page names stand above their intervals, which have the whole width.
    """
    letters = min(MOST_LETTERS, max(len(row.name) for row in rows))
    wide = _Rows("wide", WIDTH, ROW, 14 + LETTER * letters, letters, above=0)
    narrow = _Rows("narrow", NARROW_WIDTH, NARROW_ROW, 0, MOST_NARROW, above=16)
    return scrolling(wide.drawn(rows, named, zero=zero) + narrow.drawn(rows, named, zero=zero), named)


@dataclass(frozen=True)
class _Rows:
    """How rows of intervals are laid out; names end at `names_end`, or begin there and stand `above` their rows."""

    kind: str
    width: int
    row: int
    names_end: float
    letters: int
    above: int

    def drawn(self, rows: Sequence[Estimate], named: str, *, zero: bool) -> str:
        ends = [end for one in rows for end in (one.value, one.low, one.high) if end is not None]
        axis = _axis([*ends, 0.0] if zero else ends, self.names_end + 12, self.width - 14)
        foot = self.row * len(rows) + 4
        shapes = [*_grid(axis, 0, foot)]
        if zero:
            shapes.append(f'<line class="zero" x1="{axis.at(0)}" x2="{axis.at(0)}" y1="0" y2="{foot}"/>')
        shapes += [self._one(one, axis, self.row * at) for at, one in enumerate(rows)]
        return _svg(shapes, self.width, foot + FOOT, named, kind=self.kind)

    def _one(self, one: Estimate, axis: "_Axis", top: float) -> str:
        y = top + ROW // 2 + 1 + self.above
        low, high = (one.value if end is None else end for end in (one.low, one.high))
        name = _text(_short(one.name, self.letters))
        return (
            f'<g><title>{_text(_estimate_words(one))}</title><text class="{"start" if self.above else "end"}" '
            f'x="{self.names_end:.1f}" y="{y + 4 - self.above}">{name}</text><line class="span" x1="{axis.at(low)}" '
            f'x2="{axis.at(high)}" y1="{y}" y2="{y}"/><circle cx="{axis.at(one.value)}" cy="{y}" r="4"/></g>'
        )


def curves(values: Mapping[str, Sequence[float]], cutoffs: Sequence[int], best: Sequence[str], *, named: str) -> str:
    """A curve a run over the cutoffs, at equal distances; the best stand out, each in its colour, and are named.

    Twice: on a narrow page names stand below the curves, which have the whole width.
    """
    wide = _Curves("wide", WIDTH, LEFT, NAMES, names_below=False)
    narrow = _Curves("narrow", NARROW_WIDTH, NARROW_LEFT, NARROW_RIGHT, names_below=True)
    drawn = (one.drawn(values, cutoffs, best, named) for one in (wide, narrow))
    return scrolling("".join(drawn), named)


@dataclass(frozen=True)
class _Curves:
    """How curves are laid out, with room at the `left` for figures and at the `right`, for names unless these stand
    below."""

    kind: str
    width: int
    left: int
    right: int
    names_below: bool

    def drawn(
        self, values: Mapping[str, Sequence[float]], cutoffs: Sequence[int], best: Sequence[str], named: str
    ) -> str:
        foot, end = CURVES_HEIGHT - FOOT, self.width - self.right
        axis = _axis([value for line in values.values() for value in line], foot, 8)
        shapes = [_side_line(tick, axis, self.left, end) for tick in axis.ticks]
        x = [self.left + (end - self.left) * at / max(1, len(cutoffs) - 1) for at in range(len(cutoffs))]
        shapes += [
            f'<text class="mid" x="{at:.1f}" y="{foot + 17}">{k}</text>' for at, k in zip(x, cutoffs, strict=True)
        ]
        for tag in sorted(values, key=lambda tag: (tag in best, tag)):
            points = " ".join(f"{at:.1f},{axis.at(value)}" for at, value in zip(x, values[tag], strict=True))
            kind = f"curve c{best.index(tag)}" if tag in best else "curve"
            title = ", ".join(f"@{k} {value:.4f}" for k, value in zip(cutoffs, values[tag], strict=True))
            shapes.append(f'<polyline class="{kind}" points="{points}"><title>{_text(tag)}: {title}</title></polyline>')
        shapes += self._names({tag: float(axis.at(values[tag][-1])) for tag in best})
        height = CURVES_HEIGHT + (KEY * len(best) if self.names_below else 0)
        return _svg(shapes, self.width, height, named, kind=self.kind)

    def _names(self, ends: Mapping[str, float]) -> Iterator[str]:
        """Each in the colour of its curve; `ends`: how high the curves end."""
        below = {tag: CURVES_HEIGHT + KEY * (at + 0.5) for at, tag in enumerate(ends)}
        heights = (
            below if self.names_below else {tag: y + 4 for tag, y in _apart(dict(ends), CURVES_HEIGHT - FOOT).items()}
        )
        x = 2 if self.names_below else self.width - self.right + 8
        for at, tag in enumerate(ends):
            yield f'<text class="n{at}" x="{x}" y="{heights[tag]:.1f}">{_text(_short(tag, MOST_NARROW))}</text>'


def bars(differences: Sequence[tuple[str, float]], *, named: str, threshold: float) -> str:
    """A bar a topic from a line at 0, in their order."""
    values = [value for _, value in differences]
    axis = _Axis(min(0.0, *values), max(0.0, *values) or float(not any(values)), BARS_HEIGHT - 4, 4)
    step, zero = WIDTH / len(differences), float(axis.at(0))
    shapes = []
    for at, (number, value) in enumerate(differences):
        end = float(axis.at(value))
        kind = "better" if value > threshold else "worse" if value < -threshold else "equal"
        height = max(abs(end - zero), 1.0)
        top = end if value > 0 else zero
        shapes.append(
            f'<rect class="{kind}" x="{at * step:.2f}" y="{top:.2f}" width="{step * 0.8:.2f}" height="{height:.2f}">'
            f"<title>{_text(number)}: {signed(value)}</title></rect>"
        )
    shapes.append(f'<line class="zero" x1="0" x2="{WIDTH}" y1="{zero:g}" y2="{zero:g}"/>')
    return _svg(shapes, WIDTH, BARS_HEIGHT, named, kind="fits")


def triangle(many: ManyRuns, *, named: str) -> str:
    """A square for each pair, filled where it is told apart; empty for so many runs that nobody could see one.

    Twice: on a narrow page squares are smaller, and names are shortened to the room that is left.
    """
    n = len(many.runs)
    if n > MOST_SQUARES:
        return ""
    wide = _triangle(many, named, "wide", max(WIDTH, SIDE * n + 240), SIDE)
    side = min(SIDE, (NARROW_WIDTH - NUMBER) // n)
    return scrolling(wide + _triangle(many, named, "narrow", NARROW_WIDTH, side), named)


def _triangle(many: ManyRuns, named: str, kind: str, width: int, side: int) -> str:
    """Rows lower than a line of text have names as often as there is room."""
    shapes, every = [], math.ceil(LINE / side)
    for row, run in enumerate(many.runs):
        for column in range(row):
            p, difference = many.adjusted[row, column], many.difference[column, row]
            verdict = "apart" if p <= many.design.alpha else "alike"
            title = _text(f"{many.runs[column].tag} minus {run.tag}: {with_sign(difference, '.4f')}, p {p:.4f}")
            corner = f'x="{side * column + 1.5}" y="{side * row + 1.5}"'
            size = f'width="{side - 3}" height="{side - 3}"'
            shapes.append(f'<rect class="{verdict}" {corner} {size}><title>{title}</title></rect>')
        if row % every == 0:
            letters = int((width - side * row - NUMBER) // LETTER)
            name = f"{row + 1} {_short(run.tag, min(letters, MOST_LETTERS))}" if letters > 3 else f"{row + 1}"
            shapes.append(f'<text x="{side * row + 6}" y="{side * row + side // 2 + 4}">{_text(name)}</text>')
    return _svg(shapes, width, side * len(many.runs) + 4, named, kind=kind)


def signed(value: float) -> str:
    """With four decimals and its sign, which 0 has none of."""
    text = with_sign(value, ".4f")
    return text[1:] if text[1:] == "0.0000" else text


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> str:
        return f"{self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start):.1f}"

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Round figures within the axis, and as they are written."""
        size = 10.0 ** math.floor(math.log10((self.high - self.low) / TICKS))
        step = next(size * each for each in STEPS if size * each * TICKS >= (self.high - self.low) * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [(n * step, f"{round(n * step, 10):g}") for n in range(first, last + 1)]


def _axis(values: Sequence[float], start: float, end: float) -> _Axis:
    """All values lie on it, with a little room at both ends."""
    low, high = min(values), max(values)
    room = (high - low) * 0.04 or abs(high) * 0.1 or 0.5
    return _Axis(low - room, high + room, start, end)


def _grid(axis: _Axis, top: float, foot: float) -> Iterator[str]:
    for value, text in axis.ticks:
        x = axis.at(value)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{top:g}" y2="{foot:g}"/>'
        yield f'<text class="mid" x="{x}" y="{foot + 17:g}">{text}</text>'


def _side_line(tick: tuple[float, str], axis: _Axis, left: float, right: float) -> str:
    y = axis.at(tick[0])
    line = f'<line class="grid" x1="{left:g}" x2="{right:g}" y1="{y}" y2="{y}"/>'
    return f'{line}<text class="end" x="{left - 6:g}" y="{float(y) + 4:.1f}">{tick[1]}</text>'


def _apart(heights: dict[str, float], foot: float) -> dict[str, float]:
    """Names pushed down where they would cover each other, and up where they would leave the drawing."""
    placed, order, lowest = dict[str, float](), sorted(heights, key=heights.__getitem__), 0.0
    for tag in order:
        placed[tag] = lowest = max(heights[tag], lowest + 14)
    for tag in reversed(order):
        placed[tag] = min(placed[tag], foot)
        foot = placed[tag] - 14
    return placed


def _svg(shapes: Sequence[str], width: float, height: float, named: str, *, kind: str = "") -> str:
    box = f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(named)}"'
    return f"<svg{f' class={kind!r}' if kind else ''} {box}>{''.join(shapes)}</svg>"


def scrolling(content: str, named: str) -> str:
    """Where it is wider than the page, by keyboard, too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(named)}">{content}</div>'


def _estimate_words(row: Estimate) -> str:
    interval = "" if row.low is None or row.high is None else f" ({row.low:.4f} to {row.high:.4f})"
    return f"{row.name}: {row.value:.4f}{interval}"


def _short(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _text(text: str) -> str:
    return escape(text, quote=False)
