"""Vectors of two small models in the demo: searched into runs, evaluated, described, and set beside each other."""

import io
import json
from collections.abc import Sequence

from annotation.kernel.jobs import work_here
from annotation.models import Collection, Import, Snapshot, User
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Run
from evaluation.vectors.read import vectors_of
from evaluation.vectors.steps.comparing import ask_comparison
from evaluation.vectors.steps.describing import ask_description
from evaluation.vectors.steps.searching import SEARCH, search_payload
from touchstone.demo.content import demo_documents, demo_topics
from touchstone.demo.embeddings import MODELS, REFERENCE, SHORT, Vectors, embedded
from touchstone.demo.importing import import_file

SEARCHED = 100  # documents of each topic
DESCRIPTION = "Made of the demo's own texts, to have vectors to look at: no model that anybody would use."


def bring_vectors(collection: Collection, admin: User) -> None:
    """After the first round: what the models find has not been pooled, as with any system that comes late."""
    topics, documents = demo_topics(), demo_documents()
    for model in (*MODELS, SHORT):
        query, document = embedded(model, topics, documents)
        _import(collection, admin, [topic.number for topic in topics], query, model=model, side="queries")
        _import(collection, admin, [page.docno for page in documents], document, model=model, side="documents")
    for model in MODELS:
        payload = search_payload(
            collection, model=model, tag=model, similarity="cosine", depth=SEARCHED, exclude_self=False
        )
        work_here(SEARCH, collection=collection, created_by=admin, **payload)
    snapshot = Snapshot.objects.filter(collection=collection).earliest("pk")
    runs = list(Run.objects.filter(collection=collection, tag__in=MODELS))
    ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=admin)
    for vectors in vectors_of(collection).filter(model__in=MODELS):
        other = next(model for model in MODELS if model != vectors.model)
        ask_description(vectors, snapshot=snapshot, against=other, created_by=admin)
    beside = [SHORT, *(model for model in MODELS if model != REFERENCE)]
    ask_comparison(collection, reference=REFERENCE, models=beside, created_by=admin)


def _import(collection: Collection, admin: User, ids: Sequence[str], vector: Vectors, *, model: str, side: str) -> None:
    rows = zip(ids, vector.tolist(), strict=True)
    lines = "".join(f"{json.dumps({'id': name, 'vector': numbers})}\n" for name, numbers in rows)
    import_file(
        collection,
        io.BytesIO(lines.encode()),
        kind=Import.Kind.VECTORS,
        filename=f"{model}.{side}.jsonl",
        admin=admin,
        model=model,
        side=side,
        similarity="cosine",
        description=DESCRIPTION,
    )
