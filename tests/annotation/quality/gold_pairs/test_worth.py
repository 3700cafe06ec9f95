"""What single judgments are worth beside one grade for everything."""

import pytest

from annotation.quality.gold_pairs.worth import worth_of
from annotation.quality.purpose import Purpose
from tests.annotation.quality.build import Judgment, inputs_of, table_of

GOLD = {(str(topic), f"d{i}"): 0 if i < 3 else 2 for topic in range(6) for i in range(5)}


def judgments_by(who: str, grade: int | None = None) -> list[Judgment]:
    """Somebody who judges all gold: right, or always with one grade."""
    return [(number, docno, who, known if grade is None else grade) for (number, docno), known in GOLD.items()]


def test_the_share_right_stands_beside_that_of_the_commonest_grade() -> None:
    worth = worth_of(inputs_of(table_of([*judgments_by("A"), *judgments_by("B", 2)]), gold=GOLD))
    assert worth is not None
    assert (worth.n, worth.grade) == (60, 0)
    assert [worth.right, worth.constant] == pytest.approx([0.7, 0.6])
    assert worth.gap_low == worth.gap_high == pytest.approx(0.1)  # all topics are alike


def test_excluded_people_are_left_out_and_fewer_than_five_topics_have_no_interval() -> None:
    few = {key: grade for key, grade in GOLD.items() if key[0] < "4"}
    rows = [row for row in [*judgments_by("A"), *judgments_by("B", 2)] if row[0] < "4"]
    worth = worth_of(inputs_of(table_of(rows), gold=few, excluded=["A"]))
    assert worth is not None
    assert (worth.n, worth.low, worth.gap_low) == (20, None, None)
    assert worth.right == pytest.approx(0.4)


def test_gold_of_other_batches_counts_for_those_who_judged_here() -> None:
    rows = [*judgments_by("A"), *judgments_by("B", 2), *judgments_by("Elsewhere", 2), ("9", "here", "A", 1)]
    purpose = [Purpose.ELSEWHERE if row[2] != "B" else Purpose.GOLD for row in rows[:-1]] + [Purpose.ORDINARY]
    worth = worth_of(inputs_of(table_of(rows, purpose=purpose), gold=GOLD))
    assert worth is not None
    assert (worth.n, worth.n_here) == (60, 30)


def test_the_interval_over_topics_holds_both_ends_where_topics_differ() -> None:
    rows = [row if row[0] < "3" else (*row[:3], 4) for row in judgments_by("A")]
    worth = worth_of(inputs_of(table_of(rows), gold=GOLD))
    assert worth is not None
    assert worth.low is not None
    assert worth.high is not None
    assert worth.low < worth.right == 0.5 < worth.high
    assert worth.gap_low is not None
    assert worth.gap_low < 0  # 0.6 of the same are of grade 0


def test_without_gold_that_somebody_judged_there_is_none() -> None:
    assert worth_of(inputs_of(table_of(judgments_by("A")))) is None
    assert worth_of(inputs_of(table_of(judgments_by("A")), gold={("9", "other"): 1})) is None
