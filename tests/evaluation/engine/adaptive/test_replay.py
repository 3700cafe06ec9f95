"""A replay against evaluations that are made anew, budget by budget."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from evaluation.engine.adaptive.candidates import UNJUDGED, Choice, candidates_of
from evaluation.engine.adaptive.length import MOST_SECONDS, replay_seconds
from evaluation.engine.adaptive.methods import METHODS
from evaluation.engine.adaptive.regression import ExpectedGrades
from evaluation.engine.adaptive.replay import replay
from evaluation.engine.adaptive.stratified import stratified_order
from evaluation.engine.adaptive.valuing import Rescored, SampledRuns, assisted_means, sampled_measure_for
from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.sampled import Prels, evaluate_sampled
from evaluation.engine.scorer import evaluate_runs
from evaluation.engine.significance.correlation import kendall_tau_b
from tests.evaluation.engine.adaptive.test_methods import random_runs
from tests.evaluation.engine.made import made_qrels

RUNS = random_runs(2)
MEASURES = [parse_measure("nDCG@5"), parse_measure("AP(rel=2)")]
QRELS = made_qrels({str(t): {f"d{d}": max(0, 3 - (d * 7 + t) % 5) for d in range(30)} for t in range(5)})
CANDIDATES = candidates_of(RUNS, depth=6)


def judged_pairs(share: float) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Of the candidates: names of all, and grades of some."""
    names, by_pair = CANDIDATES.named_pairs(), QRELS.grade_by_pair()
    order = stratified_order(CANDIDATES, Choice(seed=1)).order[: round(share * len(names))]
    grade = np.full(len(names), UNJUDGED)
    grade[order] = [by_pair[names[p]] for p in order.tolist()]
    return names, grade


@pytest.mark.parametrize("share", [0.3, 0.8])
def test_rescored_means_are_those_of_an_evaluation(share: float) -> None:
    names, grade = judged_pairs(share)
    some = [(n, d, int(g)) for (n, d), g in zip(names, grade.tolist(), strict=True) if g >= 0]
    qrels = Qrels.of([n for n, _, _ in some], [d for _, d, _ in some], [g for _, _, g in some])
    expected = np.stack([one.mean for one in evaluate_runs(RUNS, qrels, MEASURES)], axis=1)
    means = Rescored.of(RUNS, CANDIDATES, MEASURES, top=3).means(grade)
    np.testing.assert_allclose(means, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("share", [0.4, 1.0])
def test_sampled_means_are_those_of_a_sampled_evaluation(share: float) -> None:
    names, grade = judged_pairs(share)
    strata = stratified_order(CANDIDATES, Choice(seed=1))
    numbers, docnos = zip(*names, strict=True)
    prels = Prels.stratified(numbers, docnos, strata.stratum.astype(str).tolist(), grade)
    measures = [sampled_measure_for(one) for one in MEASURES]
    assert list(map(str, measures)) == ["infNDCG@5", "xinfAP(rel=2)"]
    evaluations = [evaluate_sampled(run, prels, [one for one in measures if one]) for run in RUNS]
    means = SampledRuns.of(RUNS, CANDIDATES, strata, measures).means(grade)
    np.testing.assert_allclose(means, np.stack([one.mean for one in evaluations], axis=1), atol=1e-12)


def test_the_assisted_dcg_is_right_on_average_whatever_the_regression() -> None:
    """A fit that is no good, over samples of a third: the mean of estimates is the value of all grades."""
    names, every = judged_pairs(1.0)
    poor = ExpectedGrades(every.astype(float), np.zeros(every.size), np.full(every.size, 2.5))
    estimates = []
    for seed in range(3000):
        order = stratified_order(CANDIDATES, Choice(seed=seed))
        grade = np.full(len(names), UNJUDGED)
        rows = order.order[: len(names) // 3]
        grade[rows] = every[rows]
        estimates.append(assisted_means(CANDIDATES, poor, grade, order.chances(grade >= 0), 5))
    exact = assisted_means(CANDIDATES, poor, every, np.ones(every.size), 5)
    error = np.std(estimates, axis=0) / np.sqrt(len(estimates))
    assert (np.abs(np.mean(estimates, axis=0) - exact) <= 4 * error).all()


@pytest.mark.parametrize("name", METHODS)
def test_all_of_the_pool_gives_one_order_whatever_the_method(name: str) -> None:
    """With the pool as deep as the measure nothing unjudged is in it; a budget costs what it says."""
    result = replay(RUNS, QRELS, [METHODS[name]], budgets=(0.5, 1.0), n_seeds=2, measure="nDCG@6", depth=6, rel=2)
    half, whole = result.rows
    assert (half.n_judged, whole.n_judged) == (round(0.5 * len(CANDIDATES)), len(CANDIDATES))
    _, every = judged_pairs(1.0)
    measure = parse_measure("nDCG@6")
    mean = Rescored.of(RUNS, CANDIDATES, [measure], top=3).means(every)[0]
    truth = np.array([one.mean[0] for one in evaluate_runs(RUNS, QRELS, [measure])])
    assert whole.tau_b.tolist() == pytest.approx([kendall_tau_b(mean, truth).value] * whole.tau_b.size)
    assert whole.error.tolist() == pytest.approx([np.abs(mean - truth).mean()] * whole.tau_b.size)
    assert result.n_pairs == len(CANDIDATES)


def test_a_run_left_out_finds_nothing_of_its_own() -> None:
    methods = [METHODS["depth"], METHODS["separating"]]
    result = replay(RUNS, QRELS, methods, budgets=(1.0,), n_seeds=1, depth=10, leave_out=True)
    for row in result.left_out:
        assert row.tau_b.size == row.moved.size == len(RUNS)
        assert row.n_judged < result.n_pairs
    assert np.isnan(result.rows[0].moved).all()


def test_pairs_that_the_qrels_lack() -> None:
    few = QRELS.grade > 0
    qrels = Qrels.of(
        [QRELS.numbers[t] for t in QRELS.topic[few]], list(QRELS.docno.take(np.flatnonzero(few))), QRELS.grade[few]
    )
    skipped, counted = (
        replay(RUNS, qrels, [METHODS["rrf"]], budgets=(0.5,), n_seeds=1, unlisted=way) for way in ("skip", "zero")
    )
    assert skipped.n_unknown == counted.n_unknown > 0
    assert counted.n_pairs == skipped.n_pairs + counted.n_unknown
    assert float(counted.rows[0].found[0]) < 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"runs": RUNS[:2]}, "three or more"),
        ({"budgets": (0.0,)}, "above 0 and at most 1"),
        ({"n_seeds": 0}, "at least one seed"),
        ({"measure": "RR"}, "stratified has no estimate of RR"),
        ({"measure": "AP", "methods": ["separating"]}, "by nDCG@k alone, not by AP"),
        ({"measure": "NumRet", "methods": ["depth"]}, "in no order"),
        ({"methods": []}, "no method"),
        ({"qrels": made_qrels({"0": {"unheard": 1}})}, "know no pair"),
    ],
)
def test_what_cannot_be_replayed(change: dict[str, object], reason: str) -> None:
    asked = {"runs": RUNS, "qrels": QRELS, "methods": list(METHODS), "n_seeds": 1, **change}
    runs, qrels = asked.pop("runs"), asked.pop("qrels")
    methods = [METHODS[name] for name in asked.pop("methods")]  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=reason):
        replay(runs, qrels, methods, **asked)  # type: ignore[arg-type]


