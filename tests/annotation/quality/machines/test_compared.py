"""Machines compared with people, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from annotation.quality.inputs import Inputs
from annotation.quality.machines.compared import MachineCompared, compare_machines
from annotation.quality.policy import Policy
from tests.annotation.quality.build import Judgment, inputs_of, table_of

EVERYBODY = Policy(accuracy_threshold=0, count_unproven=True, max_range=1)
# Two people on six pairs: alike on four, one apart on "e", far apart on "f", which drops.
GRADES = {"a": (0, 0), "b": (0, 0), "c": (3, 3), "d": (4, 4), "e": (2, 3), "f": (0, 4)}
SAID = {"a": 0, "b": 2, "c": 3, "d": 4, "e": 3, "f": 4, "g": 1}  # "g": no person judged it


def people() -> list[Judgment]:
    return [("1", docno, name, grade) for docno, two in GRADES.items() for name, grade in zip("AB", two, strict=True)]


def inputs(machine: dict[str, int], **options: object) -> Inputs:
    judgments = [*people(), *(("1", docno, "lm", grade) for docno, grade in machine.items())]
    return inputs_of(table_of(judgments), machines=["lm"], **options)  # type: ignore[arg-type]


def compared(machine: dict[str, int], policy: Policy = EVERYBODY, **options: object) -> MachineCompared:
    (result,) = compare_machines(inputs(machine, **options), policy)
    return result


def test_a_machine_is_compared_where_people_came_to_a_grade() -> None:
    result = compared(SAID)
    table = np.zeros((5, 5), dtype=np.int64)
    table[0, 0] = table[0, 2] = table[3, 3] = table[4, 4] = table[2, 3] = 1  # "e": the median rounds down to 2
    assert result.table.tolist() == table.tolist()
    assert (result.name, result.n_judged, result.n_compared, result.n_same, result.n_undecided) == ("lm", 7, 5, 3, 2)


def test_with_single_people_and_people_among_each_other_on_the_same_pairs() -> None:
    result = compared(SAID)
    assert result.n_met == 6
    assert result.with_people == pytest.approx((1 + 0 + 1 + 1 + 0.5 + 0.5) / 6)
    assert result.among_people == pytest.approx(4 / 6)


def test_of_three_people_every_two_are_compared() -> None:
    """On "a" 0, 0 and 1: one couple of three agrees. On "b" all three do."""
    third = [("1", "a", "C", 1), ("1", "b", "C", 0), ("1", "a", "lm", 0), ("1", "b", "lm", 1)]
    (result,) = compare_machines(inputs_of(table_of([*people(), *third]), machines=["lm"]), EVERYBODY)
    assert result.among_people == pytest.approx((1 / 3 + 1) / 2)
    assert result.with_people == pytest.approx((2 / 3 + 0) / 2)


def test_gold_of_one_topic_is_left_out_pair_by_pair() -> None:
    """Each pair is decided with its own gold hidden; gold is none of the pairs on which people came to no grade."""
    result = compared(SAID, gold={("1", "a"): 0, ("1", "f"): 4, ("1", "g"): 2})
    assert (result.n_gold, result.n_right) == (3, 2)
    assert (result.n_both, result.n_people_right, result.n_machine_right) == (1, 1, 1)
    assert (result.n_judged, result.n_compared, result.n_undecided) == (7, 4, 0)


def test_cannot_judge_is_no_grade() -> None:
    assert compared({**SAID, "a": -2}).n_judged == 6


def test_gold_is_apart_and_people_are_asked_with_that_gold_hidden() -> None:
    """Gold on "a" of topic 1 and "h" of topic 2: on both, people are right on the first alone."""
    further = [("2", "h", "A", 3), ("2", "h", "B", 3), ("2", "h", "lm", 1)]
    table = table_of([*people(), *(("1", docno, "lm", grade) for docno, grade in SAID.items()), *further])
    gold = {("1", "a"): 0, ("2", "h"): 1}
    (result,) = compare_machines(inputs_of(table, gold=gold, machines=["lm"]), EVERYBODY)
    assert (result.n_gold, result.n_right) == (2, 2)
    assert (result.n_both, result.n_people_right, result.n_machine_right) == (2, 1, 2)
    assert (result.n_judged, result.n_compared, result.n_met) == (8, 4, 5)
    judged = replace(EVERYBODY, gold_pairs="judged")
    (as_judged,) = compare_machines(inputs_of(table, gold=gold, machines=["lm"]), judged)
    assert as_judged.table.tolist() == result.table.tolist()


def test_gold_that_people_come_to_no_grade_on_is_not_decided_by_both() -> None:
    """On "f" people lie too far apart."""
    further = [("2", "h", "A", 3), ("2", "h", "B", 3), ("2", "h", "lm", 1)]
    table = table_of([*people(), ("1", "f", "lm", 4), *further])
    (result,) = compare_machines(inputs_of(table, gold={("1", "f"): 4, ("2", "h"): 1}, machines=["lm"]), EVERYBODY)
    assert (result.n_gold, result.n_right) == (2, 2)
    assert (result.n_both, result.n_people_right, result.n_machine_right) == (1, 0, 1)


def test_a_machine_is_never_compared_with_itself() -> None:
    """Not under a policy that counts machines either: people's grades are then still those of people."""
    counting = Policy(accuracy_threshold=0, count_unproven=True, max_range=1, count_machines=True)
    assert compared(SAID, counting).table.tolist() == compared(SAID).table.tolist()


def test_a_copy_of_the_grade_of_people_agrees_wholly_and_one_that_inverts_never() -> None:
    same = {"a": 0, "b": 0, "c": 3, "d": 4, "e": 2}
    assert (compared(same).n_same, compared(same).n_compared) == (5, 5)
    assert compared({name: 4 - grade for name, grade in same.items()}).n_same == 1  # "e": 2 stays 2


def test_nothing_to_compare() -> None:
    result = compared({"g": 1})
    assert (result.n_judged, result.n_compared, result.n_met, result.n_gold, result.n_both) == (1, 0, 0, 0, 0)
    assert np.isnan(result.with_people)
    assert np.isnan(result.among_people)
    assert compare_machines(inputs_of(table_of(people())), EVERYBODY) == []
    assert compared({"a": 0}, excluded=["A", "B"]).n_compared == 0
