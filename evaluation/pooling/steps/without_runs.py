"""Pools where there are no runs: all pairs, a random sample, the tops of the built-in BM25."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any

import numpy as np
from django.db import transaction

from annotation.corpus.read.texts import current_document_versions, current_topic_versions
from annotation.corpus.steps.pooling import MOST_AT_ONCE, create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.forms import POOL_NAME_TAKEN
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.taken import TakenError
from annotation.models import Collection, DocumentVersion, Job, Pool, TopicVersion, User
from annotation.text.counted import counted
from annotation.text.shape import text_of_html
from annotation.text.watch import Watch
from evaluation.engine.without_runs import ALL, SAMPLE, Recipe, sampled

JOB = "pool_without_runs"
CHUNK = 1000  # documents in memory at once


class TooManyPairsError(ValueError):
    """More pairs than are stored at once; the message has both numbers."""


def require_storable(recipe: Recipe, *, n_topics: int, n_documents: int) -> None:
    """Raises `TooManyPairsError`."""
    n_pairs = recipe.most_pairs(n_topics=n_topics, n_documents=n_documents)
    if n_pairs > MOST_AT_ONCE:
        each = n_pairs // n_topics
        raise TooManyPairsError(
            f"{n_pairs:,} pairs: {counted(n_topics, 'topic')} × {counted(each, 'document')}. At most "
            f"{MOST_AT_ONCE:,} are made at once: list fewer topics, or take fewer documents a topic."
        )


def ask_pool(collection: Collection, *, name: str, recipe: Recipe, numbers: Sequence[str], created_by: User) -> Job:
    """Queue it. The pool has the name `name`, if that is still free once its pairs are chosen."""
    payload = {"name": name, "origin": recipe.to_origin(), "numbers": list(numbers)}
    return enqueue(JOB, collection=collection, created_by=created_by, about=name, **payload)


def make_in_job(run: JobRun) -> dict[str, object]:
    """The job. The pool, and that the job is done, are one transaction."""
    payload, collection = run.job.payload, run.job.collection
    assert collection is not None

    def report(done: int, total: int, message: str) -> None:
        run.report(done=done, total=total, message=message)

    recipe = Recipe.of_origin(payload["origin"])
    try:
        rows, origin = chosen_pairs(collection, recipe, numbers=payload["numbers"], report=report)
        with transaction.atomic():
            run.fence()
            pool = _store(collection, payload["name"], rows, origin, run.job.created_by)
            result: dict[str, object] = {"pool": pool.pk, "name": pool.name, "pairs": pool.n_pairs}
            run.finish(result)
    except (FormatError, TooManyPairsError) as reason:
        raise JobRefusedError(str(reason)) from reason
    except TakenError as error:
        raise JobRefusedError(POOL_NAME_TAKEN) from error
    return result


def create_pool_without_runs(
    collection: Collection,
    *,
    name: str,
    recipe: Recipe,
    numbers: Sequence[str],
    created_by: User | None,
    report: Watch,
) -> Pool:
    """At once, for commands. Raises `FormatError` where there is no pair, `TooManyPairsError`, `TakenError`."""
    rows, origin = chosen_pairs(collection, recipe, numbers=numbers, report=report)
    return _store(collection, name, rows, origin, created_by)


def chosen_pairs(
    collection: Collection, recipe: Recipe, *, numbers: Sequence[str], report: Watch
) -> tuple[list[PairRow], dict[str, Any]]:
    """The pairs, topic after topic in the order of numbers, and the origin from which they come out again.

    Topics and documents are those that have a text; documents go by docno. The same recipe, numbers, texts (`texts`
    in the origin is a hash of their versions) and versions of the libraries give the same pairs in the same order.
    """
    topics = sorted(current_topic_versions(collection).filter(topic__number__in=numbers), key=lambda v: v.topic.number)
    documents = sorted(current_document_versions(collection).values_list("document__docno", "sha256", "pk"))
    require_storable(recipe, n_topics=len(topics), n_documents=len(documents))
    tops, versions = _tops(recipe, topics, [pk for *_, pk in documents], report)
    rows = [
        PairRow(topic.topic.number, documents[at][0], 0) for topic, top in zip(topics, tops, strict=True) for at in top
    ]
    texts = chain(((v.topic.number, v.sha256) for v in topics), ((docno, hashed) for docno, hashed, _ in documents))
    origin = {
        **recipe.to_origin(),
        **versions,
        "topics": [version.topic.number for version in topics],
        "n_documents": len(documents),
        "texts": sha256("".join(f"{name}\t{hashed}\n" for name, hashed in texts).encode()).hexdigest(),
    }
    return rows, origin


def _tops(
    recipe: Recipe, topics: Sequence[TopicVersion], documents: Sequence[int], report: Watch
) -> tuple[list[list[int]], dict[str, Any]]:
    """Of each topic the places of its documents among `documents`; and what else the origin says of how."""
    if recipe.way == ALL:
        return [list(range(len(documents)))] * len(topics), {}
    if recipe.way == SAMPLE:
        drawn = [
            sampled(len(documents), recipe.per_topic, seed=recipe.seed, number=version.topic.number).tolist()
            for version in topics
        ]
        return drawn, {"numpy": np.__version__}
    return _bm25_tops(recipe, topics, documents, report)


def _bm25_tops(
    recipe: Recipe, topics: Sequence[TopicVersion], documents: Sequence[int], report: Watch
) -> tuple[list[list[int]], dict[str, Any]]:
    from evaluation.engine.bm25 import K1, B, Bm25, library_version

    total = len(documents) + len(topics)
    index = Bm25(_texts(documents), lambda done: report(done, total, f"Reading {counted(len(documents), 'document')}"))
    tops = []
    for at, version in enumerate(topics):
        report(len(documents) + at, total, f"Topic {version.topic.number}")
        tops.append(index.top(f"{version.title} {version.description}", recipe.per_topic).tolist())
    return tops, {"k1": K1, "b": B, "bm25s": library_version()}


def _texts(documents: Sequence[int]) -> Iterator[str]:
    """Title and text of each version, in the order of these keys: a portion of them in memory at once."""
    for start in range(0, len(documents), CHUNK):
        keys = documents[start : start + CHUNK]
        versions = DocumentVersion.objects.only("title", "text", "form").in_bulk(keys)
        for key in keys:
            version = versions[key]
            is_html = version.form == DocumentVersion.Form.HTML
            yield f"{version.title}\n{text_of_html(version.text) if is_html else version.text}"


def _store(
    collection: Collection, name: str, rows: list[PairRow], origin: dict[str, Any], created_by: User | None
) -> Pool:
    return create_pool(
        collection,
        name=name,
        pairs=rows,
        problems=Problems("the collection"),
        origin=origin,
        created_by=created_by,
    )
