"""Models that are set beside each other: their vectors of the same texts, in the same order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.engine.arrays import Ints
from evaluation.engine.vectors.search import Vectors


@dataclass(frozen=True, eq=False)
class Model:
    """Vectors of texts under their ids; without queries of its own, documents are the queries and none finds itself."""

    name: str
    document: Vectors  # (n_documents, dim), finite float32
    docno: list[str]
    query: Vectors | None = None  # (n_queries, dim)
    numbers: list[str] | None = None

    @property
    def query_vectors(self) -> Vectors:
        return self.document if self.query is None else self.query

    @property
    def query_ids(self) -> list[str]:
        return self.docno if self.numbers is None else self.numbers


def aligned(models: Sequence[Model]) -> tuple[list[Model], int]:
    """`(models, n_alone)`: of each only the texts that all have, in the order of their ids as bytes; how many ids are
    left out, each counted once. Raises `ValueError` for one name twice, for models with queries beside models without,
    and where no document or no query is shared."""
    names = [one.name for one in models]
    if len(set(names)) < len(names):
        raise ValueError(f"two models have one name: {', '.join(sorted({n for n in names if names.count(n) > 1}))}")
    apart = [one.numbers is not None for one in models]
    if any(apart) != all(apart):
        raise ValueError("some models have vectors of queries and some have not: give all of them, or none")
    docno, n_alone = _shared(one.docno for one in models)
    numbers, more = _shared(one.numbers or [] for one in models) if all(apart) else (docno, 0)
    if not docno or not numbers:
        raise ValueError(f"the models share no {'document' if not docno else 'query'}: their ids differ")
    return [_reordered(one, docno, numbers) for one in models], n_alone + more


def sampled_rows(n_rows: int, n: int, rng: np.random.Generator) -> Ints:
    """`n` different rows drawn at random, ascending; all of them where there are no more."""
    return np.arange(n_rows) if n >= n_rows else np.sort(rng.choice(n_rows, n, replace=False))


def _shared(ids: Iterable[list[str]]) -> tuple[list[str], int]:
    sets = [set(one) for one in ids]
    shared = set.intersection(*sets)
    return sorted(shared, key=str.encode), len(set.union(*sets) - shared)


def _reordered(model: Model, docno: list[str], numbers: list[str]) -> Model:
    part = replace(model, document=_rows(model.document, model.docno, docno), docno=docno)
    if model.query is None or model.numbers is None:
        return part
    return replace(part, query=_rows(model.query, model.numbers, numbers), numbers=numbers)


def _rows(vector: Vectors, names: list[str], wanted: list[str]) -> Vectors:
    if names == wanted:
        return vector
    row_by_id = {name: row for row, name in enumerate(names)}
    return vector[[row_by_id[name] for name in wanted]]
