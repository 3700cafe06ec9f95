"""Kinds of change against the long way round: other qrels written out, and evaluated one after the other."""

from dataclasses import replace

import numpy as np
import pytest

from annotation.quality.apply import apply_policy
from annotation.quality.machines.split import Machines
from annotation.quality.policy import Policy
from annotation.quality.table import judgment_table
from evaluation.engine.arrays import Floats
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.order_changes import compare_cases
from evaluation.engine.qrels import Qrels
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.sensitivity.conclusions import sentence, verdict
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judgments import Judgments, judgments_of
from evaluation.engine.sensitivity.kinds.contributions import contributions_left_out, groups_of, within
from evaluation.engine.sensitivity.kinds.people import complete_grades, one_annotator_a_topic, union_and_intersection
from evaluation.engine.sensitivity.orders import OrderUnder, order_under
from evaluation.engine.sensitivity.study import Sensitivity, study
from tests.evaluation.engine.made import made_qrels, made_run
from tests.evaluation.engine.sensitivity.crowd import ALL, SCALE, crowd, inputs_of, judged, runs

MEASURE = parse_measure("nDCG@5")
STRICT = Policy(min_gold=3, accuracy_threshold=0.4, count_unproven=True, min_judgments=2)


def studied(judgments: Judgments, **asked: object) -> Sensitivity:
    evidence = Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments)
    return study(evidence, Question(measure=MEASURE, n_draws=50, **asked))  # type: ignore[arg-type]


def kind(result: Sensitivity, name: str) -> OrderUnder:
    return next(change for change in result.changes if change.kind == name)


def means(inputs: object, policy: Policy) -> Floats:
    """By qrels of what the policy keeps, as an evaluation has them."""
    outcome = apply_policy(inputs, policy)  # type: ignore[arg-type]
    kept = list(outcome.frozen_pairs())
    qrels = Qrels.of([each.number for each in kept], [each.docno for each in kept], [each.grade for each in kept])
    evaluated = evaluate_runs(runs(), qrels, [MEASURE], options=Options(max_grade=SCALE.top))
    return np.array([float(one.mean[0]) for one in evaluated])


def tau(before: Floats, after: Floats) -> tuple[float | None, float | None, int]:
    """By the comparison of two cases that accounting makes."""
    names = ["before", "after"]
    evaluated = [
        evaluate_runs([made_run({"1": {"a": 1.0}}, f"r{i}")], made_qrels({"1": {"a": 1}}), [MEASURE])[0]
        for i in range(before.size)
    ]
    cases = [
        [replace(one, mean=np.array([mean])) for one, mean in zip(evaluated, case, strict=True)]
        for case in (before, after)
    ]
    change = compare_cases(names, cases, str(MEASURE), seed=0).changes[0]
    return change.tau_b, change.tau_ap, len(change.swaps)


@pytest.mark.parametrize("policy", [ALL, STRICT])
def test_an_annotator_left_out_is_the_policy_without_their_judgments(policy: Policy) -> None:
    judgments = judged(policy, n_gold=2)
    result = studied(judgments)
    change, base = kind(result, "annotators"), means(judgments.inputs, policy)
    assert list(change.cases) == judgments.names
    assert dict(zip(result.tags, result.mean, strict=True)) == pytest.approx(
        {run.tag: mean for run, mean in zip(runs(), base, strict=True)}
    )
    for at, code in enumerate(judgments.annotators):
        other = means(replace(judgments.inputs, excluded=frozenset({code})), policy)
        assert (change.tau_b[at], change.tau_ap[at], change.n_swaps[at]) == tau(base, other)


def test_policies_filters_and_consolidators_are_other_policies_on_the_same_judgments() -> None:
    judgments = judged(STRICT, n_gold=2)
    result, base = studied(judgments), means(judgments.inputs, STRICT)
    others = {
        "filters": {"grades any distance apart": replace(STRICT, max_range=None)},
        "consolidators": {"majority": replace(STRICT, consolidation="majority")},
        "policies": {"accuracy 0.6 or more": replace(STRICT, accuracy_threshold=0.6)},
    }
    for name, policies in others.items():
        change = kind(result, name)
        for case, policy in policies.items():
            at = change.cases.index(case)
            assert (change.tau_b[at], change.n_swaps[at]) == tau(base, means(judgments.inputs, policy))[::2]
    assert "median" not in kind(result, "consolidators").cases


def test_a_topic_left_out_is_the_mean_of_the_others() -> None:
    judgments = judged()
    change, base = kind(studied(judgments), "topics"), means(judgments.inputs, ALL)
    value = evaluate_runs(runs(), judgments.pairs, [MEASURE], options=Options(max_grade=3))
    other = np.array([np.delete(one.value[:, 0], 2).mean() for one in value])
    assert (change.cases[2], change.tau_b[2]) == ("t2", tau(base, other)[0])


def test_what_a_run_alone_brought_is_taken_out_and_nothing_else() -> None:
    pairs = made_qrels({"1": {"a": 1, "b": 2, "c": 3, "d": 0}, "2": {"a": 1}})
    one, two = made_run({"1": {"a": 3, "b": 2, "c": 1}}, "one"), made_run({"1": {"a": 3, "c": 2}, "2": {"a": 1}}, "two")
    inside = within([one, two], pairs, 2)
    named = pairs.named_pairs()
    cases = contributions_left_out(pairs.grade, inside)
    left = [{pair for pair, grade in zip(named, case.tolist(), strict=True) if grade < 0} for case in cases]
    assert left == [{("1", "b")}, {("1", "c"), ("2", "a")}]
    with pytest.raises(ValueError, match="two runs or groups"):
        contributions_left_out(pairs.grade, inside[:1])


