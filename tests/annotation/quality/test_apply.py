"""The policy from end to end: what is kept, what drops and why."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.snapshot_jsonl import DroppedPair, FrozenPair, snapshot_jsonl
from annotation.quality.apply import apply_policy
from annotation.quality.consolidation import CONSOLIDATORS, MODELS
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.policy import Policy
from annotation.quality.purpose import Purpose
from annotation.quality.standing import Standing
from tests.annotation.quality.build import GOLD, Judgment, inputs_of, on_gold, table_of

PROVEN = [*on_gold("Ann", 10, 0), *on_gold("Bob", 8, 2), *on_gold("Cas", 7, 3)]
BAD = on_gold("Dud", 6, 4)
NEW = on_gold("Eve", 9, 0)


def decided(judgments: list[Judgment], policy: Policy | None = None, **further: Any) -> Outcome:
    table_columns = further.pop("columns", {})
    table = table_of(judgments, further_pairs=further.pop("further_pairs", ()), **table_columns)
    return apply_policy(inputs_of(table, **{"gold": GOLD, **further}), policy or Policy())


def kept(outcome: Outcome) -> list[FrozenPair]:
    return [pair for pair in outcome.frozen_pairs() if pair.number != "g"]


def dropped(outcome: Outcome) -> dict[str, str]:
    return {pair.docno: pair.reason for pair in outcome.dropped_pairs()}


def grades(docno: str, **by: int) -> list[Judgment]:
    return [("1", docno, name, grade) for name, grade in by.items()]


def test_the_default_policy_by_hand() -> None:
    outcome = decided(
        [
            *PROVEN,
            *BAD,
            *NEW,
            *grades("alike", Ann=3, Bob=3, Cas=3),
            *grades("down", Ann=2, Bob=3),
            *grades("noise", Ann=0, Bob=1, Cas=1, Dud=4, Eve=4),
            *grades("wide", Ann=0, Bob=2, Cas=1),
            *grades("few", Ann=4, Dud=4, Eve=4),
            *grades("none", Dud=1),
            *grades("void", Ann=-2, Bob=-2),
        ]
    )
    assert kept(outcome) == [
        FrozenPair("1", "alike", "relevance", 3, 1.0, 3, 3, 3.0, 3, "judged"),
        FrozenPair("1", "down", "relevance", 2, 0.75, 2, 2, 2.5, 3, "judged"),
        FrozenPair("1", "noise", "relevance", 1, 0.75, 3, 0, 1.0, 1, "judged"),
    ]
    assert list(outcome.dropped_pairs()) == [
        DroppedPair("1", "few", "relevance", "1 of 3 judgments reliable, 2 needed", 1, 4, 4.0, 4),
        DroppedPair("1", "none", "relevance", "0 of 1 judgment reliable, 2 needed", 1, 1, 1.0, 1),
        DroppedPair("1", "void", "relevance", "no judgment counts, 2 reliable needed", 0, None, None, None),
        DroppedPair("1", "wide", "relevance", "grades from 0 to 2 are 2 apart, at most 1 allowed", 3, 0, 1.0, 2),
    ]


def test_people_by_hand() -> None:
    people = decided([*PROVEN, *BAD, *NEW, *grades("x", Ann=1)], excluded=["Cas"]).people
    standing = [Standing.RELIABLE, Standing.RELIABLE, Standing.RELIABLE, Standing.UNRELIABLE, Standing.UNPROVEN]
    assert people.standing.tolist() == standing
    assert people.excluded.tolist() == [False, False, True, False, False]
    assert people.believed.tolist() == [True, True, False, False, False]
    assert people.n_counted.tolist() == [11, 10, 0, 10, 9]
    assert people.accuracy.n_correct.tolist() == [10, 8, 7, 6, 9]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, {}),
        ({"min_gold": 9}, {"pair": 3}),
        ({"count_unproven": True}, {"pair": 3}),
        ({"accuracy_threshold": 0.6}, {"pair": 2}),
        ({"min_judgments": 1}, {"pair": 2}),
    ],
)
def test_whom_to_believe_is_a_matter_of_policy(change: dict[str, Any], expected: dict[str, int]) -> None:
    """Ann (reliable) says 2, Dud (0.6) says 3, Eve (9 gold) says 4; range 2 is allowed here."""
    judgments = [*PROVEN, *BAD, *NEW, *grades("pair", Ann=2, Dud=3, Eve=4)]
    outcome = decided(judgments, replace(Policy(max_range=2), **change))
    assert {pair.docno: pair.grade for pair in kept(outcome)} == expected


@pytest.mark.parametrize(("max_range", "is_kept"), [(1, False), (2, True), (None, True)])
def test_the_range_is_a_matter_of_policy(max_range: int | None, is_kept: bool) -> None:
    outcome = decided([*PROVEN, *grades("pair", Ann=1, Bob=3)], Policy(max_range=max_range))
    assert [pair.grade for pair in kept(outcome)] == ([2] if is_kept else [])


def test_the_consolidator_is_a_matter_of_policy() -> None:
    judgments = [*PROVEN, *on_gold("Fay", 10, 0), *grades("pair", Ann=1, Bob=2, Cas=2, Fay=1)]
    assert [(p.grade, p.confidence) for p in kept(decided(judgments))] == [(1, 0.75)]
    assert [(p.grade, p.confidence) for p in kept(decided(judgments, Policy(consolidation="majority")))] == [(1, 0.5)]


def test_not_blind_people_count_only_where_wanted() -> None:
    judgments = [*PROVEN, *grades("pair", Ann=2, Bob=2)]
    columns = {"blind": [*[True] * (len(judgments) - 1), False]}
    assert kept(decided(judgments, columns=columns)) == []
    assert len(kept(decided(judgments, Policy(count_not_blind=True), columns=columns))) == 1


def test_exclusion_is_a_reading_that_can_be_taken_back() -> None:
    judgments = [*PROVEN, *grades("pair", Ann=2, Bob=2)]
    assert dropped(decided(judgments, excluded=["Bob"])) == {"pair": "1 of 1 judgment reliable, 2 needed"}
    assert [pair.grade for pair in kept(decided(judgments))] == [2]


def gold_pair(policy: Policy, **further: Any) -> tuple[list[tuple[int, float, str]], dict[str, str]]:
    """What becomes of pair (g, G10), gold 1, judged 2 by two reliable people."""
    outcome = decided([*PROVEN, ("g", "G10", "Ann", 2), ("g", "G10", "Bob", 2)], policy, **further)
    pairs = [(p.grade, p.confidence, p.source) for p in outcome.frozen_pairs() if p.docno == "G10"]
    return pairs, {docno: reason for docno, reason in dropped(outcome).items() if docno == "G10"}


def test_gold_pairs_come_from_the_expert_the_judges_or_not_at_all() -> None:
    assert gold_pair(Policy()) == ([(1, 1.0, "expert")], {})
    assert gold_pair(Policy(gold_pairs="judged")) == ([(2, 1.0, "judged")], {})
    assert gold_pair(Policy(gold_pairs="omitted")) == ([], {"G10": "gold pair, left out by the policy"})


def test_gold_pairs_and_adjudication() -> None:
    to_three = {"decided": {("g", "G10"): 3}}
    assert gold_pair(Policy(), **to_three)[0] == [(1, 1.0, "expert")]
    assert gold_pair(Policy(gold_pairs="judged"), **to_three)[0] == [(3, 1.0, "adjudicated")]
    assert gold_pair(Policy(gold_pairs="omitted"), **to_three)[0] == []


def test_gold_that_was_never_laid_out_does_not_leak_into_qrels() -> None:
    outcome = decided([*on_gold("Ann", 10, 0), *grades("x", Ann=1)], further_pairs=[("1", "G11")])
    assert [pair.docno for pair in outcome.frozen_pairs()] == [f"G{i:02}" for i in range(10)]


def test_an_adjudicated_pair_takes_the_adjudicators_grade() -> None:
    judgments = [*PROVEN, *grades("wide", Ann=0, Bob=4), *grades("alike", Ann=3, Bob=3)]
    outcome = decided(
        judgments, decided={("1", "wide"): 2, ("1", "alike"): 0, ("1", "void"): 4}, further_pairs=[("1", "void")]
    )
    assert kept(outcome) == [
        FrozenPair("1", "alike", "relevance", 0, 1.0, 2, 3, 3.0, 3, "adjudicated"),
        FrozenPair("1", "void", "relevance", 4, 1.0, 0, None, None, None, "adjudicated"),
        FrozenPair("1", "wide", "relevance", 2, 1.0, 2, 0, 2.0, 4, "adjudicated"),
    ]


def test_planted_checks_never_enter() -> None:
    judgments = [*PROVEN, *grades("trap", Ann=0, Bob=0, Cas=0)]
    columns = {"purpose": [*[Purpose.GOLD] * len(PROVEN), Purpose.CHECK, Purpose.ORDINARY, Purpose.ORDINARY]}
    cases: list[dict[str, Any]] = [{}, {"gold": {**GOLD, ("1", "trap"): 0}}, {"decided": {("1", "trap"): 0}}]
    for further in cases:
        outcome = decided(judgments, columns=columns, **further)
        assert (kept(outcome), dropped(outcome)) == ([], {"trap": "attention check, never in qrels"})


def test_pairs_laid_out_and_never_judged_are_listed() -> None:
    laid = [("1", "x"), ("1", "y"), ("1", "x")]
    outcome = decided([*PROVEN, *grades("x", Ann=1, Bob=1)], laid=laid, further_pairs=laid)
    assert [pair.docno for pair in kept(outcome)] == ["x"]
    assert dropped(outcome) == {"y": "no judgment counts, 2 reliable needed"}


def test_nothing_at_all() -> None:
    outcome = apply_policy(inputs_of(table_of([])), Policy())
    assert (outcome.n_kept, list(outcome.frozen_pairs()), list(outcome.dropped_pairs())) == (0, [], [])


def test_pairs_come_in_the_order_of_bytes() -> None:
    judgments = [(n, d, a, 1) for n in ("2", "10") for d in ("é", "z", "Z") for a in ("Ann", "Bob")]
    pairs = [(pair.number, pair.docno) for pair in decided([*PROVEN, *judgments]).frozen_pairs() if pair.number != "g"]
    assert pairs == [("10", "Z"), ("10", "z"), ("10", "é"), ("2", "Z"), ("2", "z"), ("2", "é")]


ROWS = st.lists(
    st.tuples(
        st.sampled_from("12"), st.sampled_from("abcd"), st.sampled_from("PQRS"), st.integers(-1, 4),
        st.integers(1, 2), st.sampled_from([0, 0, 0, 1, 2]), st.booleans(), st.booleans(),
    ),
    max_size=40,
)  # fmt: skip
POLICIES = st.builds(
    Policy,
    min_gold=st.integers(0, 3),
    accuracy_threshold=st.sampled_from([0.0, 0.5, 1.0]),
    count_unproven=st.booleans(),
    count_not_blind=st.booleans(),
    min_judgments=st.integers(1, 3),
    max_range=st.none() | st.integers(0, 3),
    consolidation=st.sampled_from(sorted(CONSOLIDATORS)),
    gold_pairs=st.sampled_from(["expert", "judged", "omitted"]),
)


def random_inputs(rows: list[tuple[Any, ...]], order: list[int]) -> Inputs:
    columns = {
        "reading": [rows[i][4] for i in order],
        "purpose": [rows[i][5] for i in order],
        "surplus": [rows[i][6] and rows[i][7] for i in order],
        "blind": [rows[i][7] for i in order],
        "sequence": order,
    }
    table = table_of([rows[i][:4] for i in order], **columns)
    return inputs_of(
        table,
        gold={("1", "a"): 1, ("2", "b"): 3},
        decided={("2", "c"): 4},
        excluded=[n for n in table.annotators if n == "S"],
    )


def frozen(outcome: Outcome) -> bytes:
    return b"".join(snapshot_jsonl([*outcome.frozen_pairs(), *outcome.dropped_pairs()]))


@given(rows=ROWS, policy=POLICIES, data=st.data())
def test_the_order_of_rows_does_not_matter(rows: list[tuple[Any, ...]], policy: Policy, data: st.DataObject) -> None:
    order = list(range(len(rows)))
    shuffled = data.draw(st.permutations(order))
    one, other = (apply_policy(random_inputs(rows, o), policy) for o in (order, shuffled))
    assert frozen(one) == frozen(other)
    assert one.people.believed.tolist() == other.people.believed.tolist()


@given(rows=ROWS, policy=POLICIES)
def test_what_always_holds(rows: list[tuple[Any, ...]], policy: Policy) -> None:
    inputs = random_inputs(rows, list(range(len(rows))))
    outcome = apply_policy(inputs, policy)
    pairs, left_out = list(outcome.frozen_pairs()), list(outcome.dropped_pairs())
    every = {(p.number, p.docno) for p in pairs} | {(p.number, p.docno) for p in left_out}
    checks = {row[:2] for row in rows if row[5] == Purpose.CHECK}
    assert len(every) == len(pairs) + len(left_out) == len(outcome.kept)
    assert every >= {row[:2] for row in rows}
    assert all(pair.reason for pair in left_out)
    assert not checks & {(pair.number, pair.docno) for pair in pairs}
    for pair in pairs:
        assert inputs.scale.holds(np.array([pair.grade])).all()
        assert 0 <= pair.confidence <= 1
        if pair.source == "judged":
            assert pair.min is not None
            assert pair.max is not None
            assert policy.consolidation in MODELS or pair.min <= pair.grade <= pair.max
            assert pair.n_judgments >= policy.min_judgments
            assert policy.max_range is None or pair.max - pair.min <= policy.max_range


@given(rows=ROWS, policy=POLICIES)
def test_excluding_somebody_is_as_if_nothing_of_theirs_were_there(rows: list[tuple[Any, ...]], policy: Policy) -> None:
    with_them = apply_policy(random_inputs(rows, list(range(len(rows)))), policy)
    others = [row for row in rows if row[2] != "S"]
    without = apply_policy(random_inputs(others, list(range(len(others)))), policy)
    checks = {row[:2] for row in rows if row[5] == Purpose.CHECK}
    seen = {row[:2] for row in others}

    def judged(outcome: Outcome) -> list[FrozenPair]:
        pairs = (p for p in outcome.frozen_pairs() if (p.number, p.docno) in seen - checks)
        return [pair for pair in pairs if pair.source == "judged"]

    assert judged(with_them) == judged(without)
