"""How worn gold is, and who would pass on it by always saying the same."""

import numpy as np

from annotation.quality.gold import gold_pairs
from annotation.quality.gold_pairs.balance import balance_of
from annotation.quality.gold_pairs.exposure import exposure_of
from annotation.quality.gold_pairs.regrading import regrading_of
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy
from annotation.quality.trust import WatchSettings
from tests.annotation.quality.build import inputs_of, on_gold, table_of


def test_right_and_within_one_of_an_accepted_grade() -> None:
    judgments = [("1", "a", "A", 2), ("1", "a", "B", 3), ("1", "a", "C", 0), ("1", "b", "A", -2)]
    inputs = inputs_of(table_of(judgments), gold={("1", "a"): 2, ("1", "b"): 0})
    balance = exposure_of(inputs)
    assert balance.n_judged.tolist() == [3, 0]  # "cannot judge" is no judgment on gold
    assert balance.n_right.tolist() == [1, 0]
    assert balance.n_near.tolist() == [2, 0]
    once = exposure_of(inputs_of(table_of([*judgments[:1], *judgments[2:]]), gold={("1", "a"): 2}))
    assert (once.n_right.tolist(), once.n_near.tolist()) == ([1], [1])
    missed = exposure_of(inputs_of(table_of(judgments[1:3]), gold={("1", "a"): 1}))
    assert (missed.n_right.tolist(), missed.n_near.tolist()) == ([0], [1])


def test_who_always_says_the_same_is_right_on_what_accepts_it() -> None:
    accepted = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]], dtype=np.bool_)
    balance = balance_of(np.array([0, 0, 1, 0]), accepted, np.array([7, 7, 7, 8]))
    assert balance.constant.tolist() == [0.75, 0.5, 0.0]
    assert (balance.best, balance.best_share) == (0, 0.75)
    assert balance.missing.tolist() == [2]
    assert balance.one_grade_topics.tolist() == []  # topic 8 has a single pair: nothing to vary


def test_topics_whose_gold_is_all_of_one_grade() -> None:
    accepted = np.eye(3, dtype=np.bool_)[[0, 0, 1, 2]]
    balance = balance_of(np.array([0, 0, 1, 2]), accepted, np.array([4, 4, 5, 5]))
    assert balance.one_grade_topics.tolist() == [4]
    assert balance_of(np.array([2]), accepted[3:], np.array([4])).constant.tolist() == [0, 0, 1]


def test_no_gold_is_no_balance() -> None:
    balance = balance_of(np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.bool_), np.zeros(0, dtype=np.int64))
    assert (balance.best_share, balance.missing.tolist()) == (0.0, [0, 1, 2])


def changed(inputs: Inputs, grades: dict[tuple[str, str], int]) -> Inputs:
    gold = gold_pairs(
        inputs.table,
        number=[number for number, _ in grades],
        docno=[docno for _, docno in grades],
        grade=list(grades.values()),
        scale=inputs.scale,
    )
    return Inputs(inputs.table, inputs.scale, gold, inputs.adjudications, inputs.excluded)


def test_whom_a_correction_touches() -> None:
    """Ann is right on 7 of 10, Bob on 6, both gave 4 on the last pair; Cas has nine golds, not the last one.

    G09 is corrected from 1 to 4: Ann has 8, Bob 7 and is reliable. Withdrawn, both have nine judgments left: unproven.
    """
    gold = {("g", f"G{i:02}"): 1 for i in range(10)}
    table = table_of([*on_gold("Ann", 7, 3), *on_gold("Bob", 6, 4), *on_gold("Cas", 9, 0)])
    before = inputs_of(table, gold=gold, excluded=["Bob"])
    settings = WatchSettings()

    corrected = regrading_of(before, changed(before, {**gold, ("g", "G09"): 4}), Policy(), settings)
    assert corrected.n_rescored == 2
    assert corrected.standing_before.tolist() == [1, 2, 0]
    assert corrected.standing_after.tolist() == [1, 1, 0]
    assert (corrected.before.n_correct.tolist(), corrected.after.n_correct.tolist()) == ([7, 6, 9], [8, 7, 9])

    without = {pair: grade for pair, grade in gold.items() if pair != ("g", "G09")}
    withdrawn = regrading_of(before, changed(before, without), Policy(), settings)
    assert withdrawn.n_rescored == 2
    assert withdrawn.standing_after.tolist() == [0, 0, 0]
    assert withdrawn.touched.tolist() == [True, True, False]

    first = {pair: grade for pair, grade in gold.items() if pair != ("g", "G00")}
    assert regrading_of(before, changed(before, first), Policy(), settings).n_rescored == 3  # all were right there

    same = regrading_of(before, before, Policy(), settings)
    assert same.n_rescored == 0
    assert same.standing_before.tolist() == same.standing_after.tolist()
    assert not same.touched.any()


def test_an_accepted_grade_more_rescores_only_who_gave_it() -> None:
    gold = {("g", "G00"): 1}
    before = inputs_of(table_of([("g", "G00", "A", 2), ("g", "G00", "B", 4), ("g", "G00", "C", 1)]), gold=gold)
    accepted = before.gold.accepted.copy()
    accepted[0, 2] = True
    wider = Inputs(
        before.table,
        before.scale,
        type(before.gold)(before.gold.topic, before.gold.document, before.gold.grade, accepted),
        before.adjudications,
    )
    assert regrading_of(before, wider, Policy(), WatchSettings()).n_rescored == 1
    assert regrading_of(before, wider, Policy(), WatchSettings()).touched.tolist() == [True, False, False]


def test_whom_the_watch_would_let_go() -> None:
    """Four misses by three steps in a row stop somebody; with one of them taken back the watch goes on."""
    gold = {("g", f"G{i:02}"): 1 for i in range(3)}
    before = inputs_of(table_of(on_gold("A", 0, 3)), gold=gold)
    after = changed(before, {**gold, ("g", "G02"): 4})
    stopped = [regrading_of(before, each, Policy(), WatchSettings()).stopped_after.tolist() for each in (before, after)]
    assert stopped == [[True], [False]]
