"""What to judge next, against evaluations with each grade put in by hand."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from evaluation.engine.judge_next import TooMuchError, judge_next
from evaluation.engine.measures import parse_measure
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate_runs
from tests.evaluation.engine.adaptive.test_methods import random_runs
from tests.evaluation.engine.made import made_qrels, made_run

RUNS = random_runs(4)
GRADES = {str(t): {f"d{d}": (d * 7 + t) % 4 for d in range(0, 30, 1 + t % 3) if (d + t) % 3} for t in range(5)}
GRADES["0"]["d0"] = -1  # pooled, and not judged


def mean_differences(runs: list[PackedRun], grades: dict[str, dict[str, int]], measure: str) -> list[float]:
    mean = [float(one.mean[0]) for one in evaluate_runs(runs, made_qrels(grades), [parse_measure(measure)])]
    return [first - second for first, second in combinations(mean, 2)]


def with_grade(number: str, docno: str, grade: int) -> dict[str, dict[str, int]]:
    return {**GRADES, number: {**GRADES[number], docno: grade}}


def plain_chances(number: str, top: int) -> list[float]:
    every = [g for of in GRADES.values() for g in of.values() if g >= 0]
    own = [g for g in GRADES[number].values() if g >= 0]
    shares = [(every.count(g) + 1) / (len(every) + top + 1) for g in range(top + 1)]
    return [(own.count(g) + 10 * share) / (len(own) + 10) for g, share in enumerate(shares)]


@pytest.mark.parametrize(
    "measure", ["nDCG@10", "AP(rel=2)", "RR", "P@5", "RBP(p=0.8)", "ERR@10", "nDCG(gains='exp')@5"]
)
def test_changes_are_those_of_evaluations_with_the_grade_put_in(measure: str) -> None:
    runs = RUNS[:2]
    asked = judge_next(runs, made_qrels(GRADES), measure, depth=8)
    before = mean_differences(runs, GRADES, measure)[0]
    assert asked.mean[0] - asked.mean[1] == pytest.approx(before)
    assert asked.n_unjudged == len(asked.pairs) > 10
    assert any((pair.number, pair.docno) == ("0", "d0") for pair in asked.pairs)
    for pair in asked.pairs:
        after = [mean_differences(runs, with_grade(pair.number, pair.docno, g), measure)[0] for g in range(4)]
        changes = [one - before for one in after]
        assert pair.changes == pytest.approx(changes, abs=1e-12)
        assert pair.greatest == pytest.approx(max(map(abs, changes)), abs=1e-12)
        chances = plain_chances(pair.number, 3)
        assert sum(chances) == pytest.approx(1)
        assert pair.expected == pytest.approx(np.dot(chances, np.abs(changes)), abs=1e-12)
    assert [pair.expected for pair in asked.pairs] == sorted((pair.expected for pair in asked.pairs), reverse=True)


def test_of_several_the_best_count_by_their_doubt() -> None:
    asked = judge_next(RUNS, made_qrels(GRADES), "nDCG@10", depth=8, best=3)
    means = {run.tag: float(one.mean[0]) for run, one in zip(RUNS, evaluated(RUNS), strict=True)}
    assert asked.tags == tuple(sorted(means, key=lambda tag: -means[tag])[:3])
    runs = [next(run for run in RUNS if run.tag == tag) for tag in asked.tags]
    before = np.array(mean_differences(runs, GRADES, "nDCG@10"))
    assert all(0 < doubt <= 0.5 for doubt in asked.doubts)
    for pair in asked.pairs[:5]:
        after = [mean_differences(runs, with_grade(pair.number, pair.docno, g), "nDCG@10") for g in range(4)]
        sizes = np.abs(np.array(after) - before) * asked.doubts  # (n_grades, pairs of runs)
        assert pair.expected == pytest.approx(float(np.dot(plain_chances(pair.number, 3), sizes.sum(axis=1))))
        assert pair.greatest == pytest.approx(float(sizes.max(axis=0).sum()))
        assert pair.changes == ()


def evaluated(runs: list[PackedRun]) -> list[Any]:
    return evaluate_runs(runs, made_qrels(GRADES), [parse_measure("nDCG@10")])


def test_ranks_top_grade_and_how_many() -> None:
    runs = [made_run({"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, "one"), made_run({"1": {"b": 3.0, "a": 2.0}}, "two")]
    qrels = made_qrels({"1": {"a": 1}, "2": {"z": 1}})
    asked = judge_next(runs, qrels, "P@1", depth=3, top=4)
    assert [(pair.docno, pair.ranks) for pair in asked.pairs] == [("b", (2, 1)), ("c", (3, None))]
    assert asked.pairs[0].changes == (0.0, -0.5, -0.5, -0.5, -0.5)  # one of two topics
    assert judge_next(runs, qrels, "P@1", depth=3, n=1).pairs[0].docno == "b"
    everything = judge_next(runs, made_qrels({"1": {"a": 1, "b": 0, "c": 0}}), "P@1", depth=3)
    assert (everything.n_unjudged, everything.pairs) == (0, ())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"runs": RUNS[:1]}, "two runs or more"),
        ({"measure": "GMAP"}, "in no order"),
        ({"measure": "NumRet"}, "in no order"),
        ({"best": 1}, "best 2 to 20"),
        ({"depth": 0}, "at least 1"),
        ({"qrels": made_qrels({"none": {"a": 1}})}, "no run has a document"),
    ],
)
def test_what_cannot_be_asked(change: dict[str, Any], reason: str) -> None:
    asked = {"runs": RUNS, "qrels": made_qrels(GRADES), "measure": "AP", **change}
    with pytest.raises(ValueError, match=reason):
        judge_next(asked.pop("runs"), asked.pop("qrels"), asked.pop("measure"), **asked)


def test_too_much_is_refused() -> None:
    with pytest.raises(TooMuchError, match="too much to look at"):
        judge_next(RUNS, made_qrels(GRADES), "AP", most_rows=100)


def test_portions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = judge_next(RUNS, made_qrels(GRADES), "nDCG@10", depth=8)
    monkeypatch.setattr("evaluation.engine.judge_next.PORTION", 100)
    assert judge_next(RUNS, made_qrels(GRADES), "nDCG@10", depth=8) == whole
