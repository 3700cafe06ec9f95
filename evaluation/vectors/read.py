"""Sets of vectors of a collection."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from annotation.corpus.read.texts import (
    current_document_versions,
    current_topic_versions,
    visible_documents,
    visible_topics,
)
from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from annotation.kernel.bulk_rows import portions
from annotation.kernel.jobs import LIVE
from annotation.kernel.store import path_of
from annotation.models import Collection, Document, Job, Snapshot, Topic
from annotation.trust.read.snapshots import qrels_path
from evaluation.engine.packed_vectors import PackedVectors, load_vectors
from evaluation.models import ModelComparison, Run, SpaceDescription, VectorSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUERIES, DOCUMENTS = VectorSet.Side.QUERIES, VectorSet.Side.DOCUMENTS
PORTION = 1000  # ids looked up at a time
ROWS = 1 << 14  # vectors looked at in one go


def vectors_of(collection: Collection) -> QuerySet[VectorSet]:
    """By model, then side."""
    sets = VectorSet.objects.filter(collection=collection).select_related("created_by")
    return sets.order_by("model", "side")


def vectors_named(collection: Collection, side: str, model: str) -> VectorSet | None:
    if "\0" in model:
        return None
    return vectors_of(collection).filter(side=side, model=model).first()


def other_side(vectors: VectorSet) -> VectorSet | None:
    """The set of the same model for the documents, if this is of the queries, and the other way round."""
    side = DOCUMENTS if vectors.side == QUERIES else QUERIES
    return VectorSet.objects.filter(collection=vectors.collection_id, model=vectors.model, side=side).first()


def searchable_models(collection: Collection) -> list[str]:
    """Models with vectors of both sides, of the same number of dimensions."""
    dims: dict[str, list[int]] = {}
    for model, dim in vectors_of(collection).values_list("model", "dim"):
        dims.setdefault(model, []).append(dim)
    return [model for model, each in dims.items() if len(each) == 2 and each[0] == each[1]]


def stored_vectors(vectors: VectorSet) -> PackedVectors:
    """The rows in their file, which is mapped. Raises `PackedError` where that is damaged."""
    return load_vectors(path_of(vectors.sha256))


def refuse_zeros(names: Sequence[str], vector: "NDArray[np.float32]") -> None:
    """Vectors that came for another similarity than the cosine may be zero. Raises `ValueError` for one."""
    for a in range(0, len(vector), ROWS):
        zero = ~vector[a : a + ROWS].any(1)
        if zero.any():
            raise ValueError(f"The vector of {names[a + int(zero.argmax())]} is zero: it has no cosine with any other.")


def comparisons_of(collection: Collection) -> QuerySet[ModelComparison]:
    """Models beside a reference, the newest first."""
    return ModelComparison.objects.filter(collection=collection).order_by("-made_at", "-pk")


def comparisons_from(vectors: VectorSet) -> list[ModelComparison]:
    """Those that rest on these vectors."""
    rows = ModelComparison.objects.filter(collection=vectors.collection_id)
    side = str(vectors.side)
    return [row for row in rows if vectors.sha256 in (each.get(side) for each in row.rests_on["models"])]


def models_in(collection: Collection) -> list[str]:
    """Those with vectors of documents, which a comparison needs."""
    return [one.model for one in vectors_of(collection) if one.side == DOCUMENTS]


def models_beside(vectors: VectorSet) -> list[str]:
    """Other models with vectors of the same side."""
    return [one.model for one in vectors_of(vectors.collection) if one.side == vectors.side and one.pk != vectors.pk]


def texts_of(collection: Collection, side: str) -> "QuerySet[Topic] | QuerySet[Document]":
    """What the vectors of this side stand for."""
    return visible_topics(collection) if side == QUERIES else visible_documents(collection)


def ids_here(collection: Collection, side: str, ids: Sequence[str]) -> set[str]:
    """Those of the ids that are topics or documents of the collection."""
    key, texts = "number" if side == QUERIES else "docno", texts_of(collection, side)
    return {
        name
        for some in portions(ids, PORTION)
        for name in texts.filter(**{f"{key}__in": some}).values_list(key, flat=True)
    }


def runs_from(vectors: VectorSet) -> list[Run]:
    """Runs that were searched with these vectors."""
    runs = Run.objects.filter(collection=vectors.collection_id).exclude(origin={}).order_by("tag")
    return [run for run in runs if run.origin.get(vectors.side, {}).get("sha256") == vectors.sha256]


def why_vectors_stay(vectors: VectorSet) -> str:
    """What was made with the vectors, or is being made, as a sentence; empty where nothing was."""
    if runs := runs_from(vectors):
        return f"The run {runs[0].tag} was searched with them."
    payloads = Job.objects.filter(collection=vectors.collection_id, state__in=LIVE).values_list("payload", flat=True)
    if any(vectors.pk in [*payload.get("vectors", ()), *payload.get("against", ())] for payload in payloads):
        return "A job works with them."
    return ""


def newest_description(vectors: VectorSet) -> SpaceDescription | None:
    """The description of the space that was made last."""
    return SpaceDescription.objects.filter(vectors=vectors).order_by("-made_at", "-pk").first()


def space_jobs(vectors: VectorSet, kind: str) -> QuerySet[Job]:
    """Descriptions of these vectors that were asked for, the newest first."""
    jobs = Job.objects.filter(collection=vectors.collection_id, kind=kind)
    return jobs.filter(payload__vectors=[vectors.pk]).order_by("-pk")


def titles_of(vectors: VectorSet, ids: Sequence[str]) -> dict[str, str]:
    """The current titles of those that are texts of the collection, by id."""
    versions: QuerySet[Any]
    if vectors.side == QUERIES:
        versions, key = current_topic_versions(vectors.collection), "topic__number"
    else:
        versions, key = current_document_versions(vectors.collection), "document__docno"
    titles = dict[str, str]()
    for some in portions(ids, PORTION):
        titles |= dict(versions.filter(**{f"{key}__in": some}).values_list(key, "title"))
    return titles


def grades_of(snapshot: Snapshot, topic: str) -> dict[str, int]:
    """By docno, what the snapshot says of the documents of a topic."""
    return {docno: grade for number, docno, grade in judged_pairs(snapshot) if number == topic}


def judged_pairs(snapshot: Snapshot) -> list[tuple[str, str, int]]:
    """Topic number, docno and grade of each pair of the qrels."""
    with qrels_path(snapshot).open("rb") as stream:
        return list(parse_qrels(stream, Problems(snapshot.name)).rows())
