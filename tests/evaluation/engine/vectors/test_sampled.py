"""A search measured on some of its queries: the tutorial's recall, and how often the interval holds the truth."""

import numpy as np
import pytest
import torch

from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.reference.models import sampled_rows
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import evaluate
from evaluation.engine.vectors.run_of_nearest import run_of
from evaluation.engine.vectors.sampled import sampled_means
from evaluation.engine.vectors.search import search

NAMES = [f"{row:05}" for row in range(10000)]
RECALL = [parse_measure("R@10")]


def test_sampled_recall_of_the_tutorial_comes_with_its_interval() -> None:
    torch.manual_seed(42)
    query, document = torch.randn(10000, 256).numpy(), torch.randn(10000, 256).numpy()
    row = sampled_rows(10000, 1000, rng := np.random.default_rng(42))
    numbers = [NAMES[one] for one in row]
    nearest = search(query[row], document, NAMES, k=10)
    qrels = Qrels.of(NAMES, NAMES, [1] * 10000)
    run = run_of(nearest, numbers, NAMES, "drawn").packed
    (one,) = sampled_means(run, qrels, RECALL, drawn=numbers, n_all=10000, rng=rng)
    assert one.interval.mean == (nearest.document == row[:, None]).any(1).mean()
    assert (one.n_drawn, one.n_all, one.interval.method) == (1000, 10000, "percentile")
    assert one.interval.low <= one.interval.mean <= one.interval.high < 0.01
    every = (search(query, document, NAMES, k=10).document == np.arange(10000)[:, None]).any(1).mean()
    assert one.interval.low <= every <= one.interval.high


@pytest.fixture(scope="module")
def whole() -> tuple[PackedRun, Qrels]:
    rng = np.random.default_rng(3)
    document = rng.standard_normal((400, 8)).astype(np.float32)
    query = document + rng.standard_normal(document.shape).astype(np.float32)
    run = run_of(search(query, document, NAMES[:400], k=10), NAMES[:400], NAMES[:400], "whole").packed
    return run, Qrels.of(NAMES[:400], NAMES[:400], [1] * 400)


def test_about_19_of_20_intervals_hold_the_mean_of_all(whole: tuple[PackedRun, Qrels]) -> None:
    run, qrels = whole
    (mean,), hits = evaluate(run, qrels, RECALL).mean, 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        drawn = [NAMES[one] for one in sampled_rows(400, 200, rng)]
        (one,) = sampled_means(run, qrels, RECALL, drawn=drawn, n_all=400, rng=rng)
        hits += one.interval.low <= mean <= one.interval.high
    assert 52 <= hits < 60


def test_all_queries_leave_no_doubt(whole: tuple[PackedRun, Qrels]) -> None:
    (one,) = sampled_means(*whole, RECALL, drawn=NAMES[:400], n_all=400, rng=np.random.default_rng(1))
    assert one.interval.low == one.interval.mean == one.interval.high


def test_refusals(whole: tuple[PackedRun, Qrels]) -> None:
    with pytest.raises(ValueError, match="not GMAP"):
        sampled_means(*whole, [parse_measure("gm_map")], drawn=NAMES[:9], n_all=400, rng=np.random.default_rng(1))
    with pytest.raises(ValueError, match="1 of those drawn are judged"):
        sampled_means(*whole, RECALL, drawn=["00001", "else"], n_all=400, rng=np.random.default_rng(1))
