"""A small corpus in parts of several forms, and what one search of all of it gives."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from evaluation.engine.run import PackedRun, RunTable, pack_run
from evaluation.engine.vectors.run_of_nearest import run_of
from evaluation.engine.vectors.search import search
from evaluation.formats.shards.store import Store
from evaluation.formats.shards.work import SearchRequest, store_queries

N_QUERIES, K = 30, 20


@dataclass(frozen=True)
class Corpus:
    query: np.ndarray
    numbers: list[str]
    document: np.ndarray
    docno: list[str]
    request: SearchRequest
    n_parts: int

    def whole(self) -> RunTable:
        nearest = search(self.query, self.document, self.docno, k=self.request.k)
        return run_of(nearest, self.numbers, self.docno, "cosine")


def write_corpus(
    folder: Path, n_parts: int, *, rows: int = 40, dim: int = 8, n_queries: int = N_QUERIES, parquet: bool = False
) -> Corpus:
    """The last part has one document, and equal vectors lie in different parts.

    `parquet`: every third part is Parquet, which another process reads at each search of it; else all are numpy's.
    """
    rng = np.random.default_rng(2)
    document = rng.standard_normal((rows * (n_parts - 1) + 1, dim)).astype(np.float32)
    document[rows : 2 * rows] = document[: len(document[rows : 2 * rows])]
    docno = [f"d{n}" for n in rng.permutation(len(document))]
    (folder / "corpus").mkdir(parents=True)
    for part in range(n_parts):
        at = slice(part * rows, (part + 1) * rows)
        write_part(folder / "corpus" / f"{part:04}", document[at], docno[at], parquet=parquet and part % 3 == 2)
    query, numbers = rng.standard_normal((n_queries, dim)).astype(np.float32), [f"q{n}" for n in range(n_queries)]
    sha = store_queries(Store(str(folder / "results")), query, numbers)
    request = SearchRequest(str(folder / "corpus"), str(folder / "results"), sha, K)
    return Corpus(query, numbers, document, docno, request, n_parts)


def write_part(stem: Path, vector: np.ndarray, docno: list[str], *, parquet: bool = False) -> None:
    if parquet:
        pl.DataFrame({"id": docno, "vector": vector.tolist()}).write_parquet(stem.with_suffix(".parquet"))
        return
    np.save(stem.with_suffix(".npy"), vector)
    stem.with_suffix(".ids.txt").write_text("".join(f"{one}\n" for one in docno))


def bytes_of(run: PackedRun) -> bytes:
    """All of a run, packed."""
    return b"".join(
        [
            *(run.tag.encode(), repr(run.numbers).encode(), run.start.tobytes(), run.score.tobytes()),
            *(run.docno.word.tobytes(), run.docno.begin.tobytes(), run.index.tobytes(), run.place.tobytes()),
        ]
    )


def is_the_whole(run: PackedRun, corpus: Corpus) -> bool:
    whole = corpus.whole()
    assert len(pack_run(whole)) > 1000
    return bytes_of(run) == bytes_of(whole.packed)
