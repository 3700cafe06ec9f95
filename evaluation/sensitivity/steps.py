"""Studies of sensitivity: asked for, done in a job, kept under the hash of what was asked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Job, Snapshot, User
from evaluation.engine.measures import parse_measures
from evaluation.engine.measures.base import Measure
from evaluation.engine.packed import PackedError
from evaluation.engine.sensitivity.evidence import N_DRAWS, Evidence, Question
from evaluation.engine.sensitivity.kinds.contributions import groups_of
from evaluation.engine.sensitivity.study import study
from evaluation.formats.sensitivity import as_object
from evaluation.models import Run, SensitivityStudy
from evaluation.sensitivity.read import evidence_of, options_of

STUDY = "study_sensitivity"
FORM = 4  # of what is stored: a new one is computed anew


def ask_sensitivity(
    snapshot: Snapshot,
    runs: Sequence[Run],
    *,
    measure: str,
    beside: Sequence[Snapshot] = (),
    groups: Mapping[str, Sequence[str]],
    pool_depth: int,
    judgments_anew: str,
    seed: int,
    created_by: User | None,
) -> Job:
    """Queue it. Raises `ValueError` for fewer than two runs, what is of another collection, a measure that puts no runs
    in order, and groups that name no run."""
    if len(runs) < 2:
        raise ValueError("Choose at least two runs.")
    if {*(run.collection_id for run in runs), *(other.collection_id for other in beside)} != {snapshot.collection_id}:
        raise ValueError("The runs and snapshots are not of one collection.")
    groups_of([run.tag for run in runs], groups)
    payload = {
        "snapshot": snapshot.pk,
        "runs": [run.pk for run in runs],
        "beside": [other.pk for other in beside],
        "asked": {
            "measure": str(ordering_measure(measure)),
            "groups": {name: list(tags) for name, tags in groups.items()},
            "pool_depth": pool_depth,
            "judgments_anew": judgments_anew,
            "n_draws": N_DRAWS,
            "seed": seed,
        },
    }
    with transaction.atomic():
        record_audit(
            "sensitivity asked for",
            actor=created_by,
            collection=snapshot.collection,
            subject=snapshot.name,
            n_runs=len(runs),
        )
        return enqueue(STUDY, collection=snapshot.collection, created_by=created_by, about=snapshot.name, **payload)


def ordering_measure(name: str) -> Measure:
    """One measure of quality whose summary is a mean. Raises `ValueError` for anything else."""
    chosen, *others = parse_measures(name)
    if others or chosen.summary != "mean" or not chosen.is_quality:
        raise ValueError(f"Runs are put in order by the mean of one measure of quality, not by {name}.")
    return chosen


def study_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What was studied before from the same files, policies and question is not studied again."""
    payload = attempt.job.payload
    snapshot = Snapshot.objects.select_related("scale", "collection").get(pk=payload["snapshot"])
    collection = snapshot.collection
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=collection).order_by("tag"))
    beside = list(Snapshot.objects.filter(pk__in=payload["beside"], collection=collection).order_by("pk"))
    if len(runs) < len(payload["runs"]) or len(beside) < len(payload["beside"]):
        raise JobRefusedError("A run or a snapshot is not there any more.")
    evidence = _readable(attempt, snapshot, runs, beside)
    asked = payload["asked"]
    key = _key(snapshot, runs, beside, evidence, asked)
    if not _is_kept(attempt, snapshot, key):
        _store(attempt, snapshot, key, asked["measure"], _studied(attempt, snapshot, evidence, asked))
    return {"snapshot": snapshot.name, "runs": len(runs)}


def _readable(attempt: JobRun, snapshot: Snapshot, runs: Sequence[Run], beside: Sequence[Snapshot]) -> Evidence:
    attempt.report(done=0, total=0, message="Reading runs and judgments")
    try:
        return evidence_of(snapshot, runs, beside=beside)
    except (ValueError, PackedError) as reason:
        raise JobRefusedError(str(reason)) from reason


def _studied(attempt: JobRun, snapshot: Snapshot, evidence: Evidence, asked: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {**asked, "measure": ordering_measure(asked["measure"])}
    try:
        question = Question(options=options_of(snapshot, evidence.pairs), **chosen)
        return as_object(study(evidence, question, attempt.progress))
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason


def _key(
    snapshot: Snapshot, runs: Sequence[Run], beside: Sequence[Snapshot], evidence: Evidence, asked: Mapping[str, Any]
) -> str:
    parts = [
        FORM,
        [snapshot.pk, snapshot.qrels_sha256, snapshot.inputs_sha256],
        [(run.tag, run.sha256) for run in runs],
        [(other.name, other.qrels_sha256) for other in beside],
        {name: policy.to_json() for name, policy in evidence.policies.items()},
        asked,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _is_kept(attempt: JobRun, snapshot: Snapshot, key: str) -> bool:
    with transaction.atomic():
        attempt.fence()
        kept = SensitivityStudy.objects.filter(collection=snapshot.collection, key=key)
        return bool(kept.update(made_at=timezone.now()))


def _store(attempt: JobRun, snapshot: Snapshot, key: str, measure: str, result: dict[str, Any]) -> None:
    columns = {"snapshot": snapshot, "measure": measure, "result": result, "made_at": timezone.now()}
    with transaction.atomic():
        attempt.fence()
        SensitivityStudy.objects.update_or_create(collection=snapshot.collection, key=key, defaults=columns)
