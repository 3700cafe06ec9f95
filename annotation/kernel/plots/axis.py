"""From a figure to a place along an axis, and the round figures that stand at it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

STEPS = (1, 2, 2.5, 5, 10)
WANTED = 6  # ticks, about


@dataclass(frozen=True)
class Tick:
    """`text_at`: where its text has its middle, if not at the tick itself."""

    at: str
    text: str
    text_at: str = ""


@dataclass(frozen=True)
class Axis:
    """`low` to `high` lie between `start` and `end`, in units of the drawing; `end` may be before `start`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> list[Tick]:
        """Round figures within the axis."""
        step = _step(self.high - self.low)
        digits = max(0, -math.floor(math.log10(step) + 1e-9) + (step / 10 ** math.floor(math.log10(step)) == 2.5))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [Tick(px(self.at(n * step)), f"{n * step:.{digits}f}".replace("-", "−")) for n in range(first, last + 1)]


def axis_over(values: Iterable[float], *, start: float, end: float) -> Axis:
    """An axis on which all values lie, with a little room at both ends; of equal values around them."""
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    room = (high - low) * 0.04 or abs(high) * 0.1 or 0.5
    return Axis(low - room, high + room, start, end)


def apart(heights: Sequence[float], *, room: float, foot: float) -> list[float]:
    """Ascending heights of names, moved by as little as leaves each its room, none below the foot; as they are where
    they have no room."""
    if len(heights) * room > foot:
        return [*heights]
    down = list[float]()
    for height in heights:
        down.append(max(height, down[-1] + room) if down else height)
    return [min(height, foot - room * above) for above, height in zip(reversed(range(len(down))), down, strict=True)]


def px(at: float) -> str:
    """A place in the drawing, as SVG has it."""
    return f"{at:.1f}"


def _step(length: float) -> float:
    size = 10.0 ** math.floor(math.log10(length / WANTED))
    return next(step * size for step in STEPS if step * size * WANTED >= length * (1 - 1e-9))
