"""Step 2: accuracy on gold, and standing."""

import numpy as np
import pytest

from annotation.quality.accuracy import Accuracy, gold_accuracy
from annotation.quality.gold import Gold, gold_pairs
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.standing import Standing, standing_of
from annotation.quality.table import JudgmentTable
from tests.annotation.quality.build import GOLD, inputs_of, no_gold, on_gold, table_of

PAIR = ("g", "G00")  # its gold grade is 1


def accuracy(table: JudgmentTable) -> Accuracy:
    inputs = inputs_of(table, gold=GOLD)
    return gold_accuracy(table, inputs.gold, inputs.scale)


def figures(table: JudgmentTable) -> tuple[list[int], list[int]]:
    shares = accuracy(table)
    return shares.n_correct.tolist(), shares.n_gold.tolist()


def test_right_over_judged_with_its_interval() -> None:
    shares = accuracy(table_of([*on_gold("Ann", 9, 3), *on_gold("Bob", 0, 2), ("1", "x", "Cas", 3)]))
    assert shares.n_gold.tolist() == [12, 2, 0]
    assert shares.n_correct.tolist() == [9, 0, 0]
    assert shares.share[:2].tolist() == [0.75, 0.0]
    assert np.isnan(shares.share[2])
    # Wilson for 9 of 12, by hand: z² = 3.8415; (9 + 1.9207 ± 1.96·√(12·.75·.25 + .9604)) / 15.8415
    assert shares.low[0] == pytest.approx(0.4677, abs=5e-5)
    assert shares.high[0] == pytest.approx(0.9111, abs=5e-5)
    assert (shares.low[2], shares.high[2]) == (0.0, 1.0)


def test_gold_counts_for_everybody_who_met_it_and_once() -> None:
    table = table_of(
        [(*PAIR, "A", 4), (*PAIR, "A", 1), (*PAIR, "B", 1)], purpose=[Purpose.GOLD, Purpose.GOLD, Purpose.ORDINARY]
    )
    assert figures(table) == ([1, 1], [1, 1])


def test_the_last_revision_before_feedback_is_scored() -> None:
    table = table_of([(*PAIR, "A", 4), (*PAIR, "A", 0), (*PAIR, "A", 1)], informed=[False, False, True])
    assert figures(table) == ([0], [1])


@pytest.mark.parametrize(
    "column",
    [
        {"surplus": [True]},
        {"blind": [False]},
        {"reading": [2]},
        {"informed": [True]},
        {"purpose": [Purpose.CHECK]},
        {"purpose": [Purpose.QUALIFICATION]},
    ],
)
def test_what_is_not_scored(column: dict[str, list[int]]) -> None:
    assert figures(table_of([(*PAIR, "A", 1)], **column)) == ([0], [0])


def test_cannot_judge_is_not_scored() -> None:
    assert figures(table_of([(*PAIR, "A", -2), ("g", "G01", "A", 1)])) == ([1], [1])


def test_an_accepted_set_replaces_the_gold_grade() -> None:
    table, scale = table_of([(*PAIR, "A", 2), (*PAIR, "B", 3), (*PAIR, "C", 4)]), Scale()
    gold = gold_pairs(table, number=["g"], docno=["G00"], grade=[3], scale=scale, accepted=[{2, 3}])
    assert gold_accuracy(table, gold, scale).n_correct.tolist() == [1, 1, 0]
    alone = gold_pairs(table, number=["g"], docno=["G00"], grade=[3], scale=scale, accepted=[None])
    assert gold_accuracy(table, alone, scale).n_correct.tolist() == [0, 1, 0]


def test_without_gold_nobody_has_an_accuracy() -> None:
    people = gold_accuracy(table_of([(*PAIR, "A", 1)]), no_gold(Scale()), Scale())
    assert people.n_gold.tolist() == [0]
    assert np.isnan(people.share).all()


def test_gold_of_pairs_that_nobody_has_heard_of_is_left_out() -> None:
    table = table_of([(*PAIR, "A", 1)])
    gold = gold_pairs(table, number=["h", "g", "g"], docno=["G00", "G00", "G99"], grade=[0, 1, 2], scale=Scale())
    assert (len(gold), gold.grade.tolist()) == (1, [1])


def test_gold_that_cannot_be() -> None:
    table, scale = table_of([(*PAIR, "A", 1)]), Scale()
    with pytest.raises(ValueError, match="each pair once"):
        gold_pairs(table, number=["g", "g"], docno=["G00", "G00"], grade=[0, 1], scale=scale)
    with pytest.raises(ValueError, match="not on the scale"):
        gold_pairs(table, number=["g"], docno=["G00"], grade=[-2], scale=scale)
    narrow = Gold(np.array([0]), np.array([0]), np.array([1]), np.array([[True, False]]))
    with pytest.raises(ValueError, match="accepted has 2 columns, the scale 5 grades"):
        gold_accuracy(table, narrow, scale)
    far = Gold(np.array([9]), np.array([0]), np.array([1]), np.ones((1, 5), dtype=bool))
    with pytest.raises(ValueError, match="outside the id lists"):
        gold_accuracy(table, far, scale)


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        (0, 0, Standing.UNPROVEN),
        (9, 0, Standing.UNPROVEN),
        (7, 3, Standing.RELIABLE),  # 0.7 exactly
        (14, 6, Standing.RELIABLE),
        (21, 9, Standing.RELIABLE),
        (28, 12, Standing.RELIABLE),
        (6, 4, Standing.UNRELIABLE),
        (27, 13, Standing.UNRELIABLE),
        (0, 10, Standing.UNRELIABLE),
    ],
)
def test_standing_at_the_default_policy(right: int, wrong: int, expected: Standing) -> None:
    shares = accuracy(table_of([*on_gold("A", right, wrong), ("1", "x", "A", 3)]))
    assert standing_of(shares, min_gold=10, threshold=0.7).tolist() == [expected]


def test_no_minimum_still_needs_one_gold_judgment() -> None:
    shares = accuracy(table_of([("1", "x", "A", 3), *on_gold("B", 1, 0)]))
    assert standing_of(shares, min_gold=0, threshold=0.0).tolist() == [Standing.UNPROVEN, Standing.RELIABLE]
