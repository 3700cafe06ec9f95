"""The measures of users who read, stop and are satisfied, and their kin: against plain Python on random runs."""

import math
import random
import re
from itertools import permutations

import numpy as np
import pytest

from evaluation.engine.measures import Measure, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate, evaluate_runs
from tests.evaluation.engine.made import made_qrels, made_run, random_case
from tests.evaluation.engine.plain import graded, ranked
from tests.evaluation.engine.plain_graded import Topic, value_of

NAMES = """
DCG DCG@5 DCG(gains='exp') DCG(gains='exp',base=3,discount='rank')@5 DCG(discount='rank',base=10)
ERR ERR@1 ERR@3 ERR@20 nERR nERR@1 nERR@3 nERR@20 iRBU iRBU(p=.8)@4 EBR EBR(beta=.5)@4 EBR(gains='exp')
Q Q@3 Q(beta=0)@10 Q(beta=7.5,gains='exp')
NCU NCU(beta=0) NCU(stop='u') NCU(stop='rb',beta=0,gamma=.5) NCU(stop='rb',beta=2,gamma=1) NCU(gains='exp')
SDCG@1 SDCG@10 SDCG@200 INSQ@300 INSQ(T=2.5)@5 INSQ(T=.2)@9
INST INST(T=1.5) INST(T=4) INST@300 INST(T=2.5)@5 INST@1 INST(T=3)@20
BPM@10 BPM(T=.5)@3 BPM(T=2.2)@100 NERR8@1 NERR8@10 NERR8@150 NERR9@1 NERR9@10 NERR9@150
NERR10 NERR10(p=.5) NERR11@300 NERR11(T=.5)@7
F1@1 F1(rel=2)@5 F1@100 Accuracy Accuracy(rel=2)@5 Hole@1 Hole@10 Hole@100 Hits Hits@1 Hits(rel=2)@10
Compat Compat(p=.5) Compat(normalize=False,p=.8)
"""
MEASURES = [parse_measure(name) for name in NAMES.split()]


def topics(seed: int, options: Options) -> list[Topic]:
    grades, scores = random_case(seed)
    top = options.max_grade or max(1, *(g for of in grades.values() for g in of.values()))
    topic_list = []
    for number in sorted(grades, key=str.encode):
        ranking = ranked(scores.get(number, {}), grades[number], options)
        topic_list.append(Topic(ranking, graded(ranking, grades[number], options, top), top))
    return topic_list


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "options", [Options(), Options(max_grade=5, depth=9), Options(judged_only=True), Options(unjudged="top")], ids=str
)
def test_every_value_as_plain_python_computes_it(seed: int, options: Options) -> None:
    grades, scores = random_case(seed)
    evaluation = evaluate(made_run(scores), made_qrels(grades), MEASURES, options=options)
    for t, topic in enumerate(topics(seed, options)):
        assert evaluation.top_grade == topic.top
        for m, measure in enumerate(MEASURES):
            assert evaluation.value[t, m] == pytest.approx(value_of(measure, topic), rel=1e-12, abs=1e-12), (measure, t)


@pytest.mark.parametrize("seed", range(5))
def test_torch_gives_the_same_values_as_numpy_for_runs_together_as_for_each_alone(seed: int) -> None:
    grades, scores = random_case(seed)
    qrels, runs = (
        made_qrels(grades),
        [made_run(scores, "a"), made_run(random_case(seed + 50)[1] | {"#": {"x": 1.0}}, "b")],
    )
    together = evaluate_runs(runs, qrels, MEASURES)
    by_torch = evaluate_runs(runs, qrels, MEASURES, device="cpu")
    for run, one, other in zip(runs, together, by_torch, strict=True):
        np.testing.assert_array_equal(other.value, one.value)
        np.testing.assert_allclose(evaluate(run, qrels, MEASURES).value, one.value, rtol=0, atol=1e-13)


