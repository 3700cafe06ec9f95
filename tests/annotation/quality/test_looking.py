"""Checks passed, grades given, judgments from batches that were not chosen, and the frozen file."""

import pytest

from annotation.quality.annotators.checks import checks_passed
from annotation.quality.annotators.repeats import self_consistency
from annotation.quality.annotators.variety import grades_given
from annotation.quality.apply import apply_policy
from annotation.quality.frozen import freeze, outcome_of, thaw
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from tests.annotation.quality.build import GOLD, inputs_of, on_gold, table_of

ORDINARY, GOLDEN, CHECK, REPEAT, ELSEWHERE = (
    Purpose.ORDINARY,
    Purpose.GOLD,
    Purpose.CHECK,
    Purpose.REPEAT,
    Purpose.ELSEWHERE,
)


def test_a_check_is_passed_with_the_lowest_grade_in_the_last_revision() -> None:
    table = table_of(
        [("1", "c1", "a", 0), ("1", "c2", "a", 3), ("1", "c2", "a", 0), ("1", "c3", "a", 1), ("1", "c1", "b", 9)],
        purpose=[CHECK] * 5,
        further_annotators=["z"],
    )
    checks = checks_passed(table, Scale())
    assert (checks.n.tolist(), checks.n_passed.tolist()) == ([3, 0, 0], [2, 0, 0])


def test_surplus_answers_to_checks_and_other_purposes_are_not_counted() -> None:
    table = table_of(
        [("1", "c1", "a", 0), ("1", "d1", "a", 0), ("1", "c2", "a", 0)],
        purpose=[CHECK, ORDINARY, CHECK],
        surplus=[True, False, False],
    )
    checks = checks_passed(table, Scale())
    assert (checks.n.tolist(), checks.n_passed.tolist()) == ([1], [1])


def test_repeats_are_the_same_near_or_far() -> None:
    """The last revisions of both readings; a grade in one reading alone, or "cannot judge", is no repeat."""
    rows = [("d1", 3, 1), ("d2", 0, 1), ("d3", 4, 1), ("d4", 2, 1), ("d5", 9, 1), ("d1", 1, 2), ("d1", 3, 2)]
    rows += [("d2", 1, 2), ("d3", 0, 2), ("d5", 2, 2), ("d6", 2, 2)]
    table = table_of(
        [*(("1", docno, "a", grade) for docno, grade, _ in rows), ("1", "d1", "b", 3)],
        reading=[*(reading for *_, reading in rows), 1],
        purpose=[*(REPEAT if reading == 2 else ORDINARY for *_, reading in rows), ORDINARY],
    )
    repeats = self_consistency(table, Scale())
    assert (repeats.n.tolist(), repeats.n_same.tolist(), repeats.n_near.tolist()) == ([3, 0], [1, 0], [2, 0])


def test_a_step_is_a_place_on_the_scale_and_surplus_repeats_do_not_count() -> None:
    table = table_of(
        [("1", "d1", "a", 0), ("1", "d1", "a", 2), ("1", "d2", "a", 0), ("1", "d2", "a", 0), ("2", "d1", "a", 2)],
        reading=[1, 2, 1, 2, 1],
        purpose=[ORDINARY, REPEAT, ORDINARY, REPEAT, ELSEWHERE],
        surplus=[False, False, False, True, False],
    )
    repeats = self_consistency(table, Scale((0, 2, 4)))
    assert (repeats.n.tolist(), repeats.n_same.tolist(), repeats.n_near.tolist()) == ([1], [0], [1])


def test_grades_given_are_last_answers_gold_included() -> None:
    table = table_of(
        [
            ("1", "d1", "a", 4),
            ("1", "d1", "a", 2),
            ("1", "g1", "a", 2),
            ("1", "c1", "a", 0),
            ("1", "d1", "a", 1),
            ("1", "d2", "a", 3),
            ("1", "d3", "a", 9),
            ("1", "d1", "b", 1),
        ],
        purpose=[ORDINARY, ORDINARY, GOLDEN, CHECK, REPEAT, ELSEWHERE, ORDINARY, ORDINARY],
        reading=[1, 1, 1, 1, 2, 1, 1, 1],
    )
    assert grades_given(table, Scale()).tolist() == [[0, 0, 2, 0, 0], [0, 1, 0, 0, 0]]
    sighted = table_of([("1", "d1", "a", 4)], blind=[False])  # who could see the gold has given grades, too
    assert grades_given(sighted, Scale()).tolist() == [[0, 0, 0, 0, 1]]


def test_gold_judged_elsewhere_proves_a_person_and_brings_no_pair() -> None:
    here = [("1", "d1", "a", 3), ("1", "d1", "b", 3)]
    judgments = [*on_gold("a", 10, 0), *on_gold("b", 10, 0), *here]
    purpose = [ELSEWHERE] * 20 + [ORDINARY] * 2
    outcome = apply_policy(inputs_of(table_of(judgments, purpose=purpose), gold=GOLD), Policy())
    assert outcome.people.accuracy.n_gold.tolist() == [10, 10]
    assert [(pair.docno, pair.grade) for pair in outcome.frozen_pairs()] == [("d1", 3)]
    assert list(outcome.dropped_pairs()) == []
    assert outcome.people.n_counted.tolist() == [1, 1]


def test_a_file_holds_inputs_and_policy_and_nothing_else_is_needed() -> None:
    inputs = inputs_of(table_of([("1", "d1", "a", 3), ("1", "d1", "b", 2)]), decided={("1", "d1"): 4})
    policy = Policy(min_gold=0, accuracy_threshold=0.25, max_range=None)
    data = freeze(inputs, policy)
    again, rule = thaw(data)
    assert (again.to_bytes(), rule, freeze(again, rule)) == (inputs.to_bytes(), policy, data)
    assert [pair.grade for pair in outcome_of(data).frozen_pairs()] == [4]


@pytest.mark.parametrize("damage", [b"", b"touchstone", b"x" * 80])
def test_another_file_is_refused(damage: bytes) -> None:
    with pytest.raises(ValueError, match="not the frozen inputs"):
        thaw(damage)


def test_a_cut_file_is_refused() -> None:
    data = freeze(inputs_of(table_of([("1", "d1", "a", 3)])), Policy())
    for end in (40, len(data) // 2, len(data) - 1):
        with pytest.raises(ValueError):  # noqa: PT011 -- what is cut off first decides the words
            thaw(data[:end])
