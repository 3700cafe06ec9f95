"""The figures of a space against their usual warning levels, and what they say in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from evaluation.formats.space import LINES, cell

Figures: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Level:
    """A usual warning level: `is_passed` by the figures, `level` in words, `means` what it would mean."""

    key: str
    level: str
    means: str
    is_passed: Callable[[Figures], bool]


@dataclass(frozen=True)
class FigureLine:
    title: str
    value: str
    level: str
    passes_level: bool


@dataclass(frozen=True)
class Finding:
    key: str
    passes_level: bool
    words: str


def _directions(figures: Figures) -> int:
    """How many there can be: rows span no more than one fewer than their number."""
    return max(1, min(int(figures["dim"]), int(figures["rows"]) - 1))


def _below(key: str, limit: float) -> Callable[[Figures], bool]:
    return lambda figures: figures[key] is not None and figures[key] < limit


def _above(key: str, limit: float) -> Callable[[Figures], bool]:
    return lambda figures: figures[key] is not None and figures[key] > limit


LEVELS = (
    Level(
        "effective_rank",
        "below 30 % of the directions that there can be",
        "few directions carry almost everything: the space may be collapsed",
        lambda figures: figures["effective_rank"] < 0.3 * _directions(figures),
    ),
    Level(
        "mean_cosine",
        "above .5",
        "all vectors point about the same way: a cosine of .7 says little of likeness here",
        _above("mean_cosine", 0.5),
    ),
    Level(
        "effective_dimensions",
        "below .1",
        "the variance lies in a tenth of the dimensions or less",
        _below("effective_dimensions", 0.1),
    ),
    Level("top_10", "above .5", "ten directions hold more than half of the variance", _above("top_10", 0.5)),
    Level(
        "uniformity",
        "above −2",
        "vectors crowd together on the sphere instead of spreading over it",
        _above("uniformity", -2.0),
    ),
    Level(
        "alignment",
        "above 1.5 (2 is what unrelated vectors have)",
        "queries lie far from their relevant documents",
        lambda figures: figures.get("alignment") is not None and figures["alignment"] > 1.5,
    ),
    Level(
        "hub_skewness",
        "above 2",
        "a few rows are among the nearest of very many: they come up whatever is asked",
        _above("hub_skewness", 2.0),
    ),
)


def findings_of(figures: Figures) -> list[Finding]:
    """Those levels that there is a figure for, the passed ones first."""
    rows = [
        Finding(one.key, one.is_passed(figures), f"{one.means} (warning level: {one.level})")
        for one in LEVELS
        if figures.get(one.key) is not None
    ]
    return sorted(rows, key=lambda row: not row.passes_level)


def figure_lines(figures: Figures) -> list[FigureLine]:
    """Every figure as `describe_vectors` prints it, with its warning level where there is one."""
    levels = {one.key: one for one in LEVELS}
    lines = []
    for line in LINES:
        value, level = figures.get(line.key), levels.get(line.key)
        if value is None:
            continue
        is_passed = level is not None and level.is_passed(figures)
        lines.append(FigureLine(line.title, cell(value), level.level if level else "", is_passed))
    return lines


def verdict(findings: Sequence[Finding]) -> str:
    """In a sentence. None of this says how well a model retrieves."""
    passed = sum(one.passes_level for one in findings)
    if not passed:
        return f"None of {len(findings)} usual warning levels is passed: the space looks sound."
    levels = "warning level is" if passed == 1 else "warning levels are"
    return f"{passed} of {len(findings)} usual {levels} passed: look at what they mean before you trust the model."