def test_the_rows_of_a_replay_are_the_same_again() -> None:
    first, second = (replay(RUNS, QRELS, [METHODS["max-mean"]], budgets=(0.3,), n_seeds=3) for _ in range(2))
    assert first.rows[0].tau_b.tolist() == second.rows[0].tau_b.tolist()
    assert replace(first, rows=()).tags == ("run0", "run1", "run2", "run3")


def test_progress_goes_on_within_a_draw_and_what_it_raises_ends_the_replay() -> None:
    steps = list[tuple[int, int]]()
    asked: dict[str, Any] = {"measure": "nDCG@6", "depth": 6}
    replay(RUNS, QRELS, [METHODS["max-mean"]], n_seeds=2, progress=lambda *one: steps.append(one[:2]), **asked)
    done = [done for done, _ in steps]
    n_pairs = int(CANDIDATES.is_pooled.sum())
    assert {total for _, total in steps} == {2 * n_pairs}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 2 * n_pairs)
    assert max(after - before for before, after in pairwise(done)) <= CANDIDATES.n_topics, "a portion"

    def stop(done: int, total: int, words: str) -> None:
        if done >= n_pairs // 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        replay(RUNS, QRELS, [METHODS["separating"]], n_seeds=1, progress=stop, **asked)


def test_what_would_take_too_long_is_refused_before_a_draw() -> None:
    calls = list[int]()
    asked: dict[str, Any] = {"n_seeds": 10**9, "measure": "nDCG@6", "depth": 6, "progress": lambda *_: calls.append(1)}
    with pytest.raises(ValueError, match=r"^1,000,000,000 draws from \d+ pairs of \d+ runs would take some [\d,]+ min"):
        replay(RUNS, QRELS, [METHODS["max-mean"]], most_seconds=MOST_SECONDS, **asked)
    assert not calls


@pytest.mark.parametrize("name", METHODS)
def test_a_longer_replay_is_said_to_take_longer(name: str) -> None:
    def seconds(n_draws: int, **shape: int) -> float:
        return replay_seconds([METHODS[name]], {name: n_draws}, **shape)

    shape = {"n_pairs": 1870, "n_runs": 25, "n_topics": 43}
    assert seconds(50, **shape) == pytest.approx(50 * seconds(1, **shape))
    assert seconds(50, **shape) < 60, "fifty draws of dl19 take a few seconds"
    for more in ("n_pairs", "n_runs"):
        assert seconds(1, **shape | {more: 10 * shape[more]}) > 5 * seconds(1, **shape)
