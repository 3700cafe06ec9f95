"""What is legal but far out: grades up to ±999,999,999 and every finite score. No value is NaN, none takes for ever."""

from typing import get_args

import numpy as np
import pytest

from evaluation.engine.gains import GREATEST_EXPONENT
from evaluation.engine.measures import DEFAULT_MEASURES, parse_measure
from evaluation.engine.scorer import evaluate
from evaluation.engine.significance.intervals.mean import mean_interval
from evaluation.engine.significance.intervals.result import Method
from tests.evaluation.engine.made import made_qrels, made_run

SCORES = {"1": {"b": 1e308, "a": -1e308, "c": 5e-324, "d": -0.0, "e": 0.0}, "2": {"a": 1.7976931348623157e308}}


def test_scores_are_compared_and_never_added() -> None:
    run = made_run(SCORES)
    assert list(run.docno) == ["b", "c", "e", "d", "a", "a"]
    grades = {"1": {"b": 1, "a": 2}, "2": {"a": 1}}
    evaluation = evaluate(run, made_qrels(grades), [parse_measure("P@1"), parse_measure("RR"), parse_measure("AP")])
    assert evaluation.value.tolist() == [[1.0, 1.0, (1 + 2 / 5) / 2], [1.0, 1.0, 1.0]]


def test_the_greatest_grades_cost_no_more_than_small_ones() -> None:
    grades = {"1": {"a": 999_999_999, "b": 2000, "c": -999_999_999}, "2": {"a": -1}, "3": {"a": 0}, "4": {"z": 3}}
    evaluation = evaluate(made_run(SCORES), made_qrels(grades), [parse_measure(name) for name in DEFAULT_MEASURES])
    assert np.isfinite(evaluation.value).all()


def test_grades_far_apart_gain_what_they_say() -> None:
    evaluation = evaluate(made_run(SCORES), made_qrels({"1": {"b": 1, "a": 5000}}), [parse_measure("nDCG")])
    assert evaluation.value.tolist() == [[(1 + 5000 / np.log2(6)) / (5000 + 1 / np.log2(3))]]


@pytest.mark.parametrize("grade", [201, 2000, 999_999_999])
def test_exponential_gains_beyond_float64_are_refused(grade: int) -> None:
    """2^grade would be infinite, and infinite over infinite no number."""
    with pytest.raises(ValueError, match=f"^the grade {grade} is too great for gains of 2\\^grade − 1: at most 200$"):
        evaluate(made_run(SCORES), made_qrels({"1": {"a": grade, "b": 1}}), [parse_measure("nDCG(gains='exp')@10")])


def test_exponential_gains_up_to_there_are_finite() -> None:
    measures = [parse_measure("nDCG(gains='exp')")]
    evaluation = evaluate(made_run(SCORES), made_qrels({"1": {"a": 200, "b": 200, "c": 199}}), measures)
    assert 0 < evaluation.value[0, 0] < 1


@pytest.mark.parametrize("method", get_args(Method))
def test_intervals_of_the_greatest_gains_are_finite(method: Method) -> None:
    """Statistics square values, and cube them."""
    grades = {number: {"a": GREATEST_EXPONENT - int(number)} for number in "1234567"}
    run = made_run({number: {"a": 1.0} for number in grades})
    evaluation = evaluate(run, made_qrels({**grades, "8": {"a": 0}}), [parse_measure("DCG(gains='exp')")])
    interval = mean_interval(evaluation.value[:, 0], method=method, rng=1)
    assert np.isfinite([interval.low, interval.high]).all()
    assert interval.low < interval.mean < interval.high
