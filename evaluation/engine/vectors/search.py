"""The k nearest documents of each query, exactly: the same numbers whatever the blocks, threads and device.

Documents are gone through in blocks, and for each block queries in blocks, one a thread. A rough
product (`screening`) leaves few pairs (`candidates`), which are scored by `exact` when all
documents have been seen, or earlier where there are many.
"""

import os
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.vectors.candidates import GROUP, Candidates, Floor, candidates
from evaluation.engine.vectors.exact import Similarity, pair_scores
from evaluation.engine.vectors.screening import Rough, power_of_two, round_rows

if TYPE_CHECKING:
    import torch

Vectors = NDArray[np.float32]
DOCUMENTS, QUERIES = 1 << 15, 1 << 9  # of a block: 34 MB of keys in bfloat16, 67 in float32, a thread
PAIRS = 1 << 20  # that wait in a block of queries
ROUNDED = 1 << 13  # rows rounded by one thread at a time


@dataclass(frozen=True, eq=False)
class Nearest:
    """`document` indexes the rows searched; −1, with a score of −∞, where there are fewer than k."""

    document: Ints  # (n_queries, k)
    score: Floats  # (n_queries, k) descending, equal scores by docno descending


@dataclass(frozen=True)
class Blocks:
    """How the work is cut, and where it is done; none of it changes a result. `bfloat16`: None where it is fast."""

    documents: int = DOCUMENTS
    queries: int = QUERIES
    bfloat16: bool | None = None
    device: str = "cpu"


@dataclass(frozen=True, eq=False)
class _Request:
    query: "torch.Tensor"  # (n_queries, dim) float32
    document: "torch.Tensor"  # (n_documents, dim) float32
    docno: list[str]
    similarity: Similarity
    own: Ints  # (n_queries,)
    blocks: Blocks
    dtype: "torch.dtype"
    scale: float | None  # what rows are divided by before the product; None: each by its length
    query_scale: float | None


def search(
    query: Vectors,
    document: Vectors,
    docno: list[str],
    *,
    k: int,
    similarity: Similarity = "cosine",
    own: Ints | None = None,
    blocks: Blocks = Blocks(),
    progress: WordlessWatch = say_nothing,
) -> Nearest:
    """`query` (n_queries, dim) and `document` (n_documents, dim), rounded to float32; `docno` names the documents.

    Raises `ValueError` for a row that is not finite and, for cosine, of zeros, as for shapes that do not fit. `own`,
    (n_queries,), is the document that a query may not retrieve, or −1. `progress` is called after each block with
    pairs done and pairs in all; what it raises ends the search. Memory beyond the inputs: keys of a block and waiting
    pairs a thread, a rounded copy of a block of documents and of the queries, and 40 bytes for each of the
    n_queries × k documents retrieved.
    """
    _check(query, document, docno, k, similarity)
    if not len(query) or not len(document):
        return Nearest(np.full((len(query), k), -1, np.int64), np.full((len(query), k), -np.inf))
    request = _request(query, document, docno, similarity=similarity, own=own, blocks=blocks)
    with _whole_float32(), _threads(blocks) as pool:
        best = _search(request, min(k, len(document)), pool, progress)
    missing = ((0, 0), (0, max(0, k - len(document))))
    score = np.pad(np.concatenate([one.score for one in best]), missing, constant_values=-np.inf)
    return Nearest(np.pad(np.concatenate([one.document for one in best]), missing, constant_values=-1), score)


def take_threads(n: int) -> None:
    """So many threads, for all searches of this process from now on; below 0: as many as there are cores."""
    import torch

    torch.set_num_threads(n if n > 0 else os.cpu_count() or 1)


def _search(request: _Request, k: int, pool: ThreadPoolExecutor, progress: WordlessWatch) -> list[Nearest]:
    n_queries, n = len(request.query), len(request.document)
    step = request.blocks.queries
    rough = _rounded(request, request.query, request.query_scale, "one", pool)
    cuts = [slice(a, min(a + step, n_queries)) for a in range(0, n_queries, step)]
    blocks = [_Block(request, rows, _rows(rough, rows), k) for rows in cuts]
    buffers = _buffers(request)
    for first in range(0, n, request.blocks.documents):
        part = request.document[first : first + request.blocks.documents]
        ready = _rounded(request, part, request.scale, "offset", pool)
        done = first * n_queries
        jobs = {pool.submit(block.search, ready, first, buffers): block for block in blocks}
        for job in as_completed(jobs):
            job.result()
            done += jobs[job].n_queries * len(part)
            progress(done, n * n_queries)
    return list(pool.map(_Block.best, blocks))


