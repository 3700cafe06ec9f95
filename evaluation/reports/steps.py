"""Making reports: a job writes the files of a snapshot and its runs, and from them what `manage.py report` writes."""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from django.db import transaction
from django.utils import timezone

from annotation.formats.streaming import gzipped
from annotation.formats.version import VERSION
from annotation.kernel.audit import record_audit
from annotation.kernel.jobs import JobRefusedError, JobRun, enqueue
from annotation.kernel.store import put
from annotation.models import Job, Snapshot, User
from annotation.trust.read.snapshots import qrels_path
from evaluation.engine.backend import device_of_worker
from evaluation.engine.comparison import Design, check_comparable
from evaluation.engine.measures import parse_measures
from evaluation.engine.options import Options
from evaluation.engine.packed import PackedError
from evaluation.formats.names import safe_name
from evaluation.formats.report.archive import write_zip
from evaluation.formats.report.folder import FORM, copied, write_report
from evaluation.formats.report.question import Inputs, Kind, Question
from evaluation.formats.run_export import run_trec
from evaluation.leaderboard.read.evaluations import load_qrels
from evaluation.models import Report, Run
from evaluation.reports.read import MAKE, facts_of
from evaluation.runs.read import stored_run

USUAL: Mapping[Kind, Sequence[str]] = {"evaluation": ("nDCG@10", "AP", "RR", "P@10"), "comparison": ("nDCG@10",)}


def ask_report(
    snapshot: Snapshot,
    runs: Iterable[Run],
    *,
    kind: Kind,
    title: str,
    measures: Sequence[str],
    averaging: str,
    design: Design,
    seed: int,
    created_by: User | None,
) -> Job:
    """Queue it. Raises `ValueError` for no runs or too few, those of another collection, unknown measures, those that
    cannot be compared, and a baseline that is none of the runs."""
    chosen = list(runs)
    if any(run.collection_id != snapshot.collection_id for run in chosen):
        raise ValueError("The runs and the snapshot belong to different collections.")
    if len(chosen) < (2 if kind == "comparison" else 1):
        raise ValueError("Choose two runs or more." if kind == "comparison" else "Choose at least one run.")
    parsed = dict.fromkeys(one for name in measures or USUAL[kind] for one in parse_measures(name))
    if kind == "comparison":
        check_comparable(list(parsed))
    if design.baseline is not None and design.baseline not in {run.tag for run in chosen}:
        raise ValueError(f"The baseline {design.baseline} is none of the runs.")
    title = title or f"{kind.title()} of {_named(chosen)} against {snapshot.name}"
    asked = {
        "kind": kind,
        "title": title,
        "measures": [str(one) for one in parsed],
        "averaging": averaging,
        "design": asdict(design),
        "seed": seed,
    }
    with transaction.atomic():
        record_audit("report asked for", actor=created_by, collection=snapshot.collection, subject=title)
        return enqueue(
            MAKE,
            collection=snapshot.collection,
            created_by=created_by,
            about=title,
            snapshot=snapshot.pk,
            runs=[run.pk for run in chosen],
            asked=asked,
        )


def make_report(attempt: JobRun) -> dict[str, object]:
    """The job. What was made before from the same files, by the same version, is not made again."""
    payload = attempt.job.payload
    snapshot = Snapshot.objects.select_related("collection", "policy", "scale").get(pk=payload["snapshot"])
    runs = list(Run.objects.filter(pk__in=payload["runs"], collection=snapshot.collection_id).order_by("tag"))
    if payload["asked"]["kind"] == "comparison" and len(runs) == 2:  # the first minus the second, as asked
        runs.sort(key=lambda run: payload["runs"].index(run.pk))
    if len(runs) < len(payload["runs"]):
        raise JobRefusedError("A run is not there any more.")
    asked = {**payload["asked"], "runs": [run.tag for run in runs]}
    key = _key(snapshot, runs, asked)
    stored = Report.objects.filter(collection=snapshot.collection_id, key=key)
    if (report := stored.first()) is None:
        with _written(attempt, snapshot, runs, asked) as archive:
            report = _store(attempt, snapshot, key, asked, put(archive))
    return {"report": report.pk, "runs": len(runs), "snapshot": snapshot.name}


