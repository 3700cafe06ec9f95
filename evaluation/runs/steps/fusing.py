"""A run made of other runs of the collection: a job fuses them and stores the result under its own tag."""

from collections.abc import Mapping, Sequence

from django.db import transaction

from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.models import Collection, Job, User
from evaluation.models import Run
from evaluation.runs.read import problem_of_tag, stored_run
from evaluation.runs.steps.storing import store_made_run

FUSE = "fuse_runs"


def ask_fusion(
    collection: Collection,
    *,
    runs: Sequence[Run],
    tag: str,
    method: str,
    parameters: Mapping[str, object],
    depth: int,
    created_by: User | None,
) -> Job:
    """Queue it. Raises `ValueError` for fewer than two runs, those of another collection, a tag that is taken, and
    what `method_named` refuses."""
    from evaluation.engine.fusion.fuse import method_named

    if len(runs) < 2:
        raise ValueError("Choose at least two runs.")
    if any(run.collection_id != collection.pk for run in runs):
        raise ValueError("The runs are of another collection.")
    if problem := problem_of_tag(collection, tag):
        raise ValueError(problem)
    chosen = method_named(method, parameters)
    payload = {
        "runs": [run.pk for run in runs],
        "tag": tag,
        "method": method,
        "parameters": {name: getattr(chosen, name) for name in chosen.parameters()},
        "depth": depth,
    }
    with transaction.atomic():
        record_audit("runs fused", actor=created_by, collection=collection, subject=tag, n_runs=len(runs))
        return enqueue(FUSE, collection=collection, created_by=created_by, about=tag, **payload)


def fuse_in_job(attempt: JobRun) -> dict[str, object]:
    """The job. What a run came from, it says itself: the runs by their hashes, the method and its parameters."""
    from evaluation.engine.fusion.fuse import fuse, method_named
    from evaluation.engine.packed import PackedError

    payload, collection = attempt.job.payload, attempt.job.collection
    assert collection is not None
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=collection).order_by("tag"))
    if len(runs) < len(payload["runs"]):
        raise JobRefusedError("A run is not there any more.")
    method = method_named(payload["method"], payload["parameters"])
    attempt.report(done=0, total=2, message=f"Fusing {len(runs)} runs")
    try:
        table = fuse([stored_run(run) for run in runs], method, tag=payload["tag"], depth=payload["depth"])
    except (ValueError, PackedError) as reason:
        raise JobRefusedError(str(reason)) from reason
    attempt.report(done=1, total=2, message="Packing")
    origin = {
        "method": payload["method"],
        "parameters": payload["parameters"],
        "depth": payload["depth"],
        "runs": [{"tag": run.tag, "sha256": run.sha256} for run in runs],
    }
    store_made_run(attempt, table, description=f"{method} of {_tags(runs)}", origin=origin)
    return {"run": payload["tag"], "runs": len(runs)}


def _tags(runs: Sequence[Run]) -> str:
    return ", ".join(run.tag for run in runs)
