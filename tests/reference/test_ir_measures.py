"""The same values as ir_measures 0.4.3, with cwl_eval 1.0.12 behind it, for the measures that trec_eval lacks.

Scores here differ from each other and are above 0; where ir_measures differs otherwise, docs/measures.md says so.
"""

import logging
from collections.abc import Iterator

import ir_measures
import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine.made import Grades, Scores, made_qrels, made_run, random_case

SAME = {
    "BPM(T=1.0,max_rel=4)@10": "BPM@10",
    "BPM(T=2.5,max_rel=4)@20": "BPM(T=2.5)@20",
    "SDCG(max_rel=4)@10": "SDCG@10",
    "NERR8(max_rel=4)@10": "NERR8@10",
    "NERR9(max_rel=4)@10": "NERR9@10",
    "NERR10(max_rel=4,p=0.8)": "NERR10(p=0.8)",
    "NERR11(max_rel=4,T=1.0)": "NERR11@1000",
    "INST(max_rel=4,T=1.0)": "INST@1000",
    "INST(max_rel=4,T=3.0)": "INST(T=3)@1000",
    "INSQ(max_rel=4,T=2.0)": "INSQ(T=2)@1000",
    "RBP(p=0.8,rel=1)": "RBP(p=0.8,rel=1)",
    "Compat(p=0.95)": "Compat",
    "Compat(p=0.8,normalize=False)": "Compat(p=0.8,normalize=False)",
    "Accuracy": "Accuracy",
    "Accuracy(rel=2)@5": "Accuracy(rel=2)@5",
    "Judged@10": "Judged@10",
}


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """It warns of scales that a small case does not use up."""
    caplog.set_level(logging.ERROR, "ir_measures")


def case(seed: int) -> tuple[Grades, Scores]:
    """Topics of both, judged documents of grades 0 to 4 only, scores above 0 that differ."""
    grades, scores = random_case(seed)
    both = [number for number in grades if number in scores]
    return (
        {n: {d: max(g, 0) for d, g in grades[n].items()} for n in both},
        {n: {d: s + 8 + i / 1024 for i, (d, s) in enumerate(scores[n].items())} for n in both},
    )


def theirs(name: str, grades: Grades, scores: Scores) -> Iterator[tuple[str, float]]:
    for number in grades:  # a topic at a time, since Accuracy stops where it divides by zero
        try:
            figures = ir_measures.iter_calc([ir_measures.parse_measure(name)], {number: grades[number]}, scores)
            yield from ((one.query_id, float(one.value)) for one in figures)
        except ZeroDivisionError:
            assert name.startswith("Accuracy")
            yield number, 1.0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", SAME)
def test_every_value_is_that_of_ir_measures(name: str, seed: int) -> None:
    grades, scores = case(seed)
    ours = evaluate(made_run(scores), made_qrels(grades), [parse_measure(SAME[name])], options=Options(max_grade=4))
    expected = dict(theirs(name, grades, scores))
    if name.startswith("Accuracy"):  # which leaves out topics where nothing relevant is among the first
        expected = dict.fromkeys(grades, 0.0) | expected
    assert dict(zip(ours.numbers, ours.value[:, 0].tolist(), strict=True)) == pytest.approx(expected, rel=0, abs=1e-12)
