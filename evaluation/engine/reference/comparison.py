"""Models beside a reference model on a sample of queries."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotation.text.watch import WordlessWatch, say_nothing
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.comparison import Design, tested_pairs
from evaluation.engine.reference import similarities, top_k
from evaluation.engine.reference.models import Model, aligned, sampled_rows
from evaluation.engine.significance.pairs import Pairs
from evaluation.engine.vectors.exact import Similarity, pair_scores
from evaluation.engine.vectors.search import Nearest, Vectors, as_tensor, search


@dataclass(frozen=True)
class Plan:
    """What is compared. `n_documents`: so many, drawn once, have their similarities to each query compared."""

    n_queries: int = 500
    cutoffs: tuple[int, ...] = (1, 3, 5, 10)
    n_documents: int = 1000
    similarity: Similarity = "cosine"

    def __post_init__(self) -> None:
        """Raise `ValueError` for what cannot be compared."""
        if self.n_queries < 1 or self.n_documents < 3:
            raise ValueError("a comparison takes a query at least, and 3 documents for its similarities")
        if not self.cutoffs or self.cutoffs[0] < 1 or list(self.cutoffs) != sorted(set(self.cutoffs)):
            raise ValueError("cutoffs are different, ascending and 1 at least")


PLAN, DESIGN, SEED = Plan(), Design(), 42  # what is usual: of commands, page and API


@dataclass(frozen=True, eq=False)
class ModelValues:
    """A value a query and measure; NaN where a correlation is not defined."""

    name: str
    value: Floats = field(repr=False)  # (n_queries, n_measures)

    @property
    def mean(self) -> Floats:
        return np.asarray(self.value.mean(axis=0))

    @property
    def deviation(self) -> Floats:
        """Over queries, n − 1; NaN for one query. (n_measures,)"""
        n = len(self.value)
        return np.asarray(self.value.std(axis=0, ddof=1)) if n > 1 else np.full(self.value.shape[1], np.nan)


@dataclass(frozen=True, eq=False)
class ReferenceComparison:
    """`numbers` are the queries drawn, ascending as bytes; models are in the order in which they were named."""

    reference: str
    plan: Plan
    numbers: tuple[str, ...] = field(repr=False)
    measures: tuple[str, ...]  # of each cutoff, then of the similarities
    models: tuple[ModelValues, ...]
    n_documents: int  # that all models have
    n_compared: int  # of these, documents whose similarities were compared
    n_alone: int  # ids that some model lacks: they do not count

    def column(self, measure: str) -> Floats:
        """The values of all models, (n_queries, n_models)."""
        at = self.measures.index(measure)
        return np.stack([one.value[:, at] for one in self.models], axis=1)


def compare_with_reference(
    reference: Model,
    models: Sequence[Model],
    plan: Plan,
    *,
    rng: np.random.Generator,
    progress: WordlessWatch = say_nothing,
) -> ReferenceComparison:
    """The same vectors and generator give the same numbers. `progress` is called with models done and models in all.

    Raises `ValueError` for no model, as `aligned` does, and for too few documents.
    """
    if not models:
        raise ValueError("a reference is compared with a model at least")
    (first, *others), n_alone = aligned([reference, *models])
    _check(first, plan)
    row = sampled_rows(len(first.query_ids), plan.n_queries, rng)
    compared = sampled_rows(len(first.docno), plan.n_documents, rng)
    numbers = [first.query_ids[one] for one in row.tolist()]
    parts, total = [_Part(first, row, compared, plan)], len(models) + 1
    for done, one in enumerate(others, 1):
        progress(done, total)
        parts.append(_Part(one, row, compared, plan))
    progress(total, total)
    tops = [part.nearest for part in parts]
    at_k = [top_k.values_at(tops[0], tops[1:], numbers, first.docno, k) for k in plan.cutoffs]
    alike = [_likeness(parts[0].similarity, part.similarity) for part in parts[1:]]
    values = [np.column_stack([*(each[i] for each in at_k), alike[i]]) for i in range(len(models))]
    return ReferenceComparison(
        reference=first.name,
        plan=plan,
        numbers=tuple(numbers),
        measures=(*(name for k in plan.cutoffs for name in top_k.measures_at(k)), *similarities.NAMES),
        models=tuple(ModelValues(one.name, value) for one, value in zip(others, values, strict=True)),
        n_documents=len(first.docno),
        n_compared=len(compared),
        n_alone=n_alone,
    )


def all_tests(comparison: ReferenceComparison, design: Design, *, seed: int) -> dict[str, Pairs]:
    """`paired_tests` by each measure at the greatest cutoff and each similarity, where there is one."""
    measures = (*top_k.measures_at(comparison.plan.cutoffs[-1]), *similarities.NAMES)
    tested = {name: paired_tests(comparison, name, design, seed=seed) for name in measures}
    return {name: pairs for name, pairs in tested.items() if pairs is not None}


def paired_tests(comparison: ReferenceComparison, measure: str, design: Design, *, seed: int) -> Pairs | None:
    """All pairs of models by one measure over the queries, by the design's test and correction.

    None for one model, one query, or values that are not defined.
    """
    value = comparison.column(measure)
    if min(value.shape) < 2 or not np.isfinite(value).all():
        return None
    names = tuple(one.name for one in comparison.models)
    return tested_pairs(value, names, design, np.random.default_rng(seed), None)


class _Part:
    """What a model says of the queries drawn: its nearest documents, and similarities to the documents drawn."""

    def __init__(self, model: Model, row: Ints, compared: Ints, plan: Plan) -> None:
        query = model.query_vectors[row]
        own = row if model.query is None else None
        k = plan.cutoffs[-1]
        self.nearest: Nearest = search(query, model.document, model.docno, k=k, similarity=plan.similarity, own=own)
        self.similarity = similarity_table(query, model.document[compared], plan.similarity)
        if own is not None:
            self.similarity[own[:, None] == compared] = np.nan


def similarity_table(query: Vectors, document: Vectors, similarity: Similarity) -> Floats:
    """The score of every query with every document, as a run holds it. (n_queries, n_documents)"""
    import torch

    pairs = torch.cartesian_prod(torch.arange(len(query)), torch.arange(len(document))).T
    score = pair_scores(as_tensor(query), as_tensor(document), (pairs[0], pairs[1]), similarity)
    return np.asarray(score.numpy().reshape(len(query), len(document)))


def _likeness(first: Floats, second: Floats) -> Floats:
    """(n_queries, 3), over the documents that are not the query itself."""
    there = np.isfinite(first)
    return np.array([similarities.likeness(a[h], b[h]) for a, b, h in zip(first, second, there, strict=True)])


def _check(first: Model, plan: Plan) -> None:
    n = len(first.docno) - (first.query is None)
    if n < max(plan.cutoffs[-1], 3):
        raise ValueError(f"the {plan.cutoffs[-1]} nearest are compared, and 3 at least; the models share {n} documents")