@contextmanager
def _written(attempt: JobRun, snapshot: Snapshot, runs: Sequence[Run], asked: Mapping[str, Any]) -> Iterator[Any]:
    """The report as an open zip file, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="report-") as folder, tempfile.TemporaryFile() as archive:
        source, target = Path(folder) / "source", Path(folder) / "report"
        target.mkdir()
        attempt.report(done=0, total=0, message="Writing qrels and runs")
        inputs, qrels = _inputs(attempt, snapshot, runs, source, target), load_qrels(snapshot)
        question = question_of(asked, top=max(snapshot.scale.top if snapshot.scale else 1, int(qrels.grade.max())))
        try:
            packed = [stored_run(run) for run in runs]
            write_report(question, inputs, qrels, packed, target, watch=attempt.progress, device=device_of_worker())
        except ValueError as reason:
            raise JobRefusedError(str(reason)) from reason
        attempt.report(done=0, total=0, message="Packing")
        write_zip(target, archive)
        archive.seek(0)
        yield archive


def _inputs(attempt: JobRun, snapshot: Snapshot, runs: Sequence[Run], source: Path, target: Path) -> Inputs:
    """Qrels, runs and facts as files, each in a folder of its own; then copied, as the command copies what it reads."""
    files = [source / str(at) / f"{safe_name(run.tag) or 'run'}.run.gz" for at, run in enumerate(runs)]
    files = [source / "qrels" / "qrels.txt", *files, source / "facts" / "facts.json"]
    for file in files:
        file.parent.mkdir(parents=True)
    facts = facts_of(snapshot)
    files[0].write_bytes(qrels_path(snapshot).read_bytes())
    files[-1].write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", "utf-8")
    for n, (file, run) in enumerate(zip(files[1:-1], runs, strict=True)):
        attempt.progress(n, len(runs), f"{n} of {len(runs)} runs written")
        try:
            with file.open("wb") as out:
                out.writelines(gzipped(run_trec(stored_run(run))))
        except PackedError as reason:
            raise JobRefusedError(f"run {run.tag!r}: {reason}; import it again") from reason
    qrels, *packed, facts_file = copied(files, target)
    return Inputs(qrels=qrels, runs=tuple(packed), facts_file=facts_file, facts=facts)


def question_of(asked: Mapping[str, Any], *, top: int) -> Question:
    """Grades go to `top`, as the leaderboard has them."""
    assert asked["kind"] in get_args(Kind)
    return Question(
        kind=asked["kind"],
        title=asked["title"],
        measures=tuple(one for name in asked["measures"] for one in parse_measures(name)),
        averaging=asked["averaging"],
        options=Options(max_grade=top),
        design=Design(**asked["design"]),
        seed=asked["seed"],
    )


def _store(attempt: JobRun, snapshot: Snapshot, key: str, asked: Mapping[str, Any], sha256: str) -> Report:
    columns = {"snapshot": snapshot, "title": asked["title"], "kind": asked["kind"], "asked": asked, "sha256": sha256}
    with transaction.atomic():
        attempt.fence()
        report, _ = Report.objects.update_or_create(
            collection=snapshot.collection, key=key, defaults={**columns, "made_at": timezone.now()}
        )
    return report


def _key(snapshot: Snapshot, runs: Sequence[Run], asked: Mapping[str, Any]) -> str:
    parts = [FORM, VERSION, facts_of(snapshot), [(run.tag, run.sha256) for run in runs], asked]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _named(runs: Sequence[Run]) -> str:
    return " and ".join(run.tag for run in runs) if len(runs) < 3 else f"{len(runs)} runs"