def test_groups_take_patterns_and_a_run_of_none_stands_for_itself() -> None:
    tags = ["idst_1", "idst_2", "bm25", "ql"]
    assert groups_of(tags, {"idst": ["idst*"], "plain": ["bm25"]}) == {"idst": [0, 1], "plain": [2], "ql": [3]}
    with pytest.raises(ValueError, match="no run is called dense"):
        groups_of(tags, {"dense": ["dense*"]})
    with pytest.raises(ValueError, match="two groups"):
        groups_of(tags, {"a": ["bm25"], "b": ["b*"]})


def test_one_complete_annotator_a_topic_is_drawn_and_no_other() -> None:
    rows = [("1", "x", "a", 3), ("1", "x", "b", 1), ("1", "y", "a", 0), ("1", "y", "b", 2), ("1", "x", "c", 2)]
    number, docno, annotator, grade = map(list, zip(*rows, strict=True))
    table = judgment_table(number=number, docno=docno, annotator=annotator, grade=grade)
    judgments = judgments_of(inputs_of(table), ALL)
    grades, complete = complete_grades(judgments)
    assert complete.tolist() == [[True], [True], [False]]
    drawn = one_annotator_a_topic(grades, complete, judgments.pairs.topic, n_draws=200, rng=0)
    order = np.argsort(list(judgments.pairs.docno))
    assert set(map(tuple, drawn[:, order].tolist())) == {(3, 0), (1, 2)}
    assert 60 < (drawn[:, order[0]] == 3).sum() < 140
    names, both = union_and_intersection(grades, complete, judgments.pairs.topic)
    assert (names, both[:, order].tolist()) == (["union", "intersection"], [[3, 2], [1, 0]])


def test_partial_overlap_is_refused_in_words() -> None:
    judgments = judged(each=2)
    for name in ("one_annotator", "union_intersection"):
        change = kind(studied(judgments), name)
        assert (change.n_cases, change.refusal[:65]) == (
            0, "overlap is partial: 0 of 8 topics have two annotators who judged "
        )  # fmt: skip


def test_gold_keeps_its_grade_whoever_is_drawn() -> None:
    judgments = judged(n_gold=3)
    grades, complete = complete_grades(judgments)
    is_gold = np.isin(list(judgments.pairs.docno), ["d0", "d1", "d2"])
    assert complete.all()
    assert (grades[:, is_gold] == judgments.pairs.grade[is_gold]).all()


def test_machine_judges_and_other_qrels_grade_the_same_pairs() -> None:
    inputs = crowd()
    pairs = [(f"t{t}", f"d{d}") for t in range(8) for d in range(12)]
    number, docno = map(list, zip(*pairs, strict=True))
    table = judgment_table(number=number, docno=docno, annotator=["llm"] * len(pairs), grade=[d % 4 for d in range(96)])
    judgments = judgments_of(replace(inputs, machines=Machines(table)), ALL)
    other = Qrels.of([*number, "t9"], [*docno, "d1"], [*(d % 4 for d in range(96)), 1])
    evidence = Evidence(runs=runs(), pairs=judgments.pairs, judgments=judgments, others={"file": other})
    change = kind(study(evidence, Question(measure=MEASURE, n_draws=5)), "judges")
    assert change.cases == ("file", "llm")
    assert change.tau_b[0] == change.tau_b[1] != 1


def test_qrels_alone_refuse_what_needs_judgments_and_try_the_rest() -> None:
    pairs = judged().pairs
    result = study(Evidence(runs=runs(), pairs=pairs), Question(measure=MEASURE))
    refused = {change.kind for change in result.changes if change.refusal}
    without_judges = {"annotators", "one_annotator", "union_intersection", "policies", "filters", "consolidators"}
    assert refused == without_judges | {"judges", "groups"}
    assert {change.kind for change in result.changes if change.n_cases} == {"topics", "runs", "unjudged"}
    assert "not tried: these qrels come without their judgments" in sentence(result.changes[0])
    assert len(verdict(result)) >= 1


def test_the_same_seed_gives_the_same_numbers_and_another_one_others() -> None:
    judgments = judged()
    one, again, other = (studied(judgments, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert kind(one, "one_annotator").tau_b != kind(other, "one_annotator").tau_b


def test_swaps_are_named_most_often_first_and_a_tie_is_none() -> None:
    base = np.array([0.3, 0.2, 0.1])
    cases = np.array([[0.3, 0.2, 0.1], [0.2, 0.3, 0.1], [0.2, 0.3, 0.25], [0.3, 0.3, 0.1]])
    change = order_under("topics", ["a", "b", "c"], base, cases, cases=["w", "x", "y", "z"])
    assert [(swap.ahead, swap.behind, swap.n, swap.cases) for swap in change.swaps] == [
        ("a", "b", 2, ("x", "y")),
        ("a", "c", 1, ("y",)),
    ]
    assert (change.n_swaps, change.n_held) == ((0, 1, 2, 0), 2)
    assert change.tau_b[0] == 1


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"named": [("r0", "zebra")]}, "no run zebra"),
        ({"named": [("r0", "r0")]}, "with another one"),
        ({"pool_depth": 0}, "at least 1"),
        ({"groups": {"g": ["zebra"]}}, "no run is called zebra"),
    ],
)
def test_a_question_of_no_sense_is_refused(asked: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        studied(judged(), **asked)


def test_one_run_and_a_policy_that_keeps_nothing_are_refused() -> None:
    pairs = judged().pairs
    with pytest.raises(ValueError, match="two runs or more"):
        study(Evidence(runs=runs(1), pairs=pairs), Question(measure=MEASURE))
    with pytest.raises(ValueError, match="keeps no pair"):
        judgments_of(crowd(), replace(ALL, count_unproven=False, accuracy_threshold=1.0, min_gold=1))
