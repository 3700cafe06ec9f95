"""What the page of a study shows: kinds of change with their τ, drawn and in a table, and the pairs that swap."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.http import urlencode

from annotation.kernel.plots.intervals import Estimate, IntervalPlot, interval_plot
from annotation.kernel.plots.slopes import Slope, SlopePlot, slope_plot
from evaluation.engine.sensitivity.conclusions import judge_sentence
from evaluation.engine.sensitivity.judge_orders import JudgeOrder
from evaluation.engine.sensitivity.kinds import KIND_WORDS
from evaluation.engine.sensitivity.orders import OrderUnder, PairSwap
from evaluation.engine.sensitivity.study import PairShares, Sensitivity

MOST_SWAPS = 8  # pairs of runs that a kind names on the page; the files have all
SHORT = {
    "annotators": "annotator left out",
    "one_annotator": "one annotator a topic",
    "union_intersection": "union, intersection",
    "judges": "another judge",
    "policies": "another policy",
    "filters": "another filter",
    "consolidators": "another consolidator",
    "topics": "topic left out",
    "runs": "run’s part of the pool",
    "groups": "group’s part of the pool",
    "unjudged": "unjudged otherwise",
}
Tau = tuple[float, float, float]  # least, median, greatest


@dataclass(frozen=True)
class KindRow:
    """A kind of change that has cases."""

    change: OrderUnder
    words: str
    tau_b: Tau | None
    tau_ap: Tau | None

    @property
    def swaps(self) -> list[PairSwap]:
        return list(self.change.swaps[:MOST_SWAPS])

    @property
    def n_more(self) -> int:
        return len(self.change.swaps) - len(self.swaps)


def kind_rows(studied: Sensitivity) -> list[KindRow]:
    """In the order of the kinds; those without cases are not among them."""
    return [
        KindRow(change, KIND_WORDS[change.kind], change.quantiles(change.tau_b), change.quantiles(change.tau_ap))
        for change in studied.changes
        if change.n_cases
    ]


def tau_plot(rows: list[KindRow], tau: Callable[[KindRow], Tau | None], name: str) -> IntervalPlot:
    """A row a kind: the median, and from the least to the greatest."""
    return interval_plot([_estimate(row, values, name) for row in rows if (values := tau(row))])


@dataclass(frozen=True)
class Placed:
    """A run under a judge; `moved` is by how many places it stands higher than without."""

    mean: float
    rank: int
    moved: int

    @property
    def n_moved(self) -> int:
        return abs(self.moved)


@dataclass(frozen=True)
class RunRow:
    tag: str
    mean: float
    rank: int
    judges: list[Placed]


@dataclass(frozen=True)
class Judges:
    """Other judges beside the order as it stands: a row a run, a column a judge; and drawn."""

    rows: list[RunRow]
    orders: list[tuple[JudgeOrder, str]]  # with its sentence
    plot: SlopePlot


def judges_beside(studied: Sensitivity, page: Callable[[str], str]) -> Judges | None:
    """None where there is no other judge. `page`: of a run, by its tag."""
    if not studied.judges:
        return None
    rows = [
        RunRow(tag, studied.mean[at], studied.rank[at], [_placed(studied, one, at) for one in studied.judges])
        for at, tag in enumerate(studied.tags)
    ]
    orders = [(one, judge_sentence(one, studied.n_pairs)) for one in studied.judges]
    furthest = max(placed.n_moved for row in rows for placed in row.judges)
    slopes = [_slope(row, studied, furthest, page(row.tag)) for row in rows]
    return Judges(rows, orders, slope_plot(["as it stands", *(one.judge for one in studied.judges)], slopes))


def _placed(studied: Sensitivity, order: JudgeOrder, at: int) -> Placed:
    return Placed(order.mean[at], order.rank[at], studied.rank[at] - order.rank[at])


def _slope(row: RunRow, studied: Sensitivity, furthest: int, href: str) -> Slope:
    """Marked where the run moves as far as any does."""
    under = ", ".join(
        f"{placed.rank} under {one.judge}" for placed, one in zip(row.judges, studied.judges, strict=True)
    )
    is_marked = furthest > 0 and any(placed.n_moved == furthest for placed in row.judges)
    ranks = [row.rank, *(one.rank for one in row.judges)]
    return Slope(row.tag, ranks, f"{row.tag}: {row.rank}, {under}", is_marked, href)


@dataclass(frozen=True)
class NeighbourRow:
    """Two runs with their shares, and the address of these as a query."""

    pair: PairShares
    query: str


def neighbour_rows(studied: Sensitivity, snapshot: str) -> list[NeighbourRow]:
    same: dict[str, str | int] = {"snapshot": snapshot, "measure": studied.measure, "seed": studied.seed}
    return [
        NeighbourRow(pair, urlencode({"first": pair.first, "second": pair.second, **same})) for pair in studied.shares
    ]


@dataclass(frozen=True)
class ShareRow:
    """One of the three shares of two runs, `words` what is drawn anew."""

    words: str
    share: str
    error: float | None
    rests_on: str


def share_rows(pair: PairShares) -> list[ShareRow]:
    """Topics, judgments, both."""
    named = (("Topics", pair.topics), ("Judgments", pair.judgments), ("Both", pair.both))
    return [
        ShareRow(words, share.text, share.error, share.refusal or _rests_on(share.n_draws)) for words, share in named
    ]


def _rests_on(n_draws: int) -> str:
    return f"{n_draws:,} draws" if n_draws else "its formula"


def _estimate(row: KindRow, tau: Tau, name: str) -> Estimate:
    low, middle, high = tau
    n = f"{row.change.n_cases} case{'s' * (row.change.n_cases > 1)}"
    text = f"{row.words}: {name} {low:.3f} to {high:.3f}, median {middle:.3f}, in {n}"
    return Estimate(SHORT[row.change.kind], middle, low, high, text)
