"""The mean of a measure, of a run against a snapshot: each named, or the newest."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Collection, Snapshot
from evaluation.engine.measures import parse_measure
from evaluation.engine.options import Options
from evaluation.engine.packed import PackedError
from evaluation.engine.scorer import evaluate
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Run
from evaluation.runs.read import stored_run
from evaluation.series.steps.measuring.result import Kind, Measured, MeasuringError, key_of, newest


def _measure(collection: Collection, of: Mapping[str, Any]) -> Measured:
    run, snapshot = _run(collection, of["run"]), _snapshot(collection, of.get("snapshot", ""))
    try:
        qrels = load_qrels(snapshot)
        top = max(snapshot.scale.top if snapshot.scale else 1, int(qrels.grade.max()))
        evaluation = evaluate(stored_run(run), qrels, [parse_measure(of["measure"])], options=Options(max_grade=top))
    except (PackedError, ValueError) as reason:
        raise MeasuringError(str(reason)) from reason
    rests_on = f"{of['measure']} of the run {run.tag} against the snapshot {snapshot.name}"
    return Measured(
        float(evaluation.mean[0]), None, None, rests_on, key_of(run.sha256, snapshot.qrels_sha256, of["measure"])
    )


def _run(collection: Collection, tag: str) -> Run:
    looked_up = {f"tag__{way}": name for way, name in newest(tag).items()}
    run = Run.objects.filter(collection=collection, **looked_up).order_by("-pk").first()
    if run is None:
        raise MeasuringError(f"There is no run {tag}.")
    return run


def _snapshot(collection: Collection, name: str) -> Snapshot:
    snapshots = Snapshot.objects.filter(collection=collection).select_related("scale").order_by("-pk")
    snapshot = (snapshots.filter(name=name) if name else snapshots).first()
    if snapshot is None:
        raise MeasuringError(f"There is no snapshot {name}." if name else "There is no snapshot yet.")
    return snapshot


RUN_MEASURE = Kind(("run", "snapshot", "measure"), _measure, optional=("snapshot",))