class _Block:
    """A block of queries: pairs that wait to be scored, and the best of those that are."""

    def __init__(self, request: _Request, rows: slice, rough: Rough, k: int) -> None:
        import torch

        self.request, self.rough, self.k = request, rough, k
        self.query, self.own = request.query[rows], request.own[rows]
        self.n_queries = len(self.query)
        self.floor = Floor(torch.full((self.n_queries, k), -torch.inf, dtype=torch.float64, device=rough.error.device))
        self.waiting: list[Candidates] = []
        self.row, self.document = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.score = np.zeros(0)

    def search(self, document: Rough, first: int, buffers: "SimpleQueue[torch.Tensor]") -> None:
        """Find candidates in a block of documents; `first` is the row of its first."""
        buffer = buffers.get()
        try:
            for near in candidates(self.rough, document, self.floor, own=self.own - first, buffer=buffer):
                self.waiting.append(Candidates(near.query, near.document + first, near.bound))
                if sum(len(one.query) for one in self.waiting) > PAIRS:
                    self.settle()
        finally:
            buffers.put(buffer)

    def settle(self) -> None:
        """Score what waits and may still be among the best, and keep the k best of each query."""
        import torch

        row, document, bound = (
            torch.cat([getattr(one, name) for one in self.waiting]) for name in ("query", "document", "bound")
        )
        self.waiting = []
        possible = bound >= self.floor.lowest[row]
        pairs = row[possible].cpu(), document[possible].cpu()
        score = pair_scores(self.query, self.request.document, pairs, self.request.similarity)
        rows = np.concatenate([self.row, pairs[0].numpy()])
        documents = np.concatenate([self.document, pairs[1].numpy()])
        scores = np.concatenate([self.score, score.numpy()])
        order = self._order(rows, documents, scores)
        start = np.searchsorted(rows[order], np.arange(self.n_queries))
        order = order[np.arange(len(order)) - start[rows[order]] < self.k]
        self.row, self.document, self.score = rows[order], documents[order], scores[order]

    def _order(self, row: Ints, document: Ints, score: Floats) -> Ints:
        """By query, then score, then docno descending, which is only looked up where scores are equal."""
        order = np.argsort(-score)  # faster than a stable sort: equal scores are sorted below
        order = order[np.argsort(row[order].astype(np.min_scalar_type(self.n_queries)), kind="stable")]
        same = (row[order[1:]] == row[order[:-1]]) & (score[order[1:]] == score[order[:-1]])
        if not same.any():
            return order
        tied = np.unique(document[order[np.union1d(np.nonzero(same)[0], np.nonzero(same)[0] + 1)]])
        ordinal = np.zeros(len(self.request.document), np.int32)
        ordinal[sorted(tied, key=self.request.docno.__getitem__, reverse=True)] = np.arange(len(tied))
        return np.lexsort((ordinal[document], -score, row))

    def best(self) -> Nearest:
        if self.waiting:
            self.settle()
        document = np.full((self.n_queries, self.k), -1, np.int64)
        score = np.full((self.n_queries, self.k), -np.inf)
        column = np.arange(len(self.row)) - np.searchsorted(self.row, self.row)
        document[self.row, column], score[self.row, column] = self.document, self.score
        return Nearest(document, score)


def _buffers(request: _Request) -> "SimpleQueue[torch.Tensor]":
    """Room for the keys of a block, for each thread; taken once, since fresh memory costs more than the product."""
    import torch

    documents = min(request.blocks.documents, len(request.document))
    queries = min(request.blocks.queries, len(request.query))
    buffers: SimpleQueue[torch.Tensor] = SimpleQueue()
    for _ in range(torch.get_num_threads() if request.blocks.device == "cpu" else 1):
        buffers.put(torch.empty((documents + GROUP) * queries, dtype=request.dtype, device=request.blocks.device))
    return buffers


