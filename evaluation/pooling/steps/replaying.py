"""Replays of ways to choose judgments: asked for, done in a job, kept under the hash of what was asked."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Job, Snapshot, User
from evaluation.engine.adaptive.length import MOST_SECONDS
from evaluation.engine.adaptive.methods import methods_named
from evaluation.engine.adaptive.replay import Unlisted, check_replay, replay
from evaluation.engine.measures import parse_measure
from evaluation.engine.packed import PackedError
from evaluation.formats.pooling_replay import as_object
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import PoolingReplay, Run
from evaluation.runs.read import stored_run

REPLAY = "replay_pooling"
FORM = 1  # of what is stored: a new one is drawn anew


class ReplayAsked(TypedDict):
    """How it is replayed, as `replay` takes it; methods by name."""

    methods: list[str]
    measure: str
    depth: int
    rel: int
    n_seeds: int
    unlisted: Unlisted
    leave_out: bool


def ask_replay(snapshot: Snapshot, runs: Sequence[Run], asked: ReplayAsked, *, created_by: User | None) -> Job:
    """Queue it. Raises `ValueError` for runs of another collection, and as `check_replay`."""
    if {run.collection_id for run in runs} - {snapshot.collection_id}:
        raise ValueError("The runs and the snapshot are not of one collection.")
    methods, measure = methods_named(asked["methods"]), parse_measure(asked["measure"])
    try:
        check_replay(len(runs), methods, n_seeds=asked["n_seeds"], measure=measure)
    except ValueError as reason:
        raise ValueError(_sentence(reason)) from reason
    payload = {"snapshot": snapshot.pk, "runs": [run.pk for run in runs], "asked": dict(asked)}
    with transaction.atomic():
        record_audit(
            "replay of pooling asked for",
            actor=created_by,
            collection=snapshot.collection,
            subject=snapshot.name,
            n_runs=len(runs),
        )
        return enqueue(REPLAY, collection=snapshot.collection, created_by=created_by, about=snapshot.name, **payload)


def replay_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What was replayed before from the same files is not replayed again."""
    payload = attempt.job.payload
    snapshot = Snapshot.objects.select_related("collection").get(pk=payload["snapshot"])
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=snapshot.collection_id).order_by("tag"))
    if len(runs) < len(payload["runs"]):
        raise JobRefusedError("A run is not there any more.")
    key = _key(snapshot, runs, payload["asked"])
    kept = PoolingReplay.objects.filter(collection=snapshot.collection_id, key=key)
    result = kept.values_list("result", flat=True).first() or _replayed(attempt, snapshot, runs, payload["asked"])
    with transaction.atomic():
        attempt.fence()
        columns = {"snapshot": snapshot, "result": result, "made_at": timezone.now()}
        stored, _ = PoolingReplay.objects.update_or_create(
            collection_id=snapshot.collection_id, key=key, defaults=columns
        )
    return {"replay": stored.pk, "runs": len(runs)}


def _replayed(attempt: JobRun, snapshot: Snapshot, runs: Sequence[Run], asked: ReplayAsked) -> dict[str, Any]:
    attempt.report(done=0, total=0, message="Reading runs")
    names, how = asked["methods"], {name: value for name, value in asked.items() if name != "methods"}
    try:
        packed = [stored_run(run) for run in runs]
        how |= {"progress": attempt.progress, "most_seconds": MOST_SECONDS}
        return as_object(replay(packed, load_qrels(snapshot), methods_named(names), **how))  # type: ignore[arg-type]
    except (ValueError, PackedError) as reason:
        raise JobRefusedError(_sentence(reason)) from reason


def _sentence(reason: Exception) -> str:
    """What the engine says in the middle of a line."""
    text = str(reason)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _key(snapshot: Snapshot, runs: Sequence[Run], asked: ReplayAsked) -> str:
    parts = [FORM, [snapshot.pk, snapshot.qrels_sha256], [(run.tag, run.sha256) for run in runs], asked]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
