"""A run of the collection by exact search with the vectors of a model: a job finds and stores it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Collection, Job, User
from evaluation.models import VectorSet
from evaluation.runs.read import problem_of_tag
from evaluation.runs.steps.storing import store_made_run
from evaluation.vectors.read import DOCUMENTS, QUERIES, refuse_zeros, stored_vectors, vectors_named

if TYPE_CHECKING:
    from evaluation.engine.run import RunTable
    from evaluation.engine.vectors.exact import Similarity

SEARCH = "search_vectors"
DEPTH, SEED = 1000, 42


def search_payload(
    collection: Collection,
    *,
    model: str,
    tag: str,
    similarity: str,
    depth: int,
    exclude_self: bool,
    sample: int | None = None,
    seed: int = SEED,
) -> dict[str, Any]:
    """What the job goes by; an empty similarity is that of the documents. `sample`: so many queries are drawn.

    Raises `ValueError` for a model without both sides, sides of different dimensions, and a tag that is taken.
    """
    queries, documents = (vectors_named(collection, side, model) for side in (QUERIES, DOCUMENTS))
    if queries is None or documents is None:
        missing = QUERIES if queries is None else DOCUMENTS
        raise ValueError(f"The collection has no vectors of {model} for the {missing}.")
    if queries.dim != documents.dim:
        raise ValueError(f"Queries of {queries.dim} dimensions and documents of {documents.dim} cannot be compared.")
    if problem := problem_of_tag(collection, tag):
        raise ValueError(problem)
    similarity = similarity or documents.similarity
    chosen = {"tag": tag, "similarity": similarity, "depth": depth, "exclude_self": exclude_self}
    if sample is not None:
        chosen["sample"] = {"queries": sample, "seed": seed}
    return {"vectors": [queries.pk, documents.pk], **chosen}


def ask_search(collection: Collection, *, created_by: User | None, **asked: Any) -> Job:
    """Queue it. Raises `ValueError` as `search_payload`."""
    payload = search_payload(collection, **asked)
    with transaction.atomic():
        record_audit(
            "vectors searched", actor=created_by, collection=collection, subject=payload["tag"], model=asked["model"]
        )
        return enqueue(SEARCH, collection=collection, created_by=created_by, about=payload["tag"], **payload)


def search_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. The run says itself which vectors it was searched with, and how."""
    payload, sets = attempt.job.payload, _sets(attempt)
    queries, documents = (sets[side] for side in (QUERIES, DOCUMENTS))
    chosen = {name: payload[name] for name in ("similarity", "depth", "exclude_self", "sample") if name in payload}
    try:
        table = _searched(attempt, queries, documents, tag=payload["tag"], **chosen)
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason
    sides = {str(one.side): {"sha256": one.sha256} for one in (queries, documents)}
    origin = {"model": queries.model, **chosen, **sides}
    words = f"{documents.model} by {payload['similarity']}, the first {payload['depth']} documents"
    if drawn := payload.get("sample"):
        n = min(drawn["queries"], queries.n_rows)
        words += f" of {n:,} of {queries.n_rows:,} queries, drawn by the seed {drawn['seed']}"
    store_made_run(attempt, table, description=words, origin=origin)
    return {"run": payload["tag"], "model": queries.model}


def _sets(attempt: JobRun) -> dict[str, VectorSet]:
    sets = VectorSet.objects.filter(pk__in=attempt.job.payload["vectors"], collection=attempt.job.collection)
    by_side = {str(one.side): one for one in sets}
    if len(by_side) < 2:
        raise JobRefusedError("Vectors are not there any more.")
    return by_side


def _searched(
    attempt: JobRun,
    queries: VectorSet,
    documents: VectorSet,
    *,
    tag: str,
    similarity: str,
    depth: int,
    exclude_self: bool,
    sample: Mapping[str, int] | None = None,
) -> "RunTable":
    """As `search_vectors` finds it, also of some of the queries. A worker that is asked to end, or a cancel, ends the
    search at the next block."""
    import numpy as np

    from evaluation.engine.backend import device_of_worker
    from evaluation.engine.reference.models import sampled_rows
    from evaluation.engine.vectors.run_of_nearest import own_documents, run_of
    from evaluation.engine.vectors.search import Blocks, search

    query, document = stored_vectors(queries), stored_vectors(documents)
    numbers, docno, wanted = query.names, document.names, query.vector
    if sample is not None:
        row = sampled_rows(len(numbers), sample["queries"], np.random.default_rng(sample["seed"]))
        numbers, wanted = [numbers[one] for one in row.tolist()], wanted[row]
    if similarity == VectorSet.Similarity.COSINE:
        for names, vector in ((numbers, wanted), (docno, document.vector)):
            refuse_zeros(names, vector)
    nearest = search(
        wanted,
        document.vector,
        docno,
        k=depth,
        similarity=cast("Similarity", similarity),
        own=own_documents(numbers, docno) if exclude_self else None,
        blocks=Blocks(device=device_of_worker()),
        progress=lambda done, total: attempt.report(
            done=done, total=total, message=f"Searched {done:,} of {total:,} pairs"
        ),
    )
    return run_of(nearest, numbers, docno, tag)
