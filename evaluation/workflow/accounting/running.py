"""The jobs. What was reckoned before from the same files and judgments is kept, and only brought to the front."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.models import Batch, Collection, Snapshot
from annotation.quality.inputs import Inputs
from annotation.quality.policy import Policy as Parameters
from annotation.queries.judgment_table import policy_inputs
from annotation.queries.policies import parameters_of, policies_of
from annotation.queries.quality import trials
from annotation.queries.quality.comparison import ComparedPolicy, compare_on
from annotation.workflow.jobs import JobRefused, JobRun
from evaluation.engine.backend import device_of_worker
from evaluation.formats.accounting import Accounted, as_object
from evaluation.models import Accounting, Run
from evaluation.workflow.accounting.cases import Case, policy_cases, snapshot_cases
from evaluation.workflow.accounting.reckoning import reckon

FORM = 1  # of what is stored: a new one is reckoned anew
NOTHING_SHARED = "These policies keep no pair, or none of a topic that they all keep something of: choose others."
TOP = 1  # of imported qrels without a scale, unless their grades go higher


def account_snapshot(job: JobRun) -> dict[str, object]:
    """The runs under a snapshot as it is, and with its dropped pairs counted."""
    payload = job.job.payload
    snapshot = Snapshot.objects.select_related("scale", "collection").get(pk=payload["snapshot"])
    runs = _runs(snapshot.collection, payload["runs"])
    key = _key(snapshot.qrels_sha256, snapshot.inputs_sha256, *_asked(runs, payload))
    if _brought_forward(job, snapshot.collection, key):
        return {"snapshot": snapshot.name, "runs": len(runs)}
    made = snapshot_cases(snapshot)
    found = _reckoned(job, runs, made.cases, top=snapshot.scale.top if snapshot.scale else TOP)
    counts = {name: value for name, value in vars(made).items() if name != "cases"}
    _store(job, snapshot.collection, key, found, facts=counts, snapshot=snapshot)
    return {"snapshot": snapshot.name, "runs": len(runs)}


def account_policies(job: JobRun) -> dict[str, object]:
    """The runs under what several policies make of the same judgments, as they stand when the job runs."""
    payload, collection = job.job.payload, job.job.collection
    assert collection is not None
    batches = list(Batch.objects.filter(pk__in=payload["batches"], collection=collection).order_by("-pk"))
    runs, named = _runs(collection, payload["runs"]), _named(collection, payload)
    job.report(done=0, total=0, message="Reading judgments")
    inputs = _readable(collection, batches)
    said = [f"{name}: {policy.to_json()}" for name, policy in named.items()]
    key = _key(hashlib.sha256(inputs.to_bytes()).hexdigest(), *said, *_asked(runs, payload))
    if not _brought_forward(job, collection, key):
        job.report(done=0, total=0, message="Applying the policies")
        compared = compare_on(inputs, named).rows
        cases = policy_cases({row.name: row.outcome for row in compared})
        if not cases:
            raise JobRefused(NOTHING_SHARED)
        found = _reckoned(job, runs, cases, top=inputs.scale.top)
        facts = {"batches": [batch.name for batch in batches], "policies": [_facts(row) for row in compared]}
        _store(job, collection, key, found, facts=facts, snapshot=None)
    return {"policies": list(named), "runs": len(runs)}


def _named(collection: Collection, payload: dict[str, Any]) -> dict[str, Parameters]:
    stored = {str(policy): parameters_of(policy) for policy in policies_of(collection)}
    return {name: stored[name] for name in payload["policies"]} | trials(payload["rules"])


def _runs(collection: Collection, keys: Sequence[int]) -> list[Run]:
    runs = list(Run.objects.filter(pk__in=keys, collection=collection).order_by("tag"))
    if not runs:
        raise JobRefused("None of the runs is there any more.")
    return runs


def _readable(collection: Collection, batches: Sequence[Batch]) -> Inputs:
    try:
        return policy_inputs(collection, batches)
    except ValueError as fault:
        raise JobRefused(str(fault)) from fault


def _asked(runs: Sequence[Run], payload: dict[str, Any]) -> list[str]:
    return [json.dumps([payload["k"], payload["measures"], [(run.tag, run.sha256) for run in runs]])]


def _key(*parts: str) -> str:
    return hashlib.sha256(json.dumps([FORM, *parts]).encode()).hexdigest()


def _brought_forward(job: JobRun, collection: Collection, key: str) -> bool:
    with transaction.atomic():
        job.fence()
        return bool(Accounting.objects.filter(collection=collection, key=key).update(made_at=timezone.now()))


def _reckoned(job: JobRun, runs: Sequence[Run], cases: Sequence[Case], *, top: int) -> Accounted:
    def watch(done: int, total: int, message: str) -> None:
        job.report(done=done, total=total, message=message)

    payload = job.job.payload
    asked = {"k": payload["k"], "measures": payload["measures"], "device": device_of_worker()}
    try:
        return reckon(runs, cases, top=top, watch=watch, **asked)
    except ValueError as reason:
        raise JobRefused(str(reason)) from reason


def _store(
    job: JobRun,
    collection: Collection,
    key: str,
    found: Accounted,
    *,
    facts: dict[str, object],
    snapshot: Snapshot | None,
) -> None:
    given = {"snapshot": snapshot, "facts": facts, "result": as_object(found), "made_at": timezone.now()}
    with transaction.atomic():
        job.fence()
        Accounting.objects.update_or_create(collection=collection, key=key, defaults=given)


def _facts(row: ComparedPolicy) -> dict[str, object]:
    """What is said of a policy beside the values of runs."""
    kept = row.outcome.topic[row.outcome.kept]
    return {
        "name": row.name,
        "rule": row.rule,
        "kept": row.coverage.kept,
        "total": row.coverage.total,
        "n_pairs": row.outcome.n_kept,
        "n_topics": len(set(kept.tolist())),
        "n_right": row.gold.n_right,
        "n_gold": row.gold.n_kept,
        "interval": list(row.interval) if row.gold.n_kept else None,
        "dropped": [asdict(reason) for reason in row.reasons],
    }
