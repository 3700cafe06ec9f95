"""Rankings that tutorials draw by torch from the seed 42, each figure seeded anew, through the scorer that there is."""

import numpy as np
import pytest
import torch

from evaluation.engine.measures import parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import MeasureValues, evaluate
from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.run_of_nearest import run_of
from evaluation.engine.vectors.search import Nearest, search

SEED = 42


def names(n: int) -> list[str]:
    return [f"{row:05}" for row in range(n)]


def ranked(similarity: torch.Tensor) -> PackedRun:
    score, order = similarity.double().sort(dim=1, descending=True)
    nearest = Nearest(order.numpy(), score.numpy())
    return run_of(nearest, names(len(similarity)), names(similarity.shape[1]), "drawn").packed


def judged(grade: torch.Tensor) -> Qrels:
    topic, document = (grade > 0).nonzero(as_tuple=True)
    named = [names(n) for n in grade.shape]
    return Qrels.of([named[0][t] for t in topic], [named[1][d] for d in document], grade[topic, document].tolist())


def scored(run: PackedRun, qrels: Qrels, *measures: str) -> MeasureValues:
    return evaluate(run, qrels, [parse_measure(name) for name in measures])


def printed(run: PackedRun, qrels: Qrels, *measures: str) -> list[str]:
    return [f"{mean:.4f}" for mean in scored(run, qrels, *measures).mean]


def test_average_precision() -> None:
    torch.manual_seed(SEED)
    similarity, relevant = torch.randn(100, 1000), torch.rand(100, 1000) < 0.02
    evaluation = scored(ranked(similarity), judged(relevant.int()), "AP")
    assert [f"{evaluation.mean[0]:.4f}", f"{evaluation.value.std():.4f}"] == ["0.0259", "0.0102"]


def test_reciprocal_rank() -> None:
    torch.manual_seed(SEED)
    similarity, relevant = torch.randn(100, 1000), torch.rand(100, 1000) < 0.01
    assert printed(ranked(similarity), judged(relevant.int()), "RR") == ["0.0434"]


def test_ndcg_with_exponential_gains() -> None:
    torch.manual_seed(SEED)
    similarity, grade = torch.randn(100, 1000), torch.zeros(100, 1000, dtype=torch.int64)
    for value, share in ((1, 0.01), (2, 0.005), (3, 0.002)):
        grade[torch.rand(100, 1000) < share] = value
    measures = [f"nDCG(gains='exp')@{k}" for k in (5, 10, 20)]
    assert printed(ranked(similarity), judged(grade), *measures) == ["0.0032", "0.0066", "0.0132"]


def test_precision() -> None:
    torch.manual_seed(SEED)
    similarity, relevant = torch.randn(50, 1000), torch.rand(50, 1000) < 0.01
    assert printed(ranked(similarity), judged(relevant.int()), "P@10") == ["0.0020"]


def test_recall_of_one_relevant_document() -> None:
    torch.manual_seed(SEED)
    query, document = torch.randn(100, 256).numpy(), torch.randn(10000, 256).numpy()
    relevant = torch.randint(0, 10000, (100,)).tolist()
    run = run_of(search(query, document, names(10000), k=100), names(100), names(10000), "drawn").packed
    qrels = Qrels.of(names(100), [names(10000)[row] for row in relevant], [1] * 100)
    measures = [f"R@{k}" for k in (1, 5, 10, 50, 100)]
    assert printed(run, qrels, *measures) == ["0.0000"] * 4 + ["0.0100"]


@pytest.mark.parametrize(("similarity", "expected"), [("cosine", 0.0083), ("inner", 0.0085)])
def test_recall_of_its_own_row(similarity: Similarity, expected: float) -> None:
    torch.manual_seed(SEED)
    query, document = torch.randn(10000, 256).numpy(), torch.randn(10000, 256).numpy()
    nearest = search(query, document, names(10000), k=100, similarity=similarity)
    assert (nearest.document == np.arange(10000)[:, None]).any(1).mean() == expected
