"""Runs under several qrels as a page shows them: values and places, orders, and what to conclude, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from annotation.kernel.plots.intervals import IntervalPlot, estimate, interval_plot, share
from annotation.kernel.plots.intervals import share_plot as percent_plot
from annotation.models import Collection
from annotation.text.counted import counted
from evaluation.accounting.read import TopicDrop
from evaluation.engine.order_changes import ALPHA, SAME, Cases, OrderChange, Swap
from evaluation.formats.accounting import AccountingResult, RunShares
from evaluation.models import Run

NAMED = 3  # pairs of runs that a sentence names before it says how many more
MOST_PLOTTED = 30  # topics
MOST_SWAPS = 100  # listed on a page; the JSON has all


@dataclass(frozen=True)
class Value:
    """A mean and the place that it gives the run in its case; equal runs share the better place."""

    mean: float
    place: int


@dataclass(frozen=True)
class RunRow:
    """A run's values in the order of the cases."""

    tag: str
    values: list[Value]

    @property
    def low(self) -> float:
        return min(value.mean for value in self.values)

    @property
    def high(self) -> float:
        return max(value.mean for value in self.values)

    @property
    def places(self) -> tuple[int, int]:
        return min(value.place for value in self.values), max(value.place for value in self.values)

    @property
    def moves(self) -> bool:
        return self.places[0] != self.places[1]


@dataclass(frozen=True)
class ListedSwap:
    """A pair of runs that change places, and from which case to which."""

    change: OrderChange
    swap: Swap

    @property
    def pair(self) -> tuple[str, str]:
        """The two tags, whichever is ahead."""
        one, other = sorted((self.swap.ahead, self.swap.behind))
        return one, other

    @property
    def apart_before(self) -> bool:
        return is_apart(self.swap.p_before)

    @property
    def apart_after(self) -> bool:
        return is_apart(self.swap.p_after)


@dataclass(frozen=True)
class MeasureView:
    """One measure on the page: `changes` are those that are shown."""

    measure: str
    cases: tuple[str, ...]
    rows: list[RunRow]  # the best of the first case first
    changes: list[OrderChange]

    @property
    def widest(self) -> RunRow:
        """The run whose mean depends most on the case."""
        return max(self.rows, key=lambda row: row.high - row.low)

    @cached_property
    def all_swaps(self) -> list[ListedSwap]:
        """The most surely told apart first."""
        return sorted((ListedSwap(change, swap) for change in self.changes for swap in change.swaps), key=_doubt)

    @property
    def swaps(self) -> list[ListedSwap]:
        """As many as a page lists."""
        return self.all_swaps[:MOST_SWAPS]

    @property
    def n_more(self) -> int:
        return len(self.all_swaps) - len(self.swaps)

    @cached_property
    def swapped(self) -> list[tuple[str, str]]:
        """Pairs of runs that change places at least once, the most surely told apart first."""
        return list(dict.fromkeys(each.pair for each in self.all_swaps))

    @cached_property
    def n_sure(self) -> int:
        """How many of them the test tells apart where they stand one way or the other."""
        return len({each.pair for each in self.all_swaps if each.apart_before or each.apart_after})

    @property
    def conclusion(self) -> str:
        return " ".join(filter(None, [_of_order(self), _of_agreement(self), _of_range(self)]))


def measure_views(result: AccountingResult, *, against_first: bool) -> list[MeasureView]:
    """`against_first`: only what becomes of the order of the first case; else between each two cases."""

    def view(cases: Cases) -> MeasureView:
        changes = [each for each in cases.changes if each.before == result.cases[0] or not against_first]
        return MeasureView(cases.measure, result.cases, _rows(result.runs, cases), changes)

    return [view(cases) for cases in result.measures]


def view_of(views: Sequence[MeasureView], measure: str) -> MeasureView:
    """The view of the measure; the first view where there is none of it."""
    return next((view for view in views if view.measure == measure), views[0])


def shown_measure(views: Sequence[MeasureView], measure: str, links: Mapping[str, str]) -> dict[str, Any]:
    """What `accounting_measure.html` shows: the view of the measure, and its plot."""
    view = view_of(views, measure)
    return {"view": view, "measure_plot": measure_plot(view, links)}


@dataclass(frozen=True)
class ShareRow:
    """Of a run's first k: judged as the snapshot stands, judged but dropped, never judged. Sum: `found`."""

    tag: str
    judged: float
    dropped: float
    never: float


def share_rows(result: AccountingResult) -> list[ShareRow]:
    """The least judged first. In the second case, where there is one, all that was dropped is judged, too."""
    rows = [
        ShareRow(
            each.tag,
            each.judged[0],
            _above_0(most - each.judged[0]),
            _above_0(each.found - most),
        )
        for each in result.runs
        for most in [each.judged[1 if len(result.cases) > 1 else 0]]
    ]
    return sorted(rows, key=lambda row: (row.judged, row.tag))


