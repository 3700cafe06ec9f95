"""Which pairs are chosen next, against plain programs over dictionaries."""

import random

import numpy as np
import pytest

from evaluation.engine.adaptive.candidates import UNJUDGED, Candidates, Choice, candidates_of
from evaluation.engine.adaptive.methods import METHODS, methods_named
from evaluation.engine.adaptive.regression import design_of, expected_grades
from evaluation.engine.adaptive.separating import expected_order, ideal_dcg
from evaluation.engine.adaptive.stratified import stratified_order
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.run import PackedRun
from tests.evaluation.engine.made import Scores, made_run

TOP = 3


def random_runs(seed: int, *, n_topics: int = 5, n_runs: int = 4) -> list[PackedRun]:
    """Each has 12 of 30 documents, those of low numbers more often and higher."""
    rng = random.Random(seed)
    runs = []
    for i in range(n_runs):
        scores: Scores = {}
        for t in range(n_topics):
            docs = sorted(range(30), key=lambda d: d * rng.uniform(0.2, 1.0 + i))[:12]
            scores[str(t)] = {f"d{d}": float(12 - at) for at, d in enumerate(docs)}
        runs.append(made_run(scores, f"run{i}"))
    return runs


@pytest.fixture(scope="module")
def candidates() -> Candidates:
    return candidates_of(random_runs(1), depth=8)


