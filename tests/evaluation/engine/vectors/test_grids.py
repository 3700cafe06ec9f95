"""The exact search beside faiss and scikit-learn on random grids of sizes, dimensions, similarities, ties and k.

Theirs round as they will, so that documents nearer to each other than `slack` may change places: each of theirs must
then be as near as the last of ours, and scores must agree rank by rank.
"""

import itertools

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics.pairwise import linear_kernel
from sklearn.neighbors import NearestNeighbors

from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.search import Nearest, search

Rows = NDArray[np.float32]
Found = tuple[NDArray[np.float64], NDArray[np.int64]]  # scores descending and documents, (n_queries, k) each

SIMILARITIES: tuple[Similarity, ...] = ("cosine", "inner", "euclidean")
SIZES = ((1, 1, 1), (1, 40, 3), (7, 200, 2), (30, 513, 17), (3, 1500, 64), (20, 90, 129))  # queries, documents, dim
TIES = ("none", "copies", "whole numbers")
GRID = list(itertools.product(SIMILARITIES, SIZES, TIES))


def drawn(size: tuple[int, int, int], ties: str) -> tuple[Rows, Rows, list[str]]:
    n_queries, n_documents, dim = size
    rng = np.random.default_rng([n_queries, n_documents, dim, TIES.index(ties)])
    query, document = (rng.standard_normal((n, dim)).astype(np.float32) for n in (n_queries, n_documents))
    if ties == "copies":  # every document some five times
        document = document[rng.integers(0, 1 + n_documents // 5, n_documents)]
    if ties == "whole numbers":  # many equal scores between different vectors
        query, document = (rng.integers(1, 4, side.shape).astype(np.float32) for side in (query, document))
    return query, document, [f"d{n}" for n in rng.permutation(n_documents)]


def exact_scores(query: Rows, document: Rows, similarity: Similarity) -> NDArray[np.float64]:
    left, right = query.astype(np.float64), document.astype(np.float64)
    if similarity == "euclidean":
        return np.asarray(-np.sqrt(((left[:, None] - right) ** 2).sum(2)))
    if similarity == "cosine":
        left, right = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right))
    return np.asarray(left @ right.T)


def by_faiss(query: Rows, document: Rows, k: int, similarity: Similarity) -> Found:
    if similarity == "cosine":
        query, document = query.copy(), document.copy()
        faiss.normalize_L2(query)
        faiss.normalize_L2(document)
    kind = faiss.IndexFlatL2 if similarity == "euclidean" else faiss.IndexFlatIP
    index = kind(document.shape[1])
    index.add(document)
    score, place = index.search(query, k)
    return (-np.sqrt(np.maximum(score, 0)) if similarity == "euclidean" else score).astype(np.float64), place


def by_scikit_learn(query: Rows, document: Rows, k: int, similarity: Similarity) -> Found:
    left, right = query.astype(np.float64), document.astype(np.float64)
    if similarity == "inner":
        score = linear_kernel(left, right)
        place = np.argsort(-score, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(score, place, 1), place
    fitted = NearestNeighbors(n_neighbors=k, metric=similarity, algorithm="brute").fit(right)
    distance, place = fitted.kneighbors(left)
    return (1 - distance if similarity == "cosine" else -distance), place


def agree(ours: Nearest, theirs: Found, exact: NDArray[np.float64], slack: float) -> None:
    score, place = theirs
    assert np.abs(ours.score - score).max() <= slack
    last = ours.score[:, -1:]
    assert (np.take_along_axis(exact, place, 1) >= last - 2 * slack).all()
    surely = exact > last + 2 * slack  # which nobody may miss
    for row in range(len(exact)):
        sure = set(np.flatnonzero(surely[row]).tolist())
        assert sure <= set(ours.document[row].tolist()) & set(place[row].tolist())


@pytest.mark.parametrize(("similarity", "size", "ties"), GRID)
def test_faiss_and_scikit_learn_agree(similarity: Similarity, size: tuple[int, int, int], ties: str) -> None:
    query, document, docno = drawn(size, ties)
    exact = exact_scores(query, document, similarity)
    scale = max(1.0, float(np.abs(exact).max()))
    for k in sorted({min(k, len(document)) for k in (1, 3, 25, len(document))}):
        ours = search(query, document, docno, k=k, similarity=similarity)
        of_faiss = by_faiss(query, document, k, similarity)
        # the square of a distance is a difference of squares in float32: near 0 its root loses half of the digits
        agree(ours, of_faiss, exact, 3e-3 * scale if similarity == "euclidean" else 2e-6 * scale)
        agree(ours, by_scikit_learn(query, document, k, similarity), exact, 1e-6 * scale)


@pytest.mark.parametrize(("similarity", "size"), list(itertools.product(SIMILARITIES, SIZES)))
def test_copies_stand_together_by_descending_docno(similarity: Similarity, size: tuple[int, int, int]) -> None:
    query, document, docno = drawn(size, "copies")
    kind = np.unique(document, axis=0, return_inverse=True)[1].ravel()
    ours = search(query, document, docno, k=len(document), similarity=similarity)
    for score, places in zip(ours.score, ours.document, strict=True):
        assert (np.diff(score) <= 0).all()
        copies: dict[int, list[tuple[float, str]]] = {}
        for value, place in zip(score.tolist(), places.tolist(), strict=True):
            copies.setdefault(int(kind[place]), []).append((value, docno[place]))
        for rows in copies.values():
            assert len({value for value, _ in rows}) == 1
            assert rows == sorted(rows, reverse=True)