def run_links(collection: Collection) -> dict[str, str]:
    """Where the run of a tag has its page: nowhere, once it is deleted. One query."""
    tags = Run.objects.filter(collection=collection).values_list("tag", flat=True)
    return {tag: reverse("run", args=[collection.slug, tag]) for tag in tags}


def measure_plot(view: MeasureView, links: Mapping[str, str]) -> IntervalPlot:
    """The first case as a dot, all of them as its range."""
    return interval_plot(
        [estimate(row.tag, row.values[0].mean, row.low, row.high, href=links.get(row.tag, "")) for row in view.rows]
    )


def share_plot(rows: Sequence[ShareRow], links: Mapping[str, str]) -> IntervalPlot:
    """What is judged as a dot; from there as far as it would be with what was dropped."""
    return interval_plot(
        [
            estimate(row.tag, row.judged, row.judged, row.judged + row.dropped, href=links.get(row.tag, ""))
            for row in rows
        ]
    )


def dropped_plot(topics: Sequence[TopicDrop], slug: str) -> IntervalPlot:
    """Shares dropped, the greatest first, of as many topics as can be read."""
    return percent_plot(
        [
            share(each.number, each.share, href=reverse("topic", args=[slug, each.number]))
            for each in topics[:MOST_PLOTTED]
        ]
    )


def is_apart(p: float | None) -> bool:
    return p is not None and p <= ALPHA


def overall(views: Sequence[MeasureView]) -> str:
    """What to conclude from all measures."""
    if len(views[0].rows) < 2:
        return "There is one run: nothing can change places."
    if len(views[0].cases) < 2:
        return "There is one case: nothing is there to compare it with."
    moved = [view for view in views if view.swapped]
    if not moved:
        return f"The order of the runs is the same in every case by {_all_of(len(views))}."
    names = ", ".join(view.measure for view in moved)
    sure = (
        "among them runs that the paired test tells apart in one of the cases: look at those below"
        if any(view.n_sure for view in moved)
        else "but none of the runs that do are told apart by the paired test, in whichever case"
    )
    return f"By {len(moved)} of {counted(len(views), 'measure')} ({names}) runs change places, {sure}."


def _all_of(n: int) -> str:
    return "the measure chosen" if n == 1 else f"all {n} measures"


def _of_order(view: MeasureView) -> str:
    if not view.changes:
        return ""
    n_swapped, n_pairs = len(view.swapped), view.changes[0].n_pairs
    if not n_swapped:
        n_parted = max(change.n_parted for change in view.changes)
        equal = f" Up to {_pairs(n_parted)} equal in one case and not in another." if n_parted else ""
        return f"No runs change places.{equal}"
    names = ", ".join(f"{one} and {other}" for one, other in view.swapped[:NAMED])
    more = f" and {n_swapped - NAMED} more" if n_swapped > NAMED else ""
    sure = f"{view.n_sure} told apart by the test in one of the cases" if view.n_sure else "none told apart by the test"
    of = counted(n_pairs, "pair of runs", "pairs of runs")
    return f"{n_swapped} of {of} change places ({names}{more}); {sure}."


def _of_agreement(view: MeasureView) -> str:
    """Between which cases the orders agree least, where runs change places."""
    taus = [(each.tau_b, each) for each in view.changes if each.tau_b is not None]
    if not view.swapped or len(taus) < 2:
        return ""
    tau, least = min(taus, key=lambda pair: pair[0])
    return f"The orders agree least between {least.before} and {least.after} (τ-b {f'{tau:.2f}'.replace('-', '−')})."


def _of_range(view: MeasureView) -> str:
    width = view.widest.high - view.widest.low
    if width <= SAME:
        return "No mean depends on the case."
    return f"The mean of {view.widest.tag} depends most on the case: {view.widest.low:.4f} to {view.widest.high:.4f}."


def _pairs(n: int) -> str:
    return f"{n} pair{'' if n == 1 else 's'} of runs {'is' if n == 1 else 'are'}"


def _rows(runs: Sequence[RunShares], cases: Cases) -> list[RunRow]:
    rows = [
        RunRow(shares.tag, [Value(means[j], _place(means, means[j])) for means in cases.mean])
        for j, shares in enumerate(runs)
    ]
    return sorted(rows, key=lambda row: (-row.values[0].mean, row.tag))


def _place(means: Sequence[float], mean: float) -> int:
    return 1 + sum(other - mean > SAME for other in means)


def _doubt(each: ListedSwap) -> tuple[float, str, str]:
    p_values = [p for p in (each.swap.p_before, each.swap.p_after) if p is not None]
    return min(p_values, default=1.0), each.swap.ahead, each.swap.behind


def _above_0(share: float) -> float:
    return share if share > SAME else 0.0
