"""Runs under several qrels, as it is stored and as it goes out: JSON with all of it, CSV of values and of orders."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from annotation.formats.cells import csv_line, text_cell
from evaluation.engine.order_changes import Cases, OrderChange, Swap


@dataclass(frozen=True)
class RunShares:
    """What of a run's first k is judged in each case, (n_cases,), as means over topics; `found` is the share of topics
    for which it retrieved anything, which is the most there can be."""

    tag: str
    judged: tuple[float, ...]
    found: float


@dataclass(frozen=True)
class AccountingResult:
    """Runs under several qrels over the same topics. `n_pairs` are the judged pairs of each case, in these topics."""

    k: int
    n_topics: int
    cases: tuple[str, ...]
    n_pairs: tuple[int, ...]
    runs: tuple[RunShares, ...]
    measures: tuple[Cases, ...]


def as_object(result: AccountingResult) -> dict[str, Any]:
    """Plain values, as JSON holds them."""
    stored: dict[str, Any] = json.loads(json.dumps(asdict(result), allow_nan=False))
    return stored


def of_object(stored: Mapping[str, Any]) -> AccountingResult:
    """What `as_object` was given, value for value."""
    return AccountingResult(
        k=stored["k"],
        n_topics=stored["n_topics"],
        cases=tuple(stored["cases"]),
        n_pairs=tuple(stored["n_pairs"]),
        runs=tuple(RunShares(each["tag"], tuple(each["judged"]), each["found"]) for each in stored["runs"]),
        measures=tuple(_cases(each) for each in stored["measures"]),
    )


def as_json(result: AccountingResult) -> str:
    return json.dumps(asdict(result), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_csv(result: AccountingResult) -> str:
    """`measure,run,case,value`, a row each; the share of judged documents among the first k is a measure as others."""
    return _lines([["measure", "run", "case", "value"], *_values(result)])


def as_orders_csv(result: AccountingResult) -> str:
    """A row a measure and two cases: how far the orders of the runs agree, and how many pairs change places."""
    head = ["measure", "before", "after", "tau_b", "tau_ap", "pairs", "swapped", "parted"]
    apart = ["apart_before", "apart_after", "apart_both"]
    return _lines([[*head, *apart], *_orders(result)])


def as_swaps_csv(result: AccountingResult) -> str:
    """A row a measure, two cases and two runs that change places between them."""
    head = ["measure", "before", "after", "ahead", "behind", "difference_before", "p_before"]
    return _lines([[*head, "difference_after", "p_after"], *_swaps(result)])


def dropped_csv_lines(reasons: Sequence[str], topics: Iterable[tuple[str, int, int, Sequence[int]]]) -> Iterator[bytes]:
    """A row a topic: its pairs, those dropped, and these by reason; `reasons` name the columns."""
    yield csv_line(["number", "pairs", "dropped", *reasons])
    for number, n, dropped, counts in topics:
        yield csv_line([number, n, dropped, *counts])


FORMS: Mapping[str, Callable[[AccountingResult], str]] = {
    "csv": as_csv,
    "orders": as_orders_csv,
    "swaps": as_swaps_csv,
    "json": as_json,
}


def _lines(rows: Iterable[Iterable[object]]) -> str:
    return b"".join(map(csv_line, rows)).decode()


def _values(result: AccountingResult) -> Iterator[list[object]]:
    for shares in result.runs:
        for case, value in zip(result.cases, shares.judged, strict=True):
            yield [f"Judged@{result.k}", shares.tag, text_cell(case), repr(value)]
    for one in result.measures:
        for case, means in zip(result.cases, one.mean, strict=True):
            for shares, mean in zip(result.runs, means, strict=True):
                yield [one.measure, shares.tag, text_cell(case), repr(mean)]


def _orders(result: AccountingResult) -> Iterator[list[object]]:
    for one in result.measures:
        for each in one.changes:
            counts = [each.n_pairs, len(each.swaps), each.n_parted]
            apart = [each.n_apart_before, each.n_apart_after, each.n_apart_both]
            yield [
                one.measure,
                text_cell(each.before),
                text_cell(each.after),
                _digits(each.tau_b),
                _digits(each.tau_ap),
                *counts,
                *apart,
            ]


def _swaps(result: AccountingResult) -> Iterator[list[object]]:
    for one in result.measures:
        for each in one.changes:
            cases = [text_cell(each.before), text_cell(each.after)]
            for swap in each.swaps:
                at_first = [repr(swap.before), _digits(swap.p_before)]
                then = [repr(swap.after), _digits(swap.p_after)]
                yield [one.measure, *cases, swap.ahead, swap.behind, *at_first, *then]


def _digits(value: float | None) -> str:
    return "" if value is None else repr(value)


def _cases(stored: Mapping[str, Any]) -> Cases:
    return Cases(
        measure=stored["measure"],
        mean=tuple(tuple(row) for row in stored["mean"]),
        changes=tuple(_change(each) for each in stored["changes"]),
    )


def _change(stored: Mapping[str, Any]) -> OrderChange:
    without = {name: value for name, value in stored.items() if name != "swaps"}
    return replace(OrderChange(**without, swaps=()), swaps=tuple(Swap(**each) for each in stored["swaps"]))
