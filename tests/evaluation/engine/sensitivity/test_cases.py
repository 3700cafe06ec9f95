"""Values of many cases at once against one evaluation after the other."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.sensitivity.cases import runs_of_pairs
from tests.evaluation.engine.made import made_qrels, made_run, random_case

MEASURES = ("nDCG@10", "nDCG", "AP", "AP@5", "P@5", "Recall@5", "RR@10", "ERR@10", "Bpref", "Rprec", "RBP(p=0.8)", "Q")


def measures() -> list[str]:
    known = []
    for name in MEASURES:
        try:
            known.append(str(parse_measure(name)))
        except ValueError:
            continue
    return known


@pytest.mark.parametrize("name", measures())
@pytest.mark.parametrize("depth", [None, 7])
def test_cases_have_the_values_of_an_evaluation_each(name: str, depth: int | None) -> None:
    (grades, scores), rng = random_case(3), np.random.default_rng(0)
    pairs, measure, options = made_qrels(grades), parse_measure(name), Options(max_grade=4, depth=depth)
    runs = [made_run(scores, "one"), made_run(random_case(8)[1] | {"none": {"a": 1.0}}, "two")]
    cases = rng.integers(-2, 5, (5, pairs.topic.size))
    value = runs_of_pairs(runs, pairs, measure, options).values(cases)
    assert value.shape == (5, 2, pairs.n_topics)
    for case, grade in zip(value, cases, strict=True):
        evaluated = evaluate_runs(runs, replace(pairs, grade=grade), [measure], options=options)
        assert np.array_equal(case, np.stack([one.value[:, 0] for one in evaluated]))


def test_few_rows_at_a_time_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    grades, scores = random_case(4)
    pairs = made_qrels(grades)
    runs = runs_of_pairs([made_run(scores)], pairs, parse_measure("nDCG"))
    cases = np.random.default_rng(1).integers(-1, 3, (4, pairs.topic.size))
    whole = runs.values(cases)
    monkeypatch.setattr("evaluation.engine.sensitivity.cases.AT_ONCE", 1)
    assert np.array_equal(runs.values(cases), whole)


@pytest.mark.parametrize(
    ("measure", "options", "reason"),
    [
        ("nDCG", Options(unjudged="top"), "one of the changes"),
        ("nDCG", Options(judged_only=True), "one of the changes"),
        ("nDCG", Options(ties="averaged"), "broken"),
        ("NumRet", Options(), "not by NumRet"),
    ],
)
def test_what_is_no_question_of_order_is_refused(measure: str, options: Options, reason: str) -> None:
    grades, scores = random_case(4)
    with pytest.raises(ValueError, match=reason):
        runs_of_pairs([made_run(scores)], made_qrels(grades), parse_measure(measure), options)