@pytest.mark.parametrize("measure", [m for m in MEASURES if m.averages_ties], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_averaged_ties_give_the_mean_over_all_orders(measure: Measure, seed: int) -> None:
    rng = random.Random(seed)
    tied = ["a", "b", "c", "d"]
    grades = {"1": {docno: rng.choice([-1, 0, 1, 3]) for docno in [*tied[:3], "z", "y"]}}
    run = {"1": {"x": 9.0, **dict.fromkeys(tied, 5.0), "z": 1.0}}
    orders = [{"1": {"x": 9.0, **{d: 5.0 - i / 8 for i, d in enumerate(o)}, "z": 1.0}} for o in permutations(tied)]
    values = [evaluate(made_run(order), made_qrels(grades), [measure]).value[0, 0] for order in orders]
    averaged = evaluate(made_run(run), made_qrels(grades), [measure], options=Options(ties="averaged"))
    assert averaged.value[0, 0] == pytest.approx(sum(values) / len(values), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_called_a_bound_holds_whatever_the_unjudged_turn_out_to_be(seed: int) -> None:
    grades, scores = random_case(seed)
    rng, bounded = random.Random(seed), [measure for measure in MEASURES if measure.has_bounds]
    low, high = (
        evaluate(made_run(scores), made_qrels(grades), bounded, options=Options(unjudged=unjudged, max_grade=4)).value
        for unjudged in ("zero", "top")
    )
    for _ in range(10):
        settled = {
            number: {d: g if g >= 0 else rng.randrange(5) for d, g in judged.items()}
            | {d: rng.randrange(5) for d in scores.get(number, {}) if d not in judged}
            for number, judged in grades.items()
        }
        value = evaluate(made_run(scores), made_qrels(settled), bounded, options=Options(max_grade=4)).value
        assert ((low - 1e-12 <= value) & (value <= high + 1e-12)).all()


def test_measures_without_true_bounds_can_fall_when_an_unjudged_document_turns_out_relevant() -> None:
    """Here the worth of one more relevant document goes to the best ranking rather than to the run."""
    run = made_run({"1": {"a": 3.0, "b": 2.0, "u": 1.0}})
    before, after = ({"1": {"a": 1, "b": 1}}, {"1": {"a": 1, "b": 1, "u": 4}})
    falling = [parse_measure(name) for name in ("nERR", "Q", "NCU", "F1@1", "Compat")]
    values = [evaluate(run, made_qrels(g), falling, options=Options(max_grade=4)).value[0] for g in (before, after)]
    assert (values[1] < values[0]).all()
    assert not any(measure.has_bounds for measure in falling)


def test_the_top_of_the_scale_enters_where_the_measure_says_so() -> None:
    """And nowhere else; `uses_top_grade` is what makes it be reported."""
    run, qrels = made_run({"1": {"a": 3.0, "b": 2.0}}), made_qrels({"1": {"a": 1, "b": 2}})
    lower, higher = (evaluate(run, qrels, MEASURES, options=Options(max_grade=top)).value[0] for top in (2, 4))
    moved = {measure.family for measure, one, other in zip(MEASURES, lower, higher, strict=True) if one != other}
    assert moved == {measure.family for measure in MEASURES if measure.uses_top_grade}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ERR", 7 / 8 / 2 + 1 / 8 * 1 / 8 / 4),
        ("ERR@1", 0),
        ("nERR", (7 / 8 / 2 + 1 / 8 * 1 / 8 / 4) / (7 / 8 + 1 / 8 * 1 / 8 / 2 + 1 / 8 * 7 / 8 * 1 / 8 / 3)),
        ("iRBU(p=0.5)", 7 / 8 / 4 + 1 / 8 * 1 / 8 / 16),
        ("Q", ((1 + 3) / (2 + 4) + (2 + 4) / (4 + 5)) / 3),
        ("Q@2", (1 + 3) / (2 + 4) / 2),
        ("Q(gains={3:7})", ((1 + 7) / (2 + 8) + (2 + 8) / (4 + 9)) / 3),
        ("NCU", (3 / 5) * (1 + 3) / (2 + 4) + (1 / 5) * (2 + 4) / (4 + 5)),
        ("EBR(beta=0)", 7 / 8 / 2 + 1 / 8 * 1 / 8 * 2 / 4),
        ("DCG", 3 / math.log2(3) + 1 / math.log2(5)),
        ("DCG(gains='exp')@2", 7 / math.log2(3)),
        ("DCG(discount='rank')", 3 / 1 + 1 / 2),
        ("DCG(base=3)@2", 3),
        ("SDCG@2", 1 / math.log2(3) / (1 + 1 / math.log2(3))),
        ("INSQ@2", 1 / 9 / (1 / 4 + 1 / 9)),
        ("INSQ", (1 / 9 + 1 / 3 / 25) / (math.pi**2 / 6 - 1)),
        ("BPM@10", 1 / 2),
        ("BPM(T=1.5)@10", (1 + 1 / 3) / 10),
        ("NERR8@10", 1 / 2),
        ("NERR9@3", 1 / 2 / (1 + 1 / 2)),
        ("NERR10(p=0.5)", 0.5 / (1 + 0.5)),
        ("F1@2", 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)),
        ("Hits", 2),
        ("Hits(rel=4)@2", 0),
        ("Hole@10", 3 / 10),
        ("Hole@2", 1 / 2),
        ("Accuracy", 3 / 6),
        ("Accuracy@4", 1 / 4),
    ],
)
def test_values_by_hand(name: str, value: float) -> None:
    """Topic 1 ranks u, a, n, b, v; of a 3, b 1, c 1, n −1 are known, and 3 is the top grade."""
    run = made_run({"1": {"u": 9.0, "a": 8.0, "n": 7.0, "b": 6.0, "v": 1.0}})
    evaluation = evaluate(run, made_qrels({"1": {"a": 3, "b": 1, "c": 1, "n": -1}}), [parse_measure(name)])
    assert evaluation.value[0, 0] == pytest.approx(value, rel=1e-15, abs=1e-15)


