"""Where the watch stands with people, and which errors are critical."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.quality.gold import gold_pairs
from annotation.quality.scale import Scale
from annotation.quality.trust import (
    Watch,
    Watched,
    WatchSettings,
    critical_errors,
    exits,
    far_off,
    pause_threshold,
    watch_of,
    watch_people,
)
from tests.annotation.quality.build import Judgment, inputs_of, table_of
from tests.annotation.quality.crowd import trec_rf10

DEFAULT = WatchSettings()
SCALE = Scale()


def watch_after(outcomes: str) -> Watch:
    """A person's golds in their order: `x` a critical error, `.` none."""
    return watch_of(np.array([each == "x" for each in outcomes], dtype=bool), DEFAULT)


def test_people_by_hand() -> None:
    assert watch_after("") == Watch(Watched.WATCHING, 0, 0)
    assert watch_after("......") == Watch(Watched.WATCHING, 6, 0)
    assert watch_after(".......") == Watch(Watched.CLEARED, 7, 0, 7)
    assert watch_after("xx") == Watch(Watched.WATCHING, 2, 2)
    assert watch_after("xxx") == Watch(Watched.STOPPED, 3, 3, None, 3)
    assert watch_after("xxx.........") == Watch(Watched.STOPPED, 12, 3, None, 3)
    assert watch_after("......." + 8 * "x") == Watch(Watched.PAUSED, 15, 8, 7, 15)
    assert watch_after("......." + 5 * "." + 7 * "x") == Watch(Watched.CLEARED, 19, 7, 7)
    assert watch_after("......." + 5 * "." + 9 * "x") == Watch(Watched.PAUSED, 21, 9, 7, 20)


def plainly(outcomes: list[bool], asked: WatchSettings) -> Watch:
    """Gold by gold, the score carried along."""
    score, cleared = 0.0, None
    for n, critical in enumerate(outcomes, 1):
        score += asked.rise if critical else -asked.fall
        if cleared is None and score >= asked.stop_at:
            return Watch(Watched.STOPPED, len(outcomes), sum(outcomes), None, n)
        if cleared is None and score <= asked.clear_at:
            score, cleared = 0.0, n
        elif cleared is not None:
            score = max(score, 0.0)
            if score >= pause_threshold(asked):
                return Watch(Watched.PAUSED, len(outcomes), sum(outcomes), cleared, n)
    state = Watched.WATCHING if cleared is None else Watched.CLEARED
    return Watch(state, len(outcomes), sum(outcomes), cleared)


@given(st.lists(st.booleans(), max_size=60), st.lists(st.sampled_from([False, False, False, True]), max_size=120))
@settings(deadline=None)
def test_as_gold_by_gold(first: list[bool], then: list[bool]) -> None:
    for outcomes in (first, then, [False] * 9 + first):
        assert watch_of(np.array(outcomes, dtype=bool), DEFAULT) == plainly(outcomes, DEFAULT)


def test_who_comes_just_to_the_bound_is_cleared_as_the_error_rates_have_it() -> None:
    """Two golds without a critical error lower the score by 2 log 2, to a bound of log ¼."""
    asked = WatchSettings(good=0.8, poor=0.4, alpha=0.2, beta=0.2)
    assert -2 * asked.fall == asked.clear_at
    assert watch_of(np.zeros(2, dtype=bool), asked) == Watch(Watched.CLEARED, 2, 0, 2)
    walk = exits(rise=asked.rise, fall=asked.fall, low=asked.clear_at, high=asked.stop_at, rate=0.8, most=2)
    assert walk.below[2] == pytest.approx(0.8**2)


def accepted_of(*accepted: set[int] | None, grade: int, scale: Scale = SCALE) -> list[list[int]]:
    """For each accepted set, the grades that would be critical errors."""
    table = table_of([("1", f"d{i}", "Amber", 0) for i in range(len(accepted))])
    gold = gold_pairs(
        table,
        number=["1"] * len(accepted),
        docno=[f"d{i}" for i in range(len(accepted))],
        grade=[grade] * len(accepted),
        accepted=accepted,
        scale=scale,
    )
    return [[grade for grade, far in zip(scale.grades, row, strict=True) if far] for row in far_off(gold)]


def test_critical_errors_by_hand() -> None:
    assert accepted_of(None, {2}, {2, 3}, {0, 2}, grade=2) == [[0, 4], [0, 4], [0, 1, 4], [1, 3, 4]]
    assert accepted_of(None, grade=0) == [[2, 3, 4]]


def test_steps_are_those_of_the_scale() -> None:
    assert accepted_of(None, grade=0, scale=Scale((0, 2, 4))) == [[4]]
    assert accepted_of(None, grade=0, scale=Scale((0, 1))) == [[]]


def test_the_order_is_that_of_saving_and_what_accuracy_leaves_out_stays_out() -> None:
    rows: list[Judgment] = [
        ("g", "a", "Amber", 4),
        ("g", "b", "Amber", 0),
        ("g", "c", "Amber", 4),
        ("1", "x", "Amber", 4),
    ]
    rows += [("g", "a", "Amber", 1), ("g", "d", "Amber", -2), ("g", "e", "Amber", 4)]
    table = table_of(
        rows,
        sequence=[9, 3, 5, 6, 10, 11, 12],
        revision=[1, 1, 1, 1, 2, 1, 1],
        surplus=[False] * 6 + [True],
    )
    inputs = inputs_of(table, gold={("g", docno): 0 for docno in "abcde"}, scale=SCALE)
    row, critical = critical_errors(inputs)
    assert (row.tolist(), critical.tolist()) == ([1, 2, 4], [False, True, False])
    row, critical = critical_errors(inputs, np.array([0, 8, 8, 0, 7, 0, 0]))
    assert (row.tolist(), critical.tolist()) == ([4, 1, 2], [False, False, True])


def test_everybody_has_an_entry() -> None:
    docnos = [f"d{i}" for i in range(7)]
    rows: list[Judgment] = [("g", docno, "Amber", 0) for docno in docnos]
    rows += [("g", docno, "Cedar", 4) for docno in docnos[:4]]
    table = table_of(rows, further_annotators=["Birch", "Dune"])
    inputs = inputs_of(table, gold={("g", docno): 0 for docno in docnos}, scale=SCALE)
    assert watch_people(inputs, DEFAULT) == [
        Watch(Watched.CLEARED, 7, 0, 7),
        Watch(Watched.WATCHING, 0, 0),
        Watch(Watched.STOPPED, 4, 4, None, 3),
        Watch(Watched.WATCHING, 0, 0),
    ]
    assert watch_people(inputs_of(table_of([]), scale=SCALE), DEFAULT) == []


@pytest.mark.shared
def test_a_real_crowd(shared_data: Path) -> None:
    crowd = trec_rf10(shared_data)
    watches = watch_people(crowd, DEFAULT)
    states = Counter(each.state for each in watches)
    assert states == {Watched.WATCHING: 544, Watched.CLEARED: 190, Watched.STOPPED: 23, Watched.PAUSED: 5}
    share = sum(each.n_critical for each in watches) / sum(each.n_gold for each in watches)
    assert share == pytest.approx(0.158, abs=5e-4)
