"""The jobs. What was computed before from the same files and judgments is not computed again."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.jobs import JobRefusedError, JobRun
from annotation.models import Batch, Collection, Snapshot
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.comparison import trials
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.policies import parameters_of, policies_of
from evaluation.accounting.steps.scoring import AccountingRequest, score_policies, score_snapshot
from evaluation.engine.backend import device_of_worker
from evaluation.formats.accounting import AccountingResult, as_object
from evaluation.models import Accounting, Run

FORM = 1  # of what is stored: a new one is computed anew

Computed = tuple[AccountingResult, dict[str, object]]


def account_snapshot(attempt: JobRun) -> dict[str, object]:
    """The runs under a snapshot as it is, and with its dropped pairs counted."""
    snapshot = Snapshot.objects.select_related("scale", "collection").get(pk=attempt.job.payload["snapshot"])
    request = _request(attempt, snapshot.collection)
    key = _key([snapshot.pk, snapshot.qrels_sha256, snapshot.inputs_sha256], request)
    _once(attempt, snapshot.collection, key, lambda: score_snapshot(snapshot, request), snapshot=snapshot)
    return {"snapshot": snapshot.name, "runs": len(request.runs)}


def account_policies(attempt: JobRun) -> dict[str, object]:
    """The runs under what several policies make of the same judgments, as they stand when the job runs."""
    payload, collection = attempt.job.payload, attempt.job.collection
    assert collection is not None
    request, policies = _request(attempt, collection), _policies(collection, payload)
    batches = list(Batch.objects.filter(pk__in=payload["batches"], collection=collection).order_by("-pk"))
    request.watch(0, 0, "Reading judgments")
    inputs = _readable(collection, batches)
    inputs_sha256 = hashlib.sha256(inputs.to_bytes()).hexdigest()
    key = _key([inputs_sha256, {name: policy.to_json() for name, policy in policies.items()}], request)

    def compute() -> Computed:
        result, facts = score_policies(inputs, policies, request)
        return result, {**facts, "batches": [batch.name for batch in batches]}

    _once(attempt, collection, key, compute)
    return {"policies": list(policies), "runs": len(request.runs)}


def _request(attempt: JobRun, collection: Collection) -> AccountingRequest:
    def watch(done: int, total: int, message: str) -> None:
        attempt.report(done=done, total=total, message=message)

    payload = attempt.job.payload
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=collection).order_by("tag"))
    if not runs:
        raise JobRefusedError("None of the runs is there any more.")
    return AccountingRequest(runs, payload["k"], payload["measures"], device_of_worker(), watch)


def _policies(collection: Collection, payload: dict[str, Any]) -> dict[str, Parameters]:
    stored = {str(policy): parameters_of(policy) for policy in policies_of(collection)}
    return {name: stored[name] for name in payload["policies"]} | trials(payload["rules"])


def _readable(collection: Collection, batches: Sequence[Batch]) -> Inputs:
    try:
        return policy_inputs(collection, batches)
    except ValueError as fault:
        raise JobRefusedError(str(fault)) from fault


def _key(made_from: Sequence[object], request: AccountingRequest) -> str:
    runs = [(run.tag, run.sha256) for run in request.runs]
    parts = json.dumps([FORM, *made_from, runs, request.k, list(request.measures)])
    return hashlib.sha256(parts.encode()).hexdigest()


def _once(
    attempt: JobRun,
    collection: Collection,
    key: str,
    compute: Callable[[], Computed],
    *,
    snapshot: Snapshot | None = None,
) -> None:
    """Store what `compute` gives under the key; where that is there already, nothing is computed."""
    stored = Accounting.objects.filter(collection=collection, key=key)
    with transaction.atomic():
        attempt.fence()
        if stored.update(made_at=timezone.now()):
            return
    try:
        result, facts = compute()
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason
    columns = {"snapshot": snapshot, "facts": facts, "result": as_object(result), "made_at": timezone.now()}
    with transaction.atomic():
        attempt.fence()
        Accounting.objects.update_or_create(collection=collection, key=key, defaults=columns)
