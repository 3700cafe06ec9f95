import random
from itertools import pairwise, permutations
from statistics import fmean, pstdev

import numpy as np
import pytest

from evaluation.engine.abstention import RATES, abstention, nauc, signs_of_confidence
from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine.made import made_qrels, made_run, random_case


def plain_area(confidence: list[float], value: list[float]) -> float:
    """The mean area under the curve over all orders of topics of equal confidence."""
    areas, n = [], len(value)
    for order in permutations(range(n)):
        if all(confidence[a] <= confidence[b] for a, b in pairwise(order)):
            curve = [fmean([value[t] for t in order][min(round(rate * n), n - 1) :]) for rate in RATES.tolist()]
            areas.append(sum((a + b) / 2 * 0.1 for a, b in pairwise(curve)))
    return fmean(areas)


@pytest.mark.parametrize("seed", range(20))
def test_nauc_as_counted_over_all_orders_of_ties(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randrange(2, 8)
    confidence, value = [rng.randrange(4) / 4 for _ in range(n)], [rng.randrange(5) / 4 for _ in range(n)]
    flat = fmean(value) * 0.9
    best = plain_area(value, value) - flat
    area = nauc(np.array(confidence), np.array(value))
    if best == pytest.approx(0):
        assert area is None
    else:
        assert area == pytest.approx((plain_area(confidence, value) - flat) / best, rel=1e-12, abs=1e-12)


def test_confidence_that_orders_topics_as_their_values_do_reaches_one() -> None:
    value = np.random.default_rng(1).random(57)
    assert nauc(value * 3 - 7, value) == pytest.approx(1)
    worst = nauc(-value, value)
    assert worst is not None
    assert worst < -0.5
    assert nauc(np.ones(57), value) == pytest.approx(0)


def test_equal_values_leave_nothing_to_gain() -> None:
    assert nauc(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5, 0.5])) is None
    assert nauc(np.array([1.0]), np.array([0.5])) is None


def test_signs_of_confidence() -> None:
    scores = {"1": {"a": 5.0, "b": 3.0, "c": -1.0}, "2": {"a": 2.5}, "3": {"a": 1.0, "b": 1.0}}
    highest, std, diff1 = signs_of_confidence(made_run(scores))
    assert highest.tolist() == [5, 2.5, 1]
    assert std == pytest.approx([pstdev(of.values()) for of in scores.values()])
    assert diff1.tolist() == [2, 0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_a_run_is_judged_by_the_topics_it_has(seed: int) -> None:
    grades, scores = random_case(seed)
    run = made_run(scores)
    evaluation = evaluate(run, made_qrels(grades), [parse_measure("AP"), parse_measure("P@3")])
    both = [number for number in evaluation.numbers if number in scores]
    value = evaluation.value[[evaluation.numbers.index(number) for number in both]]
    signs = [sign[[run.numbers.index(number) for number in both]] for sign in signs_of_confidence(run)]
    expected = [tuple(nauc(sign, value[:, m]) for m in range(2)) for sign in signs]
    result = abstention(run, evaluation)
    assert [result.max, result.std, result.diff1] == expected


def test_no_topic_in_common() -> None:
    evaluation = evaluate(made_run({"1": {"a": 1.0}}), made_qrels({"1": {"a": 1}}), [parse_measure("AP")])
    with pytest.raises(ValueError, match="none of the topics of the run"):
        abstention(made_run({"2": {"a": 1.0}}), evaluation)