def test_compatibility_takes_the_best_ranking_nearest_to_the_run() -> None:
    """b stands above a in the run and has its grade; c, not retrieved, comes after both, though no score is above 0."""
    run, qrels = made_run({"1": {"b": -1.0, "a": -2.0}}), made_qrels({"1": {"a": 2, "b": 2, "c": 2}})
    measures = [parse_measure("Compat(p=0.5)"), parse_measure("Compat(p=0.5,normalize=False)")]
    shared, best = 1 + 0.5 + 0.25 * 2 / 3, 1 + 0.5 + 0.25
    assert evaluate(run, qrels, measures).value[0] == pytest.approx([shared / best, shared / 1.75], rel=1e-15)


def test_nothing_but_relevant_documents_and_nothing_relevant() -> None:
    run = made_run({"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "3": {"u": 1.0}})
    qrels = made_qrels({"1": {"a": 1, "b": 1}, "2": {"a": 0}, "3": {"a": -1}, "4": {"a": 1}})
    measures = [measure for measure in MEASURES if measure.family != "Hole"]
    evaluation = evaluate(run, qrels, measures)
    assert evaluation.value[1:].tolist() == [[0.0] * len(measures)] * 3
    assert evaluation.value[0, measures.index(parse_measure("Accuracy"))] == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("iRBU(p=1)", "the persistence p of iRBU lies between 0 and 1"),
        ("NERR10(p=0)", "the persistence p of NERR10 lies between 0 and 1"),
        ("Compat(p=1.5)", "the persistence p of Compat lies between 0 and 1"),
        ("Compat@10", "Compat takes no cutoff"),
        ("Q(beta=-1)", "the weight beta of Q is a number of at least 0"),
        ("Q(gains='cubic')", "the gains of Q are 'linear', 'exp' or a table"),
        ("EBR(beta=-0.1)", "the weight beta of EBR is a number of at least 0"),
        ("NCU(beta=-1)", "the weight beta of NCU is a number of at least 0"),
        ("NCU(stop='gr')", "NCU stops by 'u', 'gu' or 'rb', not 'gr'"),
        ("NCU(gamma=0)", "gamma of NCU is above 0 and at most 1"),
        ("NCU@3", "NCU takes no cutoff"),
        ("INST(T=0.5)", "T of INST is a number of at least 1"),
        ("INSQ(T=0)", "T of INSQ is a number above 0"),
        ("NERR11(T=0)", "T of NERR11 is a number above 0"),
        ("BPM(T=0)@3", "T of BPM is a number above 0"),
        ("BPM", "BPM needs a cutoff: BPM@10"),
        ("DCG(base=1)", "the base of DCG is a number above 1"),
        ("DCG(discount='none')", "the discount of DCG is 'rank+1' or 'rank', not 'none'"),
        ("SDCG@10000000", "the cutoff of SDCG is at most 1,000,000"),
        ("F1", "F1 needs a cutoff: F1@10"),
    ],
)
def test_parameters_that_make_no_sense(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_measure(name)
