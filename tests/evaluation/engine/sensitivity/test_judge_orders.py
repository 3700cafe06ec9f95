"""Orders under other judges against evaluations made one by one; and against the values of a real track."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau

from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.sensitivity.evidence import Evidence, Question
from evaluation.engine.sensitivity.judge_orders import judge_orders, ranks_of
from evaluation.engine.sensitivity.study import study
from tests.evaluation.engine.made import made_qrels, made_run, random_case

MEASURE = parse_measure("nDCG@5")


def test_each_judge_has_the_order_of_an_evaluation_against_its_grades() -> None:
    grades, rng = random_case(3)[0], np.random.default_rng(5)
    pairs = made_qrels(grades)
    drawn = [{number: {docno: rng.random() for docno in of} for number, of in grades.items()} for _ in range(4)]
    runs = [made_run(scores, f"run{n}") for n, scores in enumerate(drawn)]
    others = {name: replace(pairs, grade=rng.integers(0, 5, pairs.topic.size)) for name in ("llm", "model")}
    options = Options(max_grade=4)
    studied = study(
        Evidence(runs=runs, pairs=pairs, others=others), Question(measure=MEASURE, options=options, n_draws=10)
    )
    by_tag = {run.tag: run for run in runs}
    ordered = [by_tag[tag] for tag in studied.tags]
    base = [float(one.mean[0]) for one in evaluate_runs(ordered, pairs, [MEASURE], options=options)]
    assert studied.rank == (1, 2, 3, 4)
    assert [order.judge for order in studied.judges] == ["llm", "model"]
    change = next(each for each in studied.changes if each.kind == "judges")
    for at, (order, qrels) in enumerate(zip(studied.judges, others.values(), strict=True)):
        mean = [float(one.mean[0]) for one in evaluate_runs(ordered, qrels, [MEASURE], options=options)]
        assert order.mean == pytest.approx(mean, abs=1e-12)
        assert list(order.rank) == [1 + sum(other > one for other in mean) for one in mean]
        assert order.tau_b == pytest.approx(kendalltau(base, mean).statistic)
        assert (order.tau_b, order.tau_ap) == (change.tau_b[at], change.tau_ap[at])
        swapped = [
            (base[i] - base[j], (studied.tags[i], studied.tags[j]))
            for i, j in combinations(range(4), 2)
            if mean[i] < mean[j]
        ]
        assert list(order.swaps) == [pair for _, pair in sorted(swapped, reverse=True)]
        assert len(order.swaps) == change.n_swaps[at]


def test_equal_means_share_the_best_rank_and_do_not_swap() -> None:
    assert ranks_of(np.array([0.3, 0.5, 0.3 + 1e-14, 0.1])).tolist() == [2, 1, 2, 4]
    base, means = np.array([0.5, 0.4, 0.4, 0.1]), np.array([[0.2, 0.2, 0.6, 0.3], [0.7, 0.7, 0.7, 0.7]])
    first, level = judge_orders(["a", "b", "c", "d"], base, ["llm", "level"], means)
    assert first.rank == (3, 3, 1, 2)
    assert first.swaps == (("a", "d"), ("b", "d"), ("a", "c"))
    (turned,) = judge_orders(["d", "b", "a"], base[[3, 1, 0]], ["llm"], means[:1, [3, 1, 0]])
    assert turned.swaps == (("a", "d"), ("b", "d"))
    assert (level.rank, level.tau_b, level.tau_ap, level.swaps) == ((1, 1, 1, 1), None, None, ())
