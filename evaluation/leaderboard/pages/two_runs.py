"""What the comparison of two runs shows: bars a topic, rows of tests and effect sizes, in the numbers of the engine."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.kernel.page_tables import UNKNOWN
from evaluation.engine.conclusions import TEST_WORDS
from evaluation.engine.significance.paired.result import Test
from evaluation.engine.two_runs import TESTS, TwoRuns, by_difference
from evaluation.formats.comparison import shown_p

WIDTH, HEIGHT, GAP = 800.0, 240.0, 0.2  # of the drawing, and of the space between bars as a share of a bar


@dataclass(frozen=True)
class TopicDifference:
    """A topic with both values; `is_here`: the collection has its page."""

    number: str
    first: float
    second: float
    difference: float
    outcome: str  # better, equal, worse: of the first run
    is_here: bool


@dataclass(frozen=True)
class Bar:
    """A rectangle in the drawing, and what it says."""

    topic: TopicDifference
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True)
class Drawing:
    """Bars from a line at 0; `most` is the height of the upper and lower edge, in the measure."""

    bars: list[Bar]
    zero: str
    most: float

    @property
    def n_links(self) -> int:
        return len(self.bars)


@dataclass(frozen=True)
class PairedRow:
    """A test with its p, or why it gives none."""

    name: str
    p: float | None
    draws: int
    exact: bool
    refusal: str

    @property
    def shown(self) -> str:
        return UNKNOWN if self.p is None else shown_p(self.p)


def topic_differences(runs: TwoRuns, topics_here: set[str]) -> list[TopicDifference]:
    """Where the first run is better most, first."""
    comparison, threshold = runs.comparison, runs.comparison.design.threshold
    rows = []
    for at in by_difference(runs):
        number, difference = comparison.numbers[at], float(runs.pair.difference[at])
        first, second = comparison.value[at].tolist()
        outcome = "better" if difference > threshold else "worse" if difference < -threshold else "equal"
        rows.append(TopicDifference(number, first, second, difference, outcome, number in topics_here))
    return rows


def drawing_of(rows: list[TopicDifference]) -> Drawing:
    """A bar a topic, in the order of the rows; the scale is that of the largest difference."""
    most = max(abs(row.difference) for row in rows) or 1.0
    return Drawing(list(_bars(rows, most)), f"{HEIGHT / 2:g}", most)


def _bars(rows: list[TopicDifference], most: float) -> Iterator[Bar]:
    step, half = WIDTH / len(rows), HEIGHT / 2
    for at, row in enumerate(rows):
        height = max(abs(row.difference) / most * half, 1.0)
        top = half - height if row.difference > 0 else half
        yield Bar(row, f"{at * step:.2f}", f"{top:.2f}", f"{step * (1 - GAP):.2f}", f"{height:.2f}")


def paired_rows(runs: TwoRuns) -> list[PairedRow]:
    rows = []
    for test in TESTS:
        one = runs.comparison if test == runs.comparison.test else runs.others.get(test)
        draws, exact = (one.n_draws, one.exact) if one else (0, False)
        rows.append(
            PairedRow(_name(test, runs), one.pairs[0].p if one else None, draws, exact, runs.refused.get(test, ""))
        )
    return rows


def _name(test: Test, runs: TwoRuns) -> str:
    words = TEST_WORDS[test]
    decides = " (decides)" if test == runs.comparison.test else ""
    return f"{words[0].upper()}{words[1:]}{decides}"
