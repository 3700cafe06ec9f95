"""Models beside a reference model: what it comes to in words, plots by cutoff, tables with deviations and tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from annotation.kernel.plots.axis import Axis, Tick, px
from annotation.text.counted import counted, percent, with_sign
from evaluation.engine.conclusions import CORRECTION_WORDS, TEST_WORDS
from evaluation.engine.reference.similarities import NAMES
from evaluation.formats.comparison import shown_p
from evaluation.formats.reference import FAMILIES, cell, cutoffs_of, measured

Facts: TypeAlias = Mapping[str, Any]  # of a ModelComparison

WIDTH, HEIGHT, LEFT, FOOT, EDGE = 340, 246, 40, 42, 12
LEVEL = 0.05


@dataclass(frozen=True)
class PanelDot:
    x: str
    y: str
    text: str


@dataclass(frozen=True)
class PanelLine:
    """A model's means, and the band of their intervals; `number` is its colour."""

    number: int
    points: str
    band: str
    dots: list[PanelDot]


@dataclass(frozen=True)
class Panel:
    """A measure by its cutoff."""

    measure: str
    lines: list[PanelLine]
    across: list[Tick]
    upwards: list[Tick]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    foot: int = HEIGHT - FOOT


@dataclass(frozen=True)
class ModelLine:
    """A row of a table: cells are means ± deviations."""

    number: int
    model: str
    k: int | None
    cells: list[str]


@dataclass(frozen=True)
class TestLine:
    measure: str
    first: str
    second: str
    difference: str
    p: str
    is_apart: bool


def panels(facts: Facts) -> list[Panel]:
    """A panel a measure, all from 0 to 1; none where nothing was compared by rank."""
    cutoffs = cutoffs_of(facts)
    room = (WIDTH - LEFT - EDGE) / max(1, len(cutoffs) - 1)
    at = [LEFT + room * step for step in range(len(cutoffs))]
    axis = Axis(0.0, 1.0, HEIGHT - FOOT, EDGE)
    across = [Tick(px(x), str(k)) for x, k in zip(at, cutoffs, strict=True)]
    return [
        Panel(family, [_line(facts, n, family, at, axis) for n in range(len(facts["models"]))], across, axis.ticks)
        for family in (FAMILIES if cutoffs else ())
    ]


def _line(facts: Facts, number: int, family: str, at: Sequence[float], axis: Axis) -> PanelLine:
    model = facts["models"][number]
    rows = [measured(model, family, k) for k in cutoffs_of(facts)]
    xs = [px(x) for x in at]
    ends = [
        [f"{x},{px(axis.at(_end(row, name)))}" for x, row in zip(xs, rows, strict=True)] for name in ("high", "low")
    ]
    dots = [
        PanelDot(x, px(axis.at(row["mean"])), f"{model['model']}: {family}@{row['k']} {_value_words(row)}")
        for x, row in zip(xs, rows, strict=True)
    ]
    return PanelLine(number, " ".join(f"{dot.x},{dot.y}" for dot in dots), " ".join([*ends[0], *ends[1][::-1]]), dots)


def _end(row: Facts, name: str) -> float:
    """Of the interval; the mean where there is none."""
    return float(row["mean"] if row[name] is None else row[name])


def _value_words(row: Facts) -> str:
    interval = "" if row["low"] is None else f", 95 % interval {row['low']:.4f} to {row['high']:.4f}"
    deviation = "" if row["deviation"] is None else f" ± {row['deviation']:.4f}"
    return f"{row['mean']:.4f}{deviation}{interval}"


def rank_lines(facts: Facts) -> list[ModelLine]:
    """A row a model and cutoff, cells in the order of `FAMILIES`."""
    return [
        ModelLine(number, one["model"], k, [cell(one, name, k) for name in FAMILIES])
        for number, one in enumerate(facts["models"])
        for k in cutoffs_of(facts)
    ]


def similarity_lines(facts: Facts) -> list[ModelLine]:
    """A row a model, cells in the order of `NAMES`."""
    return [
        ModelLine(number, one["model"], None, [cell(one, name) for name in NAMES])
        for number, one in enumerate(facts["models"])
    ]


def test_lines(facts: Facts) -> list[TestLine]:
    """A row a measure and pair of models; measures by rank are those at the greatest cutoff."""
    return [
        TestLine(
            one["measure"],
            one["first"],
            one["second"],
            with_sign(one["difference"], "z.4f"),
            shown_p(one["adjusted_p"]),
            one["adjusted_p"] < LEVEL,
        )
        for one in facts["tests"]
    ]


def conclusion(facts: Facts) -> list[str]:
    """How much of the reference's nearest the models find, or how they follow the targets; which are told apart."""
    cutoffs = cutoffs_of(facts)
    measure, k = ("R", cutoffs[-1]) if cutoffs else ("Spearman", None)
    rows = [(one["model"], measured(one, measure, k)) for one in facts["models"]]
    ranking = sorted((row for row in rows if row[1]["mean"] is not None), key=lambda row: -row[1]["mean"])
    if not ranking:
        return [f"No model has a {measure} here: all similarities of one side are equal."]
    first = _first_sentence(facts, ranking[0], k)
    others = ", ".join(f"{name} {row['mean']:.3f}" for name, row in ranking[1:])
    sentences = [f"{first} {others and f'The others: {others}.'}".strip()]
    return [*sentences, *_apart(facts, f"{measure}@{k}" if cutoffs else "MAE")]


def _first_sentence(facts: Facts, best: tuple[str, Facts], k: int | None) -> str:
    name, row = best
    if k is None:
        pairs = counted(facts["n_pairs"], "pair")
        return f"{name} follows the target similarities of {pairs} best: Spearman {row['mean']:.3f}."
    nearest = f"{counted(k, 'document')} nearest to a query" if k > 1 else "document nearest to a query"
    over = counted(facts["n_queries"], "query", "queries")
    return (
        f"Of the {nearest} by {facts['reference']}, {name} has {percent(row['mean'])} among its own first {k} "
        f"(R@{k} {row['mean']:.3f}, over {over})."
    )


def _apart(facts: Facts, measure: str) -> list[str]:
    tests = [one for one in facts["tests"] if one["measure"] == measure]
    if not tests:
        return []
    n_apart = sum(one["adjusted_p"] < LEVEL for one in tests)
    how = f"{TEST_WORDS[tests[0]['test']]}, {CORRECTION_WORDS[tests[0]['correction']]}"
    verb = "is" if n_apart == 1 else "are"
    return [
        f"By {measure} {n_apart} of {counted(len(tests), 'pair')} of models {verb} told apart at {LEVEL:g} ({how})."
    ]
