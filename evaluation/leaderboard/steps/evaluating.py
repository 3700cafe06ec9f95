"""Evaluating runs against a snapshot: a job scores them in the worker and stores values, means and intervals."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.corpus.steps.pooling import create_pool
from annotation.formats.pairs import PairRow
from annotation.formats.problems import Problems
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue, work_here
from annotation.kernel.store import DamagedError, MissingError, put
from annotation.models import Job, Pool, Snapshot, User
from annotation.text.counted import counted
from annotation.text.watch import Watch
from evaluation.engine.backend import device_of_worker
from evaluation.engine.measures import DEFAULT_MEASURES, parse_measure, parse_measures
from evaluation.engine.options import Options
from evaluation.engine.packed import PackedError
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import PackedRun
from evaluation.engine.scorer import Averaging, MeasureValues, evaluate_runs
from evaluation.engine.values import pack_values
from evaluation.leaderboard.read.evaluations import CONFIDENCE, MEANS_FORM, load_qrels, means_of, unjudged_of
from evaluation.models import Evaluation, Run
from evaluation.runs.read import stored_run

EVALUATE = "evaluate_runs"
TOGETHER = 20  # runs scored at once


def ask_evaluation(
    snapshot: Snapshot, runs: Iterable[Run], *, averaging: Averaging, measures: Sequence[str], created_by: User | None
) -> Job:
    """Queue the evaluation of the runs against the snapshot; what was evaluated before is replaced.

    Raises `ValueError` for no runs, for a run of another collection and for a measure that does not exist.
    """
    asked = _asked(snapshot, list(runs), averaging=averaging, measures=measures)
    with transaction.atomic():
        _record(snapshot, asked, created_by)
        return enqueue(EVALUATE, collection=snapshot.collection, created_by=created_by, **asked)


def evaluate_here(
    snapshot: Snapshot,
    runs: Iterable[Run],
    *,
    averaging: Averaging,
    measures: Sequence[str],
    watch: Watch,
) -> Job:
    """As `ask_evaluation`, done in this process: for commands. Raises `ValueError` as it does."""
    asked = _asked(snapshot, list(runs), averaging=averaging, measures=measures)
    _record(snapshot, asked, None)
    return work_here(EVALUATE, collection=snapshot.collection, created_by=None, watch=watch, **asked)


def check_evaluation(
    snapshot: Snapshot, runs: Iterable[Run], *, averaging: Averaging, measures: Sequence[str]
) -> list[str]:
    """The measures that would be evaluated. Raises as `ask_evaluation` does."""
    return list(_asked(snapshot, list(runs), averaging=averaging, measures=measures)["measures"])


def _asked(snapshot: Snapshot, runs: Sequence[Run], *, averaging: Averaging, measures: Sequence[str]) -> dict[str, Any]:
    """What the job is told."""
    if not runs:
        raise ValueError("Choose at least one run.")
    if any(run.collection_id != snapshot.collection_id for run in runs):
        raise ValueError("The runs and the snapshot belong to different collections.")
    names = canonical_measures(measures)
    which = runs[0].tag if len(runs) == 1 else counted(len(runs), "run")
    return {
        "about": f"{snapshot.name}, {which}",
        "snapshot": snapshot.pk,
        "runs": [run.pk for run in runs],
        "averaging": averaging,
        "measures": names,
    }


def _record(snapshot: Snapshot, asked: Mapping[str, Any], actor: User | None) -> None:
    record_audit(
        "evaluation asked for",
        actor=actor,
        collection=snapshot.collection,
        subject=snapshot.name,
        n_runs=len(asked["runs"]),
        averaging=asked["averaging"],
    )


def canonical_measures(names: Sequence[str]) -> list[str]:
    """The default measures and those named besides, each once, as they are printed. `ValueError` for unknown ones."""
    return list(dict.fromkeys(str(one) for name in (*DEFAULT_MEASURES, *names) for one in parse_measures(name)))


def create_pool_of_unjudged(evaluation: Evaluation, *, name: str, depth: int, created_by: User | None) -> Pool:
    """What the run has within the depth and the snapshot does not judge, by rank within each topic.

    Raises `FormatError` with the documents that the collection does not have, or where all of it is judged;
    `TakenError` for a name that is taken; `PackedError` for a run whose file is of an older form.
    """
    snapshot, run = evaluation.snapshot, evaluation.run
    return create_pool(
        snapshot.collection,
        name=name,
        pairs=[PairRow(row.number, row.docno, 0) for row in unjudged_of(evaluation, depth=depth)],
        problems=Problems("the unjudged documents"),
        origin={"kind": "unjudged", "depth": depth, "run": run.tag, "snapshot": snapshot.name},
        created_by=created_by,
    )


def evaluate_in_job(attempt: JobRun) -> dict[str, object]:
    """The job: score some runs at a time with torch; they are stored as soon as they are done."""
    payload = attempt.job.payload
    snapshot = Snapshot.objects.get(pk=payload["snapshot"])
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=snapshot.collection_id).order_by("tag"))
    qrels = load_qrels(snapshot)
    top = max(snapshot.scale.top if snapshot.scale else 1, int(qrels.grade.max()))
    for n, portion, message in run_portions(runs):
        attempt.report(done=n, total=len(runs), message=message)
        values = _score(portion, qrels, top=top, averaging=payload["averaging"], measures=payload["measures"])
        for run, value in zip(portion, values, strict=True):
            _store(attempt, snapshot, run, value)
    attempt.report(done=len(runs), total=len(runs), message="Done")
    return {"runs": len(runs), "snapshot": snapshot.name}


def run_portions(runs: Sequence[Run]) -> Iterator[tuple[int, Sequence[Run], str]]:
    """`(n, some, message)`: some runs at a time, how many came before them, and what is being done."""
    for n in range(0, len(runs), TOGETHER):
        portion = runs[n : n + TOGETHER]
        yield n, portion, f"Scoring {portion[0].tag}{' …' if len(portion) > 1 else ''}"


def _score(
    runs: Sequence[Run], qrels: Qrels, *, top: int, averaging: Averaging, measures: Sequence[str]
) -> list[MeasureValues]:
    packed = [packed_run(run) for run in runs]
    try:
        chosen = [parse_measure(name) for name in measures]
        options = Options(max_grade=top)
        return evaluate_runs(packed, qrels, chosen, averaging=averaging, options=options, device=device_of_worker())
    except ValueError as reason:
        raise JobRefusedError(str(reason)) from reason


def packed_run(run: Run) -> PackedRun:
    """The run from its file. Raises `JobRefusedError` where that is damaged, missing, or of an older form."""
    try:
        return stored_run(run)
    except (PackedError, DamagedError, MissingError) as reason:
        raise JobRefusedError(f"run {run.tag!r}: {reason}; import it again") from reason


def _store(attempt: JobRun, snapshot: Snapshot, run: Run, values: MeasureValues) -> None:
    """The values as a file first, then the row that names it."""
    sha = put(pack_values(values))
    with transaction.atomic():
        attempt.fence()
        Evaluation.objects.update_or_create(
            snapshot=snapshot,
            run=run,
            averaging=values.averaging,
            defaults={
                "measures": list(values.measures),
                "means": means_of(values, CONFIDENCE),
                "means_form": MEANS_FORM,
                "n_topics": len(values.numbers),
                "n_missing": len(values.missing),
                "sha256": sha,
            },
        )
