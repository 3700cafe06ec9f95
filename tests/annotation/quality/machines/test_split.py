"""Machine judges beside people: whatever they say, what people come to is the same to the byte."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from annotation.formats.snapshot_jsonl import snapshot_jsonl
from annotation.quality.agreement import agreement_rows
from annotation.quality.apply import apply_policy
from annotation.quality.consolidation import CONSOLIDATORS
from annotation.quality.frozen import freeze, outcome_of
from annotation.quality.inputs import MAGIC, WITH_MACHINES, Inputs
from annotation.quality.machines.split import Machines, parted
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy
from annotation.quality.table import JudgmentTable
from tests.annotation.quality.build import GOLD, Judgment, inputs_of, on_gold, table_of

PEOPLE = [*on_gold("Ann", 10, 0), *on_gold("Bob", 9, 1)]
ORDINARY = [("1", "x", "Ann", 3), ("1", "x", "Bob", 2), ("1", "y", "Ann", 4)]
MACHINE = [*on_gold("lm", 12, 0), ("1", "x", "lm", 0), ("1", "y", "lm", 4), ("2", "z", "lm", 1)]
LAID = [("1", "x"), ("1", "y")]
EVERYBODY = Policy(accuracy_threshold=0, count_unproven=True, min_judgments=1, max_range=None, gold_pairs="judged")


def table(judgments: list[Judgment]) -> JudgmentTable:
    return table_of(judgments, further_pairs=[*LAID, ("2", "z"), *GOLD])


def inputs(judgments: list[Judgment], **columns: object) -> Inputs:
    return inputs_of(table(judgments), **{"gold": GOLD, "laid": LAID, "machines": ["lm"], **columns})  # type: ignore[arg-type]


def frozen_bytes(outcome: Outcome) -> bytes:
    return b"".join(snapshot_jsonl([*outcome.frozen_pairs(), *outcome.dropped_pairs()]))


ALONE, BESIDE = inputs([*PEOPLE, *ORDINARY]), inputs([*PEOPLE, *ORDINARY, *MACHINE])
BEFORE = "829b962bfb81090b2cb2c3b2d0bfd015db3560831d310b8c62eece2cb1cce659"
COUNTED = {("1", "x"), ("1", "y"), ("2", "z")}


@pytest.mark.parametrize("rule", CONSOLIDATORS)
@pytest.mark.parametrize("policy", [Policy(), EVERYBODY])
def test_a_machine_changes_nothing_under_any_rule(rule: str, policy: Policy) -> None:
    policy = replace(policy, consolidation=rule)
    alone, beside = apply_policy(ALONE, policy), apply_policy(BESIDE, policy)
    assert frozen_bytes(beside) == frozen_bytes(alone)
    assert beside.people.n_counted.tolist() == alone.people.n_counted.tolist()
    assert BESIDE.table.annotators == ("Ann", "Bob")


def test_agreement_sees_people_only() -> None:
    rows = [agreement_rows(each) for each in (ALONE, BESIDE)]
    assert [len(row) for row in rows] == [23, 23]  # gold that nobody planted is met as any other pair


def test_a_policy_that_says_so_counts_machines_as_if_they_were_people() -> None:
    """The outcome is that of a table in which the machine is one of the people."""
    policy = replace(EVERYBODY, count_machines=True)
    counting, plain = apply_policy(BESIDE, policy), inputs([*PEOPLE, *ORDINARY, *MACHINE], machines=[])
    assert frozen_bytes(counting) == frozen_bytes(apply_policy(plain, EVERYBODY))
    assert frozen_bytes(counting) != frozen_bytes(apply_policy(BESIDE, EVERYBODY))
    assert {(pair.number, pair.docno) for pair in counting.frozen_pairs() if pair.number != "g"} == COUNTED
    assert counting.people.n_counted.tolist() == [12, 11]  # of people alone, in the order of their table
    assert counting.table is BESIDE.table


def test_an_excluded_machine_does_not_count_even_then() -> None:
    counting, alone = replace(EVERYBODY, count_machines=True), inputs([*PEOPLE, *ORDINARY], excluded=["Bob"])
    out = inputs([*PEOPLE, *ORDINARY, *MACHINE], excluded=["lm", "Bob"])
    kept = [list(apply_policy(each, counting).frozen_pairs()) for each in (out, alone)]
    assert kept[0] == kept[1]


def test_what_is_frozen_comes_back_with_its_machines() -> None:
    for policy in (EVERYBODY, replace(EVERYBODY, count_machines=True)):
        data = freeze(BESIDE, policy)
        assert frozen_bytes(outcome_of(data)) == frozen_bytes(apply_policy(BESIDE, policy))
    again = Inputs.from_bytes(BESIDE.to_bytes())
    assert again.machines is not None
    assert again.machines.table.annotators == ("lm",)
    assert again.to_bytes() == BESIDE.to_bytes()
    out = inputs([*PEOPLE, *ORDINARY, *MACHINE], excluded=["lm"])
    assert out.to_bytes() != BESIDE.to_bytes()
    assert Inputs.from_bytes(out.to_bytes()).to_bytes() == out.to_bytes()


def test_without_machines_files_and_policies_are_as_they_were() -> None:
    """The hash of the default policy is that of 22 November 2026, before policies could count machines."""
    assert ALONE.to_bytes().startswith(MAGIC)
    assert BESIDE.to_bytes().startswith(WITH_MACHINES)
    assert "count_machines" not in Policy().to_json()
    assert Policy().sha256 == BEFORE
    assert Policy.from_json(Policy().to_json()) == Policy()
    counting = replace(Policy(), count_machines=True)
    assert Policy.from_json(counting.to_json()) == counting
    assert hashlib.sha256(counting.to_json().encode()).hexdigest() == counting.sha256 != BEFORE


def test_machines_who_have_not_judged_come_back_too() -> None:
    silent = inputs_of(table_of(ORDINARY, further_annotators=["lm"]), machines=["lm"])
    assert silent.machines is not None
    assert Inputs.from_bytes(silent.to_bytes()).machines is not None
    counting = replace(EVERYBODY, count_machines=True)
    assert frozen_bytes(apply_policy(silent, counting)) == frozen_bytes(apply_policy(silent, EVERYBODY))


@pytest.mark.parametrize("kept", [8, 40, 300, -1])
def test_a_cut_file_with_machines_is_refused(kept: int) -> None:
    with pytest.raises(ValueError, match=r"cut short|not a file|damaged|kind"):
        Inputs.from_bytes(BESIDE.to_bytes()[:kept])


def test_tables_that_do_not_belong_together_are_refused() -> None:
    people, machines = parted(table([*PEOPLE, *MACHINE]), ["lm"])
    assert machines is not None
    other = parted(table_of(MACHINE), ["lm"])[1]
    assert other is not None
    with pytest.raises(ValueError, match="other topics or documents"):
        Machines(other).check(people)
    with pytest.raises(ValueError, match="a person and a machine"):
        Machines(people).check(people)
    with pytest.raises(ValueError, match="no machine of the table"):
        Machines(machines, frozenset({1}))
    assert parted(people, ["nobody"]) == (people, None)
    assert np.array_equal(np.sort(np.concatenate([people.sequence, machines.sequence])), np.arange(35))
