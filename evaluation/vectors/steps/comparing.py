"""Models beside a reference model, on vectors of a collection: asked for, compared in a job, kept
under the hash of what was asked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Collection, Job, User
from evaluation.engine.comparison import Design
from evaluation.engine.reference.comparison import DESIGN, PLAN, SEED, Plan
from evaluation.models import ModelComparison, VectorSet
from evaluation.vectors.read import DOCUMENTS, QUERIES, refuse_zeros, stored_vectors, vectors_named
from evaluation.vectors.steps.lines import keep_lines, read_lines_kept

if TYPE_CHECKING:
    from evaluation.engine.reference.models import Model

COMPARE = "compare_models"
FORM = 1  # of what is stored: a new one is computed anew
MOST_NUMBERS = 250_000_000  # of all models together: a gigabyte, held once more where ids stand in another order


def comparison_payload(
    collection: Collection,
    *,
    reference: str,
    models: Sequence[str],
    documents_alone: bool = False,
    similarity: str = "",
    queries: int = PLAN.n_queries,
    k: Sequence[int] = PLAN.cutoffs,
    documents: int = PLAN.n_documents,
    test: str = DESIGN.test,
    correction: str = DESIGN.correction,
    pairs: str = "",
    seed: int = SEED,
) -> dict[str, Any]:
    """What the job goes by; an empty similarity is that of the reference's documents. Raises `ValueError` for models
    that are not there or not different, lack vectors, hold too many numbers, and for what cannot be compared."""
    names = [reference, *models]
    if not models or len(set(names)) < len(names):
        raise ValueError("Choose at least one model beside the reference, each once.")
    sets = _sets_of(collection, names, (DOCUMENTS,) if documents_alone else (QUERIES, DOCUMENTS))
    similarity = similarity or sets[0].similarity
    asked = {"queries": queries, "k": sorted(set(k)), "documents": documents, "similarity": similarity}
    asked |= {"test": test, "correction": correction, "seed": seed}
    _plan(asked), _design(asked)
    kept = keep_lines(pairs) if pairs.strip() else ""
    return {"vectors": [one.pk for one in sets], "names": names, "asked": asked, "pairs": kept}


def ask_comparison(collection: Collection, *, created_by: User | None, **asked: Any) -> Job:
    """Queue it. Raises `ValueError` as `comparison_payload`."""
    payload = comparison_payload(collection, **asked)
    with transaction.atomic():
        record_audit(
            "models compared",
            actor=created_by,
            collection=collection,
            subject=payload["names"][0],
            models=payload["names"][1:],
        )
        about = ", ".join(payload["names"])
        return enqueue(COMPARE, collection=collection, created_by=created_by, about=about, **payload)


def compare_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What was compared before from the same files in the same way is not compared again."""
    payload, collection = attempt.job.payload, attempt.job.collection
    sets = _there(attempt)
    rests_on = _rests_on(payload, sets)
    key = hashlib.sha256(json.dumps(rests_on, sort_keys=True).encode()).hexdigest()
    stored = ModelComparison.objects.filter(collection=collection, key=key)
    with transaction.atomic():
        attempt.fence()
        is_known = stored.update(made_at=timezone.now())
    if not is_known:
        columns = {"reference": payload["names"][0], "rests_on": rests_on, "facts": _compared(attempt, sets)}
        with transaction.atomic():
            attempt.fence()
            ModelComparison.objects.update_or_create(
                collection=collection, key=key, defaults={**columns, "made_at": timezone.now()}
            )
    return {"comparison": stored.get().pk, "reference": payload["names"][0]}


def _sets_of(collection: Collection, names: Sequence[str], sides: Sequence[str]) -> list[VectorSet]:
    """Of each model those of its sides, documents first."""
    sets = list[VectorSet]()
    for name in names:
        of_model = [vectors_named(collection, side, name) for side in sorted(sides)]
        for side, one in zip(sorted(sides), of_model, strict=True):
            if one is None:
                raise ValueError(f"The collection has no vectors of {name} for the {side}.")
            sets.append(one)
        if len({one.dim for one in of_model if one}) > 1:
            raise ValueError(f"The queries and documents of {name} have different dimensions.")
    numbers = sum(one.n_rows * one.dim for one in sets)
    if numbers > MOST_NUMBERS:
        raise ValueError(
            f"{numbers:,} numbers are more than are compared here ({MOST_NUMBERS:,}): compare_embeddings takes files."
        )
    return sets


def _plan(asked: Mapping[str, Any]) -> Plan:
    return Plan(asked["queries"], tuple(asked["k"]), asked["documents"], asked["similarity"])


def _design(asked: Mapping[str, Any]) -> Design:
    return Design(test=asked["test"], correction=asked["correction"])


def _there(attempt: JobRun) -> dict[tuple[str, str], VectorSet]:
    """By model and side."""
    sets = VectorSet.objects.filter(pk__in=attempt.job.payload["vectors"], collection=attempt.job.collection)
    if len(sets) < len(attempt.job.payload["vectors"]):
        raise JobRefusedError("Vectors are not there any more.")
    return {(one.model, str(one.side)): one for one in sets}


def _rests_on(payload: Mapping[str, Any], sets: Mapping[tuple[str, str], VectorSet]) -> dict[str, Any]:
    """Models in their order, with their sets by hash; and all that was asked."""
    models = [
        {"model": name, **{side: sets[name, side].sha256 for side in (DOCUMENTS, QUERIES) if (name, side) in sets}}
        for name in payload["names"]
    ]
    pairs = {"pairs_sha256": payload["pairs"]} if payload["pairs"] else {}
    return {"form": FORM, "models": models, **payload["asked"], **pairs}


def _compared(attempt: JobRun, sets: Mapping[tuple[str, str], VectorSet]) -> dict[str, Any]:
    from evaluation.formats.compared_models import facts_beside_reference, facts_beside_targets

    payload = attempt.job.payload
    asked, total = payload["asked"], len(payload["names"])

    def report(done: int, _total: int) -> None:
        attempt.report(done=done, total=total, message=f"{done} of {total} models")

    report(0, total)
    design, seed = _design(asked), asked["seed"]
    try:
        models = [_model(name, sets, is_cosine=asked["similarity"] == "cosine") for name in payload["names"]]
        if not payload["pairs"]:
            return facts_beside_reference(models, _plan(asked), design, seed=seed, progress=report)
        compare = partial(facts_beside_targets, models, similarity=asked["similarity"], design=design, seed=seed)
        return read_lines_kept(payload["pairs"], "pairs", compare)
    except ValueError as reason:
        text = str(reason).removesuffix(".")
        raise JobRefusedError(f"{text[:1].upper()}{text[1:]}.") from reason


def _model(name: str, sets: Mapping[tuple[str, str], VectorSet], *, is_cosine: bool) -> "Model":
    from evaluation.engine.reference.models import Model

    sides = {side: stored_vectors(sets[name, side]) for side in (DOCUMENTS, QUERIES) if (name, side) in sets}
    if is_cosine:
        for one in sides.values():
            refuse_zeros(one.names, one.vector)
    documents, queries = sides[DOCUMENTS], sides.get(QUERIES)
    if queries is None:
        return Model(name, documents.vector, documents.names)
    return Model(name, documents.vector, documents.names, queries.vector, queries.names)
