"""Measures of trec_eval 10 that trec_eval 9 lacks or finds otherwise, recomputed from rank to rank in plain Python."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from evaluation.engine.measures import parse_measure, parse_measures
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine.made import Grades, Scores, made_qrels, made_run, random_case

Ranking = list[int | None]  # the grade at each rank, None for a document that is not in the qrels
Plain = Callable[[Ranking, list[int]], float]  # of a ranking and all grades of the topic


def precisions(ranking: Ranking) -> list[float]:
    places = [rank for rank, grade in enumerate(ranking, 1) if (grade or 0) >= 1]
    return [count / rank for count, rank in enumerate(places, 1)]


def yaap(ranking: Ranking, grades: list[int]) -> float:
    n_relevant = sum(grade >= 1 for grade in grades)
    return math.log((1 + sum(precisions(ranking))) / (1 + n_relevant - sum(precisions(ranking))))


def interpolated(level: float) -> Plain:
    def value(ranking: Ranking, grades: list[int]) -> float:
        wanted = math.floor(level * sum(grade >= 1 for grade in grades) + 0.5)
        return max(precisions(ranking)[max(wanted - 1, 0) :], default=0.0)

    return value


def eleven_points(ranking: Ranking, grades: list[int]) -> float:
    return sum(interpolated(level / 10)(ranking, grades) for level in range(11)) / 11


def rbp(p: float, top: int | None, depth: int = 10**6) -> Plain:
    def value(ranking: Ranking, grades: list[int]) -> float:
        most = max(grades) if top is None else top
        gains = [max(grade or 0, 0) / max(most, 1) for grade in ranking[:depth]]
        return (1 - p) * sum(gain * p**i for i, gain in enumerate(gains))

    return value


def residual(p: float, *, always: bool) -> Plain:
    def value(ranking: Ranking, grades: list[int]) -> float:
        unjudged = [i for i, grade in enumerate(ranking) if grade is None or grade < 0]
        counted = always or bool(unjudged)
        return (1 - p) * sum(p**i for i in unjudged) + p ** len(ranking) if counted else 0.0

    return value


def unjudged_at(k: int) -> Plain:
    return lambda ranking, grades: sum(grade is None or grade < 0 for grade in ranking[:k]) / k


def n_unjudged(ranking: Ranking, grades: list[int]) -> int:
    return sum(grade is None or grade < 0 for grade in ranking)


MEASURES: list[tuple[str, Plain]] = [
    ("yaap", yaap),
    *((f"iprec@{level}", interpolated(level)) for level in (0, 0.05, 0.25, 0.5, 0.75, 1)),
    ("11pt_avg", eleven_points),
    ("rbp", rbp(0.9, None)),
    ("rbp.p=0.5", rbp(0.5, None)),
    ("RBP", rbp(0.8, 4)),
    ("RBP(p=0.95)@3", rbp(0.95, 4, 3)),
    ("rbp_resid", residual(0.9, always=False)),
    ("RBPresid(p=0.7)", residual(0.7, always=True)),
    ("unj_5", unjudged_at(5)),
    ("Unj@20", unjudged_at(20)),
    ("num_nonjudged_ret", n_unjudged),
]


def ranking_of(grades: dict[str, int], scores: dict[str, float]) -> Ranking:
    order = sorted(scores, key=lambda docno: (scores[docno], docno.encode()), reverse=True)
    return [grades.get(docno) for docno in order]


def plain_values(plain: Plain, grades: Grades, scores: Scores) -> list[float]:
    numbers = sorted(grades, key=str.encode)
    return [plain(ranking_of(grades[n], scores.get(n, {})), list(grades[n].values())) for n in numbers]


@pytest.mark.parametrize(("name", "plain"), MEASURES, ids=[name for name, _ in MEASURES])
def test_as_recomputed_rank_by_rank(name: str, plain: Plain) -> None:
    for seed in range(40):
        grades, scores = random_case(seed)
        evaluation = evaluate(made_run(scores), made_qrels(grades), [parse_measure(name)], options=Options(max_grade=4))
        np.testing.assert_allclose(evaluation.value[:, 0], plain_values(plain, grades, scores), rtol=0, atol=1e-12)


def test_version_9_finds_the_cutoffs_of_recall_otherwise() -> None:
    """Of 3 relevant documents a recall of 0.2 needs one (0.6 rounded), to version 9 one too (1.5 cut); 0.4: 1 and 2."""
    run, qrels = made_run({"1": {"a": 3.0, "x": 2.0, "b": 1.0}}), made_qrels({"1": {"a": 1, "b": 1, "c": 1}})
    measures = parse_measures("iprec_at_recall.0.2,0.4")
    assert evaluate(run, qrels, measures).value.tolist() == [[1.0, 1.0]]
    assert evaluate(run, qrels, measures, options=Options(trec_eval=9)).value.tolist() == [[1.0, 2 / 3]]


def test_a_gain_below_1_costs_1_a_rank_in_g() -> None:
    """0.5 / log2(2 + 2 − 0.5), over all gains, 0.5."""
    run, qrels = made_run({"1": {"x": 2.0, "a": 1.0}}), made_qrels({"1": {"a": 1}})
    evaluation = evaluate(run, qrels, [parse_measure("G(gains={1:0.5})")])
    assert evaluation.value.tolist() == [[pytest.approx(1 / math.log2(3.5))]]


def test_sums_and_geometric_means_over_topics() -> None:
    grades: Grades = {"1": {"a": 1, "b": 1}, "2": {"a": 0, "b": 2}, "3": {"a": 1}}
    scores: Scores = {"1": {"a": 2.0, "x": 1.0}, "2": {"b": 2.0, "a": 1.0}}
    measures = [parse_measure(name) for name in ("NumQ", "NumRet", "NumRel", "NumRet(rel=2)", "GMAP", "GMbpref")]
    means = evaluate(made_run(scores), made_qrels(grades), measures).mean.tolist()
    assert means[:4] == [3, 4, 4, 1]
    assert means[4:] == pytest.approx([(0.5 * 1 * 1e-5) ** (1 / 3)] * 2)


@pytest.mark.parametrize("nickname", ["official", "all_trec", "set"])
def test_every_measure_of_a_nickname_reads_back(nickname: str) -> None:
    measures = parse_measures(nickname)
    assert [parse_measure(str(measure)) for measure in measures] == measures
    assert len(set(measures)) == len(measures) >= 8
