"""Runs under several qrels as a page says them: by hand, every number and every word of the conclusions."""

from dataclasses import replace
from itertools import combinations

import pytest

from evaluation.accounting.pages import (
    MeasureView,
    dropped_plot,
    measure_plot,
    measure_views,
    overall,
    share_plot,
    share_rows,
    view_of,
)
from evaluation.accounting.read import TopicDrop
from evaluation.engine.order_changes import Cases, OrderChange, Swap
from evaluation.formats.accounting import AccountingResult, RunShares

CASES = ("as is", "0", "median", "maximum")


def change(before: str, after: str, *swaps: Swap, tau: float | None = 0.9, parted: int = 0) -> OrderChange:
    return OrderChange(before, after, tau, tau, 3, parted, tuple(swaps), 0, 0, 0)


def swap(ahead: str, behind: str, p_before: float | None, p_after: float | None) -> Swap:
    return Swap(ahead, behind, 0.1, -0.1, p_before, p_after)


# a and b swap twice, told apart in one case of the second time; b and c once, never told apart. c is equal in "0".
AP = Cases(
    "AP",
    ((0.5, 0.4, 0.3), (0.5, 0.4, 0.4), (0.4, 0.5, 0.3), (0.2, 0.3, 0.45)),
    (
        change("as is", "0", tau=1.0, parted=1),
        change("as is", "median", swap("a", "b", 0.2, 0.06), tau=0.3),
        change("as is", "maximum", swap("a", "b", 0.3, 0.05), swap("b", "c", 0.9, None), tau=-0.25),
        change("0", "median", swap("a", "b", 0.4, 0.4), tau=-0.5),
        *(change(*two) for two in list(combinations(CASES, 2))[4:]),
    ),
)
P = Cases("P_10", ((0.5, 0.4, 0.3),) * 4, tuple(change(*two) for two in combinations(CASES, 2)))
RUNS = (
    RunShares("a", (0.6, 0.8, 0.8, 0.8), 0.9),
    RunShares("b", (0.4, 0.4, 0.4, 0.4), 0.4),
    RunShares("c", (0.4, 0.7, 0.7, 0.7), 1.0),
)
FOUND = AccountingResult(10, 5, CASES, (7, 9, 9, 9), RUNS, (AP, P))


def first(*, against_first: bool = True, result: AccountingResult = FOUND) -> MeasureView:
    return measure_views(result, against_first=against_first)[0]


def test_judged_dropped_and_never_judged_come_to_what_was_found_the_least_judged_first() -> None:
    rows = share_rows(FOUND)
    assert [row.tag for row in rows] == ["b", "c", "a"]
    shares = [share for row in rows for share in (row.judged, row.dropped, row.never)]
    assert shares == pytest.approx([0.4, 0, 0, 0.4, 0.3, 0.3, 0.6, 0.2, 0.1])
    drawn = [mark.estimate for mark in share_plot(rows, {"a": "/a"}).marks]
    assert [(each.name, each.value, each.low, each.href) for each in drawn] == [
        ("b", 0.4, 0.4, ""),
        ("c", 0.4, 0.4, ""),
        ("a", 0.6, 0.6, "/a"),
    ]
    assert [each.high for each in drawn] == pytest.approx([0.4, 0.7, 0.8])


def test_in_a_single_case_nothing_was_dropped() -> None:
    alone = replace(FOUND, cases=CASES[:1], runs=(RunShares("a", (0.6,), 0.9),))
    (row,) = share_rows(alone)
    assert (row.judged, row.dropped, row.never) == pytest.approx((0.6, 0, 0.3))


def test_places_and_ranges() -> None:
    rows = first().rows
    assert [row.tag for row in rows] == ["a", "b", "c"]
    assert [[value.place for value in row.values] for row in rows] == [[1, 1, 2, 3], [2, 2, 1, 2], [3, 2, 3, 1]]
    assert [(row.places, row.moves) for row in rows] == [((1, 3), True), ((1, 2), True), ((1, 3), True)]
    assert (first().widest.tag, first().widest.low, first().widest.high) == ("a", 0.2, 0.5)
    drawn = [mark.estimate for mark in measure_plot(first(), {"c": "/c"}).marks]
    assert [(each.name, each.value, each.low, each.high, each.href) for each in drawn] == [
        ("a", 0.5, 0.2, 0.5, ""),
        ("b", 0.4, 0.3, 0.5, ""),
        ("c", 0.3, 0.3, 0.45, "/c"),
    ]
    still = measure_views(FOUND, against_first=True)[1].rows
    assert [(row.places, row.moves) for row in still] == [((1, 1), False), ((2, 2), False), ((3, 3), False)]


