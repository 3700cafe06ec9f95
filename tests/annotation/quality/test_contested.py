"""Which pairs ask for a decision, why, and which first; what adjudicators said before they saw the others' grades."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.blind_grades import blind_grades
from annotation.quality.contested import Contested, Why, among, cannot_judge, contested_pairs, unsure_of
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from tests.annotation.quality.build import Judgment, inputs_of, table_of

LENIENT = Policy(accuracy_threshold=0, count_unproven=True)
GRADES = {
    "agreed": {"Ann": 2, "Bob": 2, "Cas": 3},
    "apart": {"Ann": 0, "Bob": 2},
    "apart-more": {"Ann": 0, "Bob": 1, "Cas": 2},
    "few": {"Ann": 3},
    "wide": {"Ann": 0, "Bob": 4},
    "broken": {"Ann": -2, "Bob": -2, "Cas": 1},
}


def judged(grades: dict[str, dict[str, int]]) -> list[Judgment]:
    return [("1", docno, name, grade) for docno, row in grades.items() for name, grade in row.items()]


def read(grades: dict[str, dict[str, int]] = GRADES, policy: Policy = LENIENT, **others: Any) -> tuple[Outcome, Inputs]:
    inputs = inputs_of(table_of(judged(grades), **others.pop("columns", {})), **others)
    return apply_policy(inputs, policy), inputs


def reasons(contested: Contested, outcome: Outcome) -> dict[str, Why]:
    docnos = outcome.table.docnos
    return {docnos[document]: Why(int(why)) for document, why in zip(contested.document, contested.why, strict=True)}


def test_each_reason_and_the_order() -> None:
    outcome, inputs = read()
    cannot = cannot_judge(outcome, inputs, np.zeros(0, dtype=np.int64))
    contested = reasons(contested_pairs(outcome, inputs, wide=3, cannot=cannot), outcome)
    assert list(contested.items()) == [
        ("wide", Why.APART | Why.WIDE),
        ("apart-more", Why.APART),
        ("apart", Why.APART),
        ("broken", Why.FEW | Why.CANNOT),
        ("few", Why.FEW),
    ]


def test_too_few_judgments_are_no_dispute_while_more_are_to_come() -> None:
    outcome, inputs = read()
    everywhere = np.ones(len(outcome.topic), dtype=np.bool_)
    contested = reasons(contested_pairs(outcome, inputs, wide=3, awaited=everywhere), outcome)
    assert contested == {"wide": Why.APART | Why.WIDE, "apart-more": Why.APART, "apart": Why.APART}


def test_a_pair_with_a_grade_comes_after_all_without_however_far_apart_it_is() -> None:
    outcome, inputs = read(policy=replace(LENIENT, max_range=None))
    contested = contested_pairs(outcome, inputs, wide=2)
    assert list(reasons(contested, outcome)) == ["broken", "few", "wide", "apart-more", "apart"]
    assert contested.steps.tolist() == [0, 0, 4, 2, 2]
    assert contested.n_people.tolist() == [1, 1, 2, 3, 2]


def test_pairs_that_were_sent_come_first_and_gold_never() -> None:
    outcome, inputs = read(gold={("1", "apart"): 2})
    everything = np.ones(len(outcome.topic), dtype=np.bool_)
    agreed = outcome.table.docnos.index("agreed")
    contested = reasons(contested_pairs(outcome, inputs, wide=3, sent=outcome.document == agreed), outcome)
    assert next(iter(contested.items())) == ("agreed", Why.SENT)
    assert "apart" not in reasons(contested_pairs(outcome, inputs, wide=3, sent=everything), outcome)


def test_steps_are_places_on_the_scale() -> None:
    outcome, inputs = read({"a": {"Ann": 0, "Bob": 4}}, scale=Scale((0, 2, 4)))
    assert contested_pairs(outcome, inputs, wide=3).steps.tolist() == [2]
    with pytest.raises(ValueError, match="not wide"):
        contested_pairs(outcome, inputs, wide=0)


def test_gold_and_checks_are_not_contested_unless_gold_is_taken_as_judged() -> None:
    options: dict[str, Any] = {"gold": {("1", "apart"): 2}}
    purposes = [Purpose.CHECK if row[1] == "wide" else Purpose.ORDINARY for row in judged(GRADES)]
    options["columns"] = {"purpose": purposes}
    for policy, is_there in ((LENIENT, False), (replace(LENIENT, gold_pairs="judged"), True)):
        outcome, inputs = read(policy=policy, **options)
        contested = reasons(contested_pairs(outcome, inputs, wide=1), outcome)
        assert ("apart" in contested, "wide" in contested) == (is_there, False)


def test_who_could_not_judge_counts_once_with_their_last_word() -> None:
    rows = [*judged({"a": {"Ann": -2, "Bob": -2}}), ("1", "a", "Bob", 3), ("1", "b", "Cas", -2)]
    inputs = inputs_of(table_of(rows))
    outcome = apply_policy(inputs, LENIENT)
    skips = outcome.table.pair_key(np.array([0]), np.array([1]))
    assert cannot_judge(outcome, inputs, skips[:0]).tolist() == [False, False]
    assert cannot_judge(outcome, inputs, skips).tolist() == [False, True]
    assert among(outcome, skips).tolist() == [False, True]


def test_a_second_opinion_that_is_not_sure() -> None:
    outcome, inputs = read(policy=replace(LENIENT, consolidation="majority", max_range=None))
    unsure = unsure_of(outcome, below=0.6)
    contested = reasons(contested_pairs(outcome, inputs, wide=5, unsure=unsure), outcome)
    assert {docno for docno, why in contested.items() if why & Why.UNSURE} == {"apart", "apart-more", "wide"}


def test_minds_changed_and_the_median_of_the_others() -> None:
    median = np.array([2.5, 1.0, np.nan, 4.0])
    minds = blind_grades(np.array([2, 3, 1, 0]), np.array([2, 1, 2, 1]), median, Scale())
    assert (minds.changed.n_yes, minds.changed.n, minds.changed.value) == (3, 4, 0.75)
    assert (minds.same.n_yes, minds.near.n_yes, minds.same.n) == (1, 1, 3)
    assert (minds.towards.n_yes, minds.towards.n) == (2, 2)
    low, high = minds.changed.interval
    assert (round(low, 2), round(high, 2)) == (0.30, 0.95)  # Wilson, 3 of 4


def test_no_decision_says_nothing() -> None:
    none = np.zeros(0, dtype=np.int64)
    minds = blind_grades(none, none, np.zeros(0), Scale())
    assert (minds.changed.value, minds.changed.interval, minds.towards.n) == (None, (0.0, 1.0), 0)
