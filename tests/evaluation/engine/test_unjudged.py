import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.engine.measures import MEASURES, Measure, parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import Averaging, evaluate
from evaluation.engine.unjudged import Bounds, Scenarios, bounds, scenarios
from tests.annotation.quality.worked import worked_example
from tests.evaluation.engine.made import Grades, Scores, made_qrels, made_run, random_case


def bounded() -> list[Measure]:
    cutoffs = {"no": (None,), "may": (None, 1, 5), "must": (1, 5)}
    families = [family for family in MEASURES if family.has_bounds]
    return [family(cutoff=cutoff) for family in families for cutoff in cutoffs[family.cut]]


def top_of(grades: Grades) -> int:
    return max(1, *(grade for judged in grades.values() for grade in judged.values()))


def judged_at_random(grades: Grades, scores: Scores, rng: random.Random, *, top: int, likely: list[int]) -> Grades:
    """Every unjudged document of the run or the pool gets a grade from 0 to the top, `likely` ones as often."""
    complete = Grades()
    for number, judged in grades.items():
        docnos = [*judged, *(docno for docno in scores.get(number, {}) if docno not in judged)]
        of = {docno: rng.choice([rng.randrange(top + 1), *likely]) for docno in docnos}
        complete[number] = {d: judged[d] if judged.get(d, -1) >= 0 else of[d] for d in docnos}
    return complete


def test_measures_with_bounds_are_there() -> None:
    assert {"P", "RR", "Success", "Hits", "DCG", "RBP", "ERR"} <= {measure.family for measure in bounded()}


@pytest.mark.parametrize("averaging", ["complete", "retrieved"])
@pytest.mark.parametrize("options", [Options(), Options(ties="file", depth=4), Options(max_grade=6)], ids=repr)
@pytest.mark.parametrize("seed", range(25))
def test_any_judgments_stay_within_the_bounds(seed: int, options: Options, averaging: Averaging) -> None:
    grades, scores = random_case(seed)
    if averaging == "retrieved" and not set(grades) & set(scores):
        return
    run, measures, rng = made_run(scores), bounded(), random.Random(seed)
    top = options.max_grade or top_of(grades)
    limits = bounds(run, made_qrels(grades), measures, averaging=averaging, options=options)
    for likely in ([], [0] * 9, [top] * 9, [0, top]):
        complete = judged_at_random(grades, scores, rng, top=top, likely=likely)
        true = evaluate(
            run, made_qrels(complete), measures, averaging=averaging, options=replace(options, max_grade=top)
        )
        for name, low, value, high in zip(
            true.measures, limits.lower.value.T, true.value.T, limits.upper.value.T, strict=True
        ):
            assert (low <= value + 1e-12).all(), name
            assert (value <= high + 1e-12).all(), name
        assert (limits.lower.mean <= true.mean + 1e-12).all()
        assert (true.mean <= limits.upper.mean + 1e-12).all()


@pytest.mark.parametrize("seed", range(25))
def test_the_bounds_are_reached(seed: int) -> None:
    """Judging all as 0, or all as the top grade, gives the bounds themselves: they could not be closer."""
    grades, scores = random_case(seed)
    run, top = made_run(scores), top_of(grades)
    measures = [measure for measure in bounded() if not measure.beyond(np.array([0.0])).any()]
    limits = bounds(run, made_qrels(grades), measures)
    for extreme, expected in ((0, limits.lower), (top, limits.upper)):
        docnos = {n: [*judged, *scores.get(n, {})] for n, judged in grades.items()}
        all_judged = {
            n: {d: judged[d] if judged.get(d, -1) >= 0 else extreme for d in docnos[n]} for n, judged in grades.items()
        }
        true = evaluate(run, made_qrels(all_judged), measures, options=Options(max_grade=top))
        np.testing.assert_allclose(true.value, expected.value, rtol=0, atol=1e-13)


def test_bounds_by_hand() -> None:
    """u and n (pooled, not judged) are open: RR from 1/3 to 1, P@5 from 1/5 to 3/5."""
    run = made_run({"1": {"u": 9.0, "n": 8.0, "a": 7.0, "b": 6.0}})
    qrels = made_qrels({"1": {"a": 2, "b": 0, "n": -1, "x": 2}, "2": {"a": 1}})
    limits = bounds(run, qrels, [*map(parse_measure, ["RR", "P@5"])])
    assert limits.lower.value.tolist() == [[1 / 3, 1 / 5], [0, 0]]
    assert limits.upper.value.tolist() == [[1, 3 / 5], [0, 0]]
    assert limits.upper.mean.tolist() == [1 / 2, 3 / 10]
    assert limits.residual[0].tolist() == pytest.approx([2 / 3, 2 / 5])
    assert (limits.lower.missing, limits.upper.top_grade) == (("2",), 2)


@pytest.mark.shared
def test_the_worked_example_of_rbp_its_residual_and_its_condensed_list(shared_data: Path) -> None:
    """Moffat and Zobel 2008 (RBP and residual), Sakai 2007 (condensed list); null is an unjudged document."""
    example = worked_example(shared_data, "rbp_residual_and_condensed")
    gains, rbp = example["input"]["gains"], parse_measure(f"RBP(p={example['input']['p']})")
    run = made_run({"1": {f"d{rank:02}": -float(rank) for rank in range(len(gains))}})
    qrels = made_qrels({"1": {f"d{rank:02}": gain for rank, gain in enumerate(gains) if gain is not None}})
    limits = bounds(run, qrels, [rbp])
    condensed = evaluate(run, qrels, [rbp], options=Options(judged_only=True))
    figures = {
        "rbp": limits.lower.value[0, 0],
        "residual": evaluate(run, qrels, [parse_measure("RBPresid")]).value[0, 0],
        "upper": limits.upper.value[0, 0],
        "rbp_condensed": condensed.value[0, 0],
    }
    assert figures == pytest.approx(example["expected"], abs=example["tolerance"])
    assert limits.residual[0, 0] == pytest.approx(example["expected"]["residual"], abs=example["tolerance"])


