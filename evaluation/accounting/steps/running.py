"""The jobs. What was reckoned before from the same files and judgments is kept, and only brought to the front."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.jobs import JobRefused, JobRun
from annotation.models import Batch, Collection, Snapshot
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read import parameters_of, policies_of, policy_inputs, trials
from evaluation.accounting.steps.reckoning import Asked, reckon_policies, reckon_snapshot
from evaluation.engine.backend import device_of_worker
from evaluation.formats.accounting import Accounted, as_object
from evaluation.models import Accounting, Run

FORM = 1  # of what is stored: a new one is reckoned anew

Reckoned = tuple[Accounted, dict[str, object]]


def account_snapshot(job: JobRun) -> dict[str, object]:
    """The runs under a snapshot as it is, and with its dropped pairs counted."""
    snapshot = Snapshot.objects.select_related("scale", "collection").get(pk=job.job.payload["snapshot"])
    asked = _asked(job, snapshot.collection)
    key = _key([snapshot.pk, snapshot.qrels_sha256, snapshot.inputs_sha256], asked)
    _once(job, snapshot.collection, key, lambda: reckon_snapshot(snapshot, asked), snapshot=snapshot)
    return {"snapshot": snapshot.name, "runs": len(asked.runs)}


def account_policies(job: JobRun) -> dict[str, object]:
    """The runs under what several policies make of the same judgments, as they stand when the job runs."""
    payload, collection = job.job.payload, job.job.collection
    assert collection is not None
    asked, named = _asked(job, collection), _named(collection, payload)
    batches = list(Batch.objects.filter(pk__in=payload["batches"], collection=collection).order_by("-pk"))
    asked.watch(0, 0, "Reading judgments")
    inputs = _readable(collection, batches)
    judged = hashlib.sha256(inputs.to_bytes()).hexdigest()
    key = _key([judged, {name: policy.to_json() for name, policy in named.items()}], asked)

    def reckoned() -> Reckoned:
        found, facts = reckon_policies(inputs, named, asked)
        return found, {**facts, "batches": [batch.name for batch in batches]}

    _once(job, collection, key, reckoned)
    return {"policies": list(named), "runs": len(asked.runs)}


def _asked(job: JobRun, collection: Collection) -> Asked:
    def watch(done: int, total: int, message: str) -> None:
        job.report(done=done, total=total, message=message)

    payload = job.job.payload
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=collection).order_by("tag"))
    if not runs:
        raise JobRefused("None of the runs is there any more.")
    return Asked(runs, payload["k"], payload["measures"], device_of_worker(), watch)


def _named(collection: Collection, payload: dict[str, Any]) -> dict[str, Parameters]:
    stored = {str(policy): parameters_of(policy) for policy in policies_of(collection)}
    return {name: stored[name] for name in payload["policies"]} | trials(payload["rules"])


def _readable(collection: Collection, batches: Sequence[Batch]) -> Inputs:
    try:
        return policy_inputs(collection, batches)
    except ValueError as fault:
        raise JobRefused(str(fault)) from fault


def _key(made_from: Sequence[object], asked: Asked) -> str:
    runs = [(run.tag, run.sha256) for run in asked.runs]
    told = json.dumps([FORM, *made_from, runs, asked.k, list(asked.measures)])
    return hashlib.sha256(told.encode()).hexdigest()


def _once(
    job: JobRun, collection: Collection, key: str, reckon: Callable[[], Reckoned], *, snapshot: Snapshot | None = None
) -> None:
    """Store what `reckon` gives under the key; where that is there already, nothing is reckoned."""
    known = Accounting.objects.filter(collection=collection, key=key)
    with transaction.atomic():
        job.fence()
        if known.update(made_at=timezone.now()):
            return
    try:
        found, facts = reckon()
    except ValueError as reason:
        raise JobRefused(str(reason)) from reason
    given = {"snapshot": snapshot, "facts": facts, "result": as_object(found), "made_at": timezone.now()}
    with transaction.atomic():
        job.fence()
        Accounting.objects.update_or_create(collection=collection, key=key, defaults=given)
