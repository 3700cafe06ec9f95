"""Numbers that tutorials print, and the named variants that give them (docs/measures.md, "Numbers in tutorials")."""

import pytest

from evaluation.engine.measures import parse_measure
from evaluation.engine.scorer import evaluate
from tests.evaluation.engine.made import Grades, Scores, made_qrels, made_run

# The three queries are reconstructed: of all rankings of ten documents, three lists of relevant ranks give the printed
# recall, MRR, precision, MAP over found and nDCG at 1, 5 and 10, with 3, 5 and 4 relevant documents. The docnos are
# such that a ranking by docno gives the printed nDCG.
RELEVANT_RANKS = {"1": (1, 2, 6), "2": (1, 2, 3, 4, 5), "3": (2, 3, 5)}
RANKS_BY_DOCNO = {"1": (2, 3, 5), "2": (4, 5, 6, 7, 8), "3": (6, 8, 9)}
MISSED = {"3": "00"}  # relevant, not retrieved


def docnos(topic: str) -> list[str]:
    """The ten documents as retrieved: the relevant ones, and the others, each by descending docno."""
    relevant = iter(f"{11 - rank:02}" for rank in RANKS_BY_DOCNO[topic])
    others = iter(f"{11 - rank:02}" for rank in range(1, 11) if rank not in RANKS_BY_DOCNO[topic])
    return [next(relevant if rank in RELEVANT_RANKS[topic] else others) for rank in range(1, 11)]


def grades() -> Grades:
    judgments = {topic: {docnos(topic)[rank - 1]: 1 for rank in ranks} for topic, ranks in RELEVANT_RANKS.items()}
    return {topic: judgments[topic] | ({MISSED[topic]: 1} if topic in MISSED else {}) for topic in judgments}


def ranked() -> Scores:
    return {topic: {docno: -float(rank) for rank, docno in enumerate(docnos(topic))} for topic in RELEVANT_RANKS}


def printed(grades: Grades, scores: Scores, names: list[str]) -> list[str]:
    evaluation = evaluate(made_run(scores), made_qrels(grades), [parse_measure(name) for name in names])
    return [f"{mean:.4f}" for mean in evaluation.mean]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("R(capped=True)", ["0.6667", "0.8056", "0.9167"]),
        ("RR", ["0.6667", "0.8333", "0.8333"]),
        ("P", ["0.6667", "0.6667", "0.3667"]),
        ("AP(of='found')", ["0.6667", "0.8630", "0.8074"]),
        ("nDCG", ["0.6667", "0.7860", "0.8417"]),
    ],
)
def test_three_queries(name: str, expected: list[str]) -> None:
    assert printed(grades(), ranked(), [f"{name}@{k}" for k in (1, 5, 10)]) == expected


def test_plain_recall_and_ap_of_the_three_queries_are_other_numbers() -> None:
    names = ["R@1", "R@5", "R@10", "AP@1", "AP@5", "AP@10", "AP(of='capped')@1"]
    assert printed(grades(), ranked(), names) == ["0.1778", "0.8056", "0.9167", "0.1778", "0.7028", "0.7583", "0.6667"]


def test_the_ndcg_that_the_tutorial_prints_ranks_by_docno() -> None:
    """It hands the docnos over as scores, and what was retrieved as all that is relevant."""
    by_docno = {topic: {docno: float(docno) for docno in docs} for topic, docs in ranked().items()}
    retrieved = {topic: {d: 1 for d in docs if d != MISSED.get(topic)} for topic, docs in grades().items()}
    assert printed(retrieved, by_docno, ["nDCG@1", "nDCG@5", "nDCG@10"]) == ["0.0000", "0.3298", "0.5956"]


@pytest.mark.parametrize(
    ("reference", "model", "name", "expected"),
    [
        ([7, 23, 156, 89, 42], [7, 89, 12, 23, 99], "R@5", 0.60),
        ([7, 23, 156, 89, 42], [7, 99, 23, 156, 12], "AP(of='found')@5", 0.81),
        ([7, 23, 156], [7, 99, 23, 156, 12], "nDCG@5", 0.91),
        ([7, 23, 156, 89, 42], [99, 7, 23], "RR", 0.50),
    ],
)
def test_the_overlap_of_a_model_with_a_reference(
    reference: list[int], model: list[int], name: str, expected: float
) -> None:
    """The first documents of the reference count as the relevant ones."""
    scores = {"1": {str(docno): -float(rank) for rank, docno in enumerate(model)}}
    evaluation = evaluate(made_run(scores), made_qrels({"1": {str(d): 1 for d in reference}}), [parse_measure(name)])
    assert round(float(evaluation.mean[0]), 2) == expected