def test_the_tail_of_rbp_is_within_its_bounds() -> None:
    """Longer and longer runs of relevant documents below the end come up to p^n and never pass it."""
    run, rbp = made_run({"1": {"u": 3.0, "a": 2.0}}), parse_measure("RBP(p=0.5)")
    limits = bounds(run, made_qrels({"1": {"a": 1}, "2": {"a": 1}}), [rbp])
    assert limits.lower.value.tolist() == [[0.25], [0]]
    assert limits.upper.value.tolist() == [[0.5 + 0.25 + 0.25], [1]]
    for more in (1, 10, 50):
        scores = {"u": 3.0, "a": 2.0} | {f"x{i}": -float(i) for i in range(more)}
        longer = evaluate(made_run({"1": scores}), made_qrels({"1": dict.fromkeys(scores, 1)}), [rbp])
        assert longer.value[0, 0] == pytest.approx(1 - 0.5 ** (2 + more))
        assert longer.value[0, 0] <= limits.upper.value[0, 0]
    residual = evaluate(run, made_qrels({"1": {"a": 1}, "2": {"a": 1}}), [parse_measure("RBPresid(p=0.5)")])
    assert residual.value.tolist() == limits.residual.tolist()
    cut = bounds(run, made_qrels({"1": {"a": 1}}), [parse_measure("RBP(p=0.5)@3")])
    assert cut.upper.value.tolist() == [[0.5 + 0.25 + 0.125]]
    at_depth = bounds(run, made_qrels({"1": {"a": 1}}), [rbp], options=Options(depth=1))
    assert (at_depth.lower.value.tolist(), at_depth.upper.value.tolist()) == ([[0.0]], [[0.5 + 0.5]])


@pytest.mark.parametrize(
    ("name", "true_bounds"),
    [
        ("DCG(gains={1:5,2:3})", False),  # the top grade gains less than the one below it
        ("DCG(gains={0:-1})", False),  # not relevant is worse than unjudged
        ("DCG(gains={1:2,2:7})", True),
        ("DCG(gains='exp')", True),
        ("RBP(top='topic')", False),  # a higher grade makes those below it count less
        ("RBP(rel=1,top='topic')", True),
    ],
)
def test_parameters_decide_whether_there_are_bounds(name: str, true_bounds: bool) -> None:
    run, qrels, measure = made_run({"1": {"a": 1.0}}), made_qrels({"1": {"a": 1, "b": 2}}), parse_measure(name)
    assert measure.is_bounded(2) is true_bounds
    if true_bounds:
        bounds(run, qrels, [measure])
    else:
        with pytest.raises(ValueError, match="no true bounds for"):
            bounds(run, qrels, [measure])


def test_ndcg_and_ap_can_fall_when_an_unjudged_document_turns_out_relevant() -> None:
    """a, first, is relevant. Should u, below b, be so too, then it came late; should x be so, which was not retrieved,
    then it was missed: both measures are then below what both scenarios say."""
    run, measures = made_run({"1": {"a": 3.0, "b": 2.0, "u": 1.0}}), [*map(parse_measure, ["AP", "nDCG"])]
    known = {"a": 1, "b": 0}
    cases = scenarios(run, made_qrels({"1": known}), measures)
    assert isinstance(cases, Scenarios)
    assert cases.zero.value.tolist() == [[1.0, 1.0]]
    ideal = 1 + 1 / np.log2(3)
    assert cases.top.value[0].tolist() == pytest.approx([(1 + 2 / 3) / 2, 1.5 / ideal])  # u relevant: both fell
    judged = evaluate(run, made_qrels({"1": known | {"u": 0, "x": 1}}), measures)
    assert judged.value[0].tolist() == pytest.approx([1 / 2, 1 / ideal])
    assert (judged.value < np.minimum(cases.zero.value, cases.top.value)).all()


def test_what_has_no_bounds_is_refused() -> None:
    run, qrels = made_run({"1": {"a": 1.0}}), made_qrels({"1": {"a": 1}})
    with pytest.raises(ValueError, match=r"^no true bounds for nDCG, AP: only scenarios$"):
        bounds(run, qrels, [*map(parse_measure, ["nDCG", "P@5", "AP"])])
    with pytest.raises(ValueError, match=r"^no measures to evaluate$"):
        bounds(run, qrels, [])
    for options in (Options(judged_only=True), Options(unjudged="top")):
        with pytest.raises(ValueError, match="the options say already what unjudged documents count as"):
            bounds(run, qrels, [parse_measure("RR")], options=options)


def test_torch_has_the_same_bounds() -> None:
    grades, scores = random_case(7)
    by_numpy, by_torch = (
        bounds(made_run(scores), made_qrels(grades), bounded(), device=device) for device in (None, "cpu")
    )
    assert isinstance(by_torch, Bounds)
    np.testing.assert_array_equal(by_numpy.lower.value, by_torch.lower.value)
    np.testing.assert_array_equal(by_numpy.upper.value, by_torch.upper.value)