def test_runs_that_change_places_the_most_surely_told_apart_first() -> None:
    listed = [(each.change.after, each.pair, each.apart_before, each.apart_after) for each in first().swaps]
    assert listed == [
        ("maximum", ("a", "b"), False, True),
        ("median", ("a", "b"), False, False),
        ("maximum", ("b", "c"), False, False),
    ]
    assert first().swapped == [("a", "b"), ("b", "c")]
    assert (first().n_sure, first().n_more) == (1, 0)
    assert len(first(against_first=False).all_swaps) == 4


def test_no_more_swaps_are_listed_than_a_page_takes() -> None:
    many = change("as is", "0", *(swap(f"r{i}", f"s{i}", 0.5, None) for i in range(101)))
    view = first(result=replace(FOUND, measures=(replace(AP, changes=(many,)),)))
    assert (len(view.swaps), view.n_more, len(view.swapped), view.n_sure) == (100, 1, 101, 0)
    assert "(r0 and s0, r1 and s1, r10 and s10 and 98 more); none told apart by the test." in view.conclusion


def test_what_a_measure_concludes() -> None:
    assert first().conclusion == (
        "2 of 3 pairs of runs change places (a and b, b and c); 1 told apart by the test in one of the cases. "
        "The orders agree least between as is and maximum (τ-b −0.25). "
        "The mean of a depends most on the case: 0.2000 to 0.5000."
    )
    assert "least between 0 and median (τ-b −0.50)" in first(against_first=False).conclusion
    assert measure_views(FOUND, against_first=True)[1].conclusion == (
        "No runs change places. No mean depends on the case."
    )


@pytest.mark.parametrize(
    ("n", "conclusion"), [(1, "Up to 1 pair of runs is equal in one"), (2, "Up to 2 pairs of runs are equal in one")]
)
def test_runs_equal_in_one_case_alone(n: int, conclusion: str) -> None:
    parted = replace(P, changes=(change("as is", "0", parted=n), change("as is", "median")))
    assert conclusion in first(result=replace(FOUND, measures=(parted,))).conclusion


def test_what_all_measures_conclude() -> None:
    views = measure_views(FOUND, against_first=True)
    assert overall(views) == (
        "By 1 of 2 measures (AP) runs change places, among them runs that the paired test tells apart in one of the "
        "cases: look at those below."
    )
    unsure = replace(AP, changes=(AP.changes[1],))
    assert overall(measure_views(replace(FOUND, measures=(unsure,)), against_first=True)).endswith(
        "but none of the runs that do are told apart by the paired test, in whichever case."
    )
    assert overall(views[1:]) == "The order of the runs is the same in every case by the measure chosen."
    same = measure_views(replace(FOUND, measures=(P, P)), against_first=True)
    assert overall(same) == "The order of the runs is the same in every case by all 2 measures."
    one_run = replace(FOUND, runs=RUNS[:1], measures=(Cases("AP", ((0.5,),) * 4, ()),))
    assert overall(measure_views(one_run, against_first=True)) == "There is one run: nothing can change places."
    one_case = replace(FOUND, cases=CASES[:1], measures=(Cases("AP", ((0.5, 0.4, 0.3),), ()),))
    assert overall(measure_views(one_case, against_first=True)).startswith("There is one case")
    two_cases = replace(FOUND, cases=CASES[:2], measures=(Cases("AP", ((0.5, 0.4, 0.3),) * 2, P.changes[:1]),))
    assert overall(measure_views(two_cases, against_first=True)).startswith("The order of the runs is the same")


def test_the_measure_asked_for_or_the_first() -> None:
    views = measure_views(FOUND, against_first=True)
    assert [view_of(views, name).measure for name in ("P_10", "AP", "none such")] == ["P_10", "AP", "AP"]


def test_of_many_topics_those_that_lost_most_are_drawn() -> None:
    plot = dropped_plot([TopicDrop(str(n), 100, [n]) for n in range(100, 0, -1)], "bees")
    assert [mark.estimate.name for mark in plot.marks] == [str(n) for n in range(100, 70, -1)]
    assert plot.marks[0].estimate.href == "/c/bees/topics/100"