def graded(candidates: Candidates, share: float, seed: int = 0) -> Ints:
    """Some pairs judged, at random."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(len(candidates)) < share, rng.integers(0, TOP + 1, len(candidates)), UNJUDGED)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_spends_the_whole_pool_once_and_repeats_itself(candidates: Candidates, name: str) -> None:
    truth = np.random.default_rng(3).integers(0, TOP + 1, len(candidates))
    orders = []
    for _ in range(2):
        grade, order = np.full(len(candidates), UNJUDGED), list[int]()
        while (rows := METHODS[name].choose(candidates, grade, 7, Choice(seed=5, top=TOP))).size:
            assert (grade[rows] == UNJUDGED).all()
            grade[rows] = truth[rows]
            order += rows.tolist()
        orders.append(order)
    assert sorted(orders[0]) == list(range(len(candidates)))
    assert orders[0] == orders[1]


@pytest.mark.parametrize("name", METHODS)
def test_pairs_of_no_run_are_never_chosen(candidates: Candidates, name: str) -> None:
    left = candidates.without(0)
    rows = METHODS[name].choose(left, np.full(len(left), UNJUDGED), 10_000, Choice(top=TOP))
    assert left.is_pooled[rows].all()
    assert not left.is_pooled.all()


def test_depth_takes_ranks_in_order(candidates: Candidates) -> None:
    rows = METHODS["depth"].choose(candidates, graded(candidates, 0.3), 10_000, Choice())
    assert (np.diff(candidates.best_rank[rows]) >= 0).all()


def test_topics_take_turns(candidates: Candidates) -> None:
    grade = np.full(len(candidates), UNJUDGED)
    rows = METHODS["rrf"].choose(candidates, grade, candidates.n_topics * 3, Choice())
    share = np.bincount(candidates.topic[rows]) / candidates.n_of_topic
    assert np.ptp(share) < 1 / candidates.n_of_topic.min()
    of_first = rows[candidates.topic[rows] == 0]
    assert (np.diff(candidates.fused[of_first]) <= 0).all()


def plain_next(candidates: Candidates, grade: Ints, topic: int, merit: dict[int, float]) -> set[int]:
    """The pairs that some best run with an unjudged document has next, one a run."""
    left = [p for p in np.flatnonzero(candidates.topic == topic).tolist() if grade[p] == UNJUDGED]
    with_any = {run for run in merit if any(candidates.rank[p, run] for p in left)}
    best = max(merit[run] for run in with_any)
    chosen = set()
    for run in with_any:
        if merit[run] == pytest.approx(best):
            chosen.add(min((p for p in left if candidates.rank[p, run]), key=lambda p: candidates.rank[p, run]))
    return chosen


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["max-mean", "move-to-front"])
def test_the_best_run_has_the_next_document(candidates: Candidates, name: str, seed: int) -> None:
    grade = graded(candidates, 0.4, seed)
    chosen = METHODS[name].choose(candidates, grade, 10_000, Choice(seed=seed, rel=2, top=TOP)).tolist()
    for topic in range(candidates.n_topics):
        merit = {}
        for run in range(4):
            rows = [p for p in np.flatnonzero(candidates.topic == topic).tolist() if candidates.rank[p, run]]
            seen = [int(grade[p]) for p in rows if grade[p] != UNJUDGED]
            mean = (1 + sum(seen) / TOP) / (2 + len(seen))
            merit[run] = mean if name == "max-mean" else -float(sum(g < 2 for g in seen))
        first = next(p for p in chosen if candidates.topic[p] == topic)
        assert first in plain_next(candidates, grade, topic, merit)


def test_inclusion_probabilities_are_how_often_pairs_are_drawn(candidates: Candidates) -> None:
    """A sample of a given size, over seeds: each stratum gives the same number, any pair of it as often."""
    n, n_seeds = 30, 4000
    times, chance = np.zeros(len(candidates)), np.zeros(len(candidates))
    for seed in range(n_seeds):
        order = stratified_order(candidates, Choice(seed=seed))
        sampled = np.zeros(len(candidates), bool)
        sampled[order.order[:n]] = True
        times += sampled
        chance = order.chances(sampled)
    assert chance.sum() == pytest.approx(n)
    error = np.sqrt(chance * (1 - chance) / n_seeds)
    assert (np.abs(times / n_seeds - chance) <= 4.5 * error + 1e-12).all()


def test_larger_samples_hold_the_smaller_ones(candidates: Candidates) -> None:
    order = stratified_order(candidates, Choice(seed=3))
    assert order.ends == (1, 4, 8)
    grade = np.full(len(candidates), UNJUDGED)
    grade[order.order[:25]] = 1
    assert METHODS["stratified"].choose(candidates, grade, 5, Choice(seed=3)).tolist() == order.order[25:30].tolist()


def test_shares_add_up_to_the_pairs_of_runs_expected_in_the_wrong_order(candidates: Candidates) -> None:
    grade = graded(candidates, 0.5)
    expected = expected_grades(design_of(candidates), grade, TOP)
    order = expected_order(candidates, expected, 5)
    assert order.share.sum() == pytest.approx(order.n_wrong)
    assert 0 < order.n_wrong < 6
    assert (order.share[grade != UNJUDGED] == 0).all()


def test_grades_are_regressed_on_ranks_fused_ranks_runs_and_topics(candidates: Candidates) -> None:
    for at in (0, len(candidates) // 2, len(candidates) - 1):
        ranks = [int(rank) for rank in candidates.rank[at] if rank]
        fused = float(np.log(1 + 60 * sum(1 / (60 + rank) for rank in ranks)))
        discounts = [1 / np.log2(rank + 1) if rank else 0.0 for rank in candidates.rank[at].tolist()]
        topic = [float(candidates.topic[at] == t) for t in range(5)]
        assert candidates.regressors[at].tolist() == pytest.approx([1, *discounts, fused, len(ranks) / 4, *topic])


def test_the_chance_of_the_wrong_order_is_what_simulation_gives(candidates: Candidates) -> None:
    """Grades of unjudged pairs drawn anew from their means and variances, normally; best DCGs as they are expected."""
    expected = expected_grades(design_of(candidates), graded(candidates, 0.5), TOP)
    order = expected_order(candidates, expected, 5)
    weight = np.where(candidates.rank <= 5, candidates.discount, 0.0)
    best = ideal_dcg(candidates, expected.grade, 5)[candidates.topic][:, None]
    rng, wrong, n = np.random.default_rng(1), 0.0, 4000
    for _ in range(n):
        drawn: Floats = expected.grade + np.sqrt(expected.variance) * rng.standard_normal(len(candidates))
        mean = (weight * drawn[:, None] / best).sum(axis=0) / candidates.n_topics
        first, second = np.triu_indices(4, 1)
        wrong += np.count_nonzero((mean[first] > mean[second]) != (order.mean[first] > order.mean[second])) / n
    assert wrong == pytest.approx(order.n_wrong, abs=0.05)


def test_nothing_judged_and_everything_judged(candidates: Candidates) -> None:
    design = design_of(candidates)
    nothing = expected_grades(design, np.full(len(candidates), UNJUDGED), TOP)
    assert set(nothing.grade.tolist()) == {TOP / 2}
    grade = np.random.default_rng(1).integers(0, TOP + 1, len(candidates))
    everything = expected_grades(design, grade, TOP)
    assert everything.grade.tolist() == grade.tolist()
    assert expected_order(candidates, everything, 5).n_wrong == pytest.approx(0, abs=1e-9)


def test_a_method_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no method 'depht'"):
        methods_named(["depth", "depht"])
    with pytest.raises(ValueError, match="no run has a document"):
        candidates_of(random_runs(0), depth=3, numbers=["none"])