def _rounded(
    request: _Request, vector: "torch.Tensor", scale: float | None, extra: str, pool: ThreadPoolExecutor
) -> Rough:
    """`round_rows` in threads, on the device of the search."""
    import torch

    device, extra = request.blocks.device, extra if request.similarity == "euclidean" else ""
    parts = list(
        pool.map(lambda part: round_rows(part.to(device), scale, request.dtype, extra), torch.split(vector, ROUNDED))
    )
    return Rough(*(torch.cat([getattr(part, name) for part in parts]) for name in ROUGH))


ROUGH = ("vector", "error", "length", "offset")


def _rows(rough: Rough, rows: slice) -> Rough:
    return Rough(*(getattr(rough, name)[rows] for name in ROUGH))


def _request(
    query: Vectors, document: Vectors, docno: list[str], *, similarity: Similarity, own: Ints | None, blocks: Blocks
) -> _Request:
    import torch

    vectors = as_tensor(query), as_tensor(document)
    scale = query_scale = None
    if similarity != "cosine":
        query_scale, scale = map(power_of_two, vectors)
    if similarity == "euclidean":
        scale = query_scale = max(scale or 0.0, query_scale or 0.0)
    dtype = torch.bfloat16 if _is_bfloat16_fast(blocks) else torch.float32
    own = np.full(len(query), -1, np.int64) if own is None else own
    return _Request(*vectors, docno, similarity, own, blocks, dtype, scale, query_scale)


def as_tensor(vector: Vectors) -> "torch.Tensor":
    """The same memory, if it is float32; torch warns of arrays that may not be written, and none is. (n_rows, dim)"""
    import torch

    with warnings.catch_warnings(action="ignore"):
        return torch.from_numpy(np.ascontiguousarray(vector, np.float32))


def _is_bfloat16_fast(blocks: Blocks) -> bool:
    """Whether the product is to be in bfloat16."""
    import torch

    if blocks.bfloat16 is not None:
        return blocks.bfloat16
    is_supported = getattr(torch.cpu, "_is_avx512_bf16_supported", None)  # nothing public says it
    return blocks.device != "cpu" or bool(is_supported and is_supported())


@contextmanager
def _threads(blocks: Blocks) -> Iterator[ThreadPoolExecutor]:
    """As many threads as torch would use itself, each of which has one of torch's; one on a graphics card."""
    import torch

    count = torch.get_num_threads()
    with ThreadPoolExecutor(
        count if blocks.device == "cpu" else 1, initializer=torch.set_num_threads, initargs=(1,)
    ) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)
            torch.set_num_threads(count)


@contextmanager
def _whole_float32() -> Iterator[None]:
    """No TF32 and no bfloat16 instead of float32, and no sums in bfloat16, while this lasts."""
    import torch

    products, precision = torch.backends.cuda.matmul, _precision()
    mkldnn = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]  # torch makes it as it loads
    each = [(backend, backend.fp32_precision) for backend in (products, mkldnn)]
    reduced = products.allow_bf16_reduced_precision_reduction
    torch.set_float32_matmul_precision("highest")
    products.allow_bf16_reduced_precision_reduction = False
    try:
        yield
    finally:
        if precision:
            torch.set_float32_matmul_precision(precision)
        for backend, before in each:
            backend.fp32_precision = before
        products.allow_bf16_reduced_precision_reduction = reduced


def _precision() -> str | None:
    """Of all products; None where backends have been set one by one, of which torch then asks to be told alone."""
    import torch

    try:
        return torch.get_float32_matmul_precision()
    except RuntimeError:
        return None


def _check(query: Vectors, document: Vectors, docno: list[str], k: int, similarity: str) -> None:
    """Raises `ValueError` for shapes that do not fit, an unknown similarity, a k below 1."""
    if query.ndim != 2 or document.ndim != 2 or query.shape[1] != document.shape[1] or not query.shape[1]:
        raise ValueError(f"queries are {query.shape} and documents {document.shape}: not of one dimension")
    if k < 1 or similarity not in ("cosine", "inner", "euclidean"):
        raise ValueError(f"k is at least 1 and the similarity cosine, inner or euclidean; not {k}, {similarity}")
    if len(docno) != len(document):
        raise ValueError(f"{len(docno)} docnos for {len(document)} documents")
