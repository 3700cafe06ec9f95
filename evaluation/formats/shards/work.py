"""What is done for one part, wherever it is done: hash it, search it unless that has been done, keep what was found.

A result is an ordinary run, in a file that is named by what it was made from. So a part that has
been searched is not searched again, whoever did it and whatever was lost since.
"""

import hashlib
import io
import json
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import numpy as np

from annotation.formats.problems import FormatError
from evaluation.engine.run import pack_run
from evaluation.engine.vectors.exact import Similarity
from evaluation.engine.vectors.run_of_nearest import own_documents, run_of
from evaluation.engine.vectors.search import Vectors, search, take_threads
from evaluation.formats.shards.finished import PartResult
from evaluation.formats.shards.ids import IDS, pack_ids
from evaluation.formats.shards.parts import Part
from evaluation.formats.shards.store import Store, sha256_of
from evaluation.formats.vectors.reading import read_vectors
from evaluation.formats.vectors.vector_format import VectorTable

VERSION = 3  # another number whenever the same inputs give another result
QUERIES, NUMBERS, RESULT = ".queries.npy", ".queries.ids.txt", ".run"


@dataclass(frozen=True)
class SearchRequest:
    """What is asked of every part. `queries` is the hash under which they lie beside the results."""

    corpus: str  # url of the parts
    results: str  # url
    queries: str
    k: int
    similarity: Similarity = "cosine"
    exclude_self: bool = False
    threads: int = 0  # of torch's; 0: as it has by itself, below: all cores

    @property
    def ending(self) -> str:
        return RESULT

    def key(self, part: str) -> str:
        """The name of the result for a part of this hash."""
        asked = {name: value for name, value in asdict(self).items() if name not in ("corpus", "results", "threads")}
        return hashlib.sha256(json.dumps([VERSION, part, asked], sort_keys=True).encode()).hexdigest()

    def beside(self, part: str) -> tuple[str, ...]:
        """Its ids as hashes."""
        return (part + IDS,)


def store_queries(results: Store, query: Vectors, numbers: list[str]) -> str:
    """Their hash, under which they lie beside the results."""
    ids = "".join(f"{number}\n" for number in numbers).encode()
    sha = _hash_of(query, numbers)
    if not results.has(sha + NUMBERS):
        results.write(sha + QUERIES, _npy(query))
        results.write(sha + NUMBERS, ids)
    return sha


def search_part(work: tuple[SearchRequest, Part]) -> PartResult:
    """Runs anywhere that reaches corpus and results; what is wrong with the part comes back as its problems."""
    request, part = work
    corpus, results = Store(request.corpus), Store(request.results)
    with corpus.local(part.names) as folder:
        sha = sha256_of([folder / name for name in part.names])
        key = request.key(sha)
        is_new = not results.has(key + RESULT)
        result = PartResult(part.name, part.stamp, sha, key, is_new=is_new)
        if not is_new and results.has(sha + IDS):
            return result
        try:
            table = read_vectors(folder / part.name, zero_rows=request.similarity != "cosine")
        except FormatError as fault:
            return replace(result, problems=tuple(fault.problems[:20]))
        data = _searched(request, table) if is_new else b""
    results.write(sha + IDS, pack_ids(table.ids or []))
    if is_new:
        results.write_result(key + RESULT, data)
    return result


def _searched(request: SearchRequest, table: VectorTable) -> bytes:
    if request.threads:
        take_threads(request.threads)
    numbers, query = queries_of(request.results, request.queries)
    docno = table.ids or []
    nearest = search(
        query,
        table.vector,
        docno,
        k=request.k,
        similarity=request.similarity,
        own=own_documents(numbers, docno) if request.exclude_self else None,
    )
    return pack_run(run_of(nearest, numbers, docno, request.similarity))


@lru_cache(maxsize=2)
def queries_of(results: str, sha: str) -> tuple[list[str], Vectors]:
    """Read once a process. Raises `ValueError` where they are damaged, and takes them away."""
    store = Store(results)
    names = [sha + QUERIES, sha + NUMBERS]
    with store.local(names) as folder:
        try:
            table = read_vectors(folder / names[0], folder / names[1])
        except FormatError as fault:
            raise store.take_away(names[1]) from fault
        numbers, query = table.ids or [], np.array(table.vector)
    if _hash_of(query, numbers) != sha:
        raise store.take_away(names[1])
    return numbers, query


def _hash_of(query: Vectors, numbers: list[str]) -> str:
    ids = "".join(f"{number}\n" for number in numbers)
    return hashlib.sha256(f"{query.shape}".encode() + np.ascontiguousarray(query).tobytes() + ids.encode()).hexdigest()


def _npy(vector: Vectors) -> bytes:
    out = io.BytesIO()
    np.save(out, np.ascontiguousarray(vector), allow_pickle=False)
    return out.getvalue()
