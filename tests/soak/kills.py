"""An import of documents whose workers are killed at random moments, looked at all the while, beside one left alone."""

import hashlib
import io
import json
import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone

from annotation.corpus.read.texts import current_document_versions, visible_documents
from annotation.exchange.read.imports import CHECK
from annotation.exchange.steps.importing import start_import
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, DocumentVersion, Import, Job
from tests.soak import material
from tests.soak.processes import Worker, until

LEASE = "2"  # seconds; the next worker takes over as soon as it has run out
CHECKS_KILLED = 0.2  # the share of checks that are killed
LATEST = 1.5  # moments are drawn up to so many times what the import took alone: clearing comes before staging again
CHILD_ALONE = 0.25  # the share of kills that leave the worker alive


@dataclass
class Findings:
    """What was seen. `broken` is empty when all went well."""

    kills: int = 0
    rounds: int = 0
    looks: int = 0
    broken: list[str] = field(default_factory=list)


@dataclass
class Soak:
    """Imports of `n` documents under `kills` kills, the moments drawn from `seed`."""

    var: Path
    n: int
    kills: int
    seed: int
    say: Callable[[str], None]

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.findings = Findings()
        self.there, self.file = material.before(self.n, self.seed), material.file(self.n, self.seed)
        self.span: dict[str, float] = {}
        self.worker: Worker | None = None
        self.spared = (0, 0)

    def run(self) -> Findings:
        try:
            expected = self._undisturbed()
            while self.findings.kills < self.kills:
                self.findings.rounds += 1
                if self._disturbed(f"round-{self.findings.rounds}") != expected:
                    self.findings.broken.append(f"round {self.findings.rounds}: not the rows of the import left alone")
        finally:
            if self.worker:
                self.worker.kill()
        return self.findings

    def _undisturbed(self) -> str:
        record = self._begin("alone")
        self.worker = self._worker("--once")
        if self.worker.process.wait():
            raise AssertionError(f"the worker failed:\n{(self.var / 'worker.log').read_text(errors='replace')}")
        for job in _jobs(record):
            assert job.started_at is not None
            assert job.finished_at is not None, f"{job.kind} {job.state}: {job.error}"
            self.span[job.kind] = (job.finished_at - job.started_at).total_seconds()
        self._expect_published(record)
        self.say(", ".join(f"{kind} alone: {seconds:.1f} s" for kind, seconds in self.span.items()))
        return content(record.collection)

    def _disturbed(self, slug: str) -> str:
        """One import under kills. It may have an attempt a kill: how many a job is given is tried elsewhere."""
        record = self._begin(slug)
        self.worker = self._worker()
        while job := _live_job(record):
            Job.objects.filter(pk=job.pk).update(max_attempts=self.kills + 3)
            self._look(record)
            if job.state == Job.State.RUNNING and self._is_to_die(job) and self._reaches_its_moment(record, job):
                self._kill(self.worker, job)
        self._expect_published(record)
        self.worker.stop()
        return content(record.collection)

    def _is_to_die(self, job: Job) -> bool:
        """Drawn once for each attempt. Most checks are let through, or storing would never be tried."""
        if self.findings.kills >= self.kills or (job.pk, job.attempt) == self.spared:
            return False
        if job.kind == CHECK and self.rng.random() > CHECKS_KILLED:
            self.spared = job.pk, job.attempt
            return False
        return True

    def _reaches_its_moment(self, record: Import, job: Job) -> bool:
        """Whether the attempt still runs at the drawn moment, until which everything visible is looked at."""
        end = time.monotonic() + self.rng.uniform(0, LATEST * self.span[job.kind])
        while self._runs(job) and (left := end - time.monotonic()) > 0:
            begun = time.monotonic()
            self._look(record)
            time.sleep(min(max(0.02, 2 * (time.monotonic() - begun)), left))
        return self._runs(job)

    def _kill(self, worker: Worker, job: Job) -> None:
        """SIGKILL to the worker, or in one case of four to its child alone; then wait until someone goes on."""
        job.refresh_from_db()
        self.findings.kills += 1
        child = worker.child() if self.rng.random() < CHILD_ALONE else None
        self.say(
            f"kill {self.findings.kills}: {'child' if child else 'worker'} in {job.kind}, {job.message or 'begun'}"
        )
        if child:
            os.kill(child, signal.SIGKILL)
        else:
            worker.kill()
            self.worker = self._worker()
        begun = time.monotonic()
        try:
            until(lambda: not self._runs(job), "the killed attempt is over")
        except AssertionError as stall:
            raise AssertionError(f"{stall}\n{self._scene(job)}") from stall
        self.say(f"  gone on with after {time.monotonic() - begun:.1f} s")

    def _scene(self, job: Job) -> str:
        """What there is to see where nobody goes on with a job."""
        job.refresh_from_db()
        events = job.events.order_by("-pk").values_list("created_at", "attempt", "text")[:10]
        lines = [f"now {timezone.now()}: {job.state}, attempt {job.attempt}, lease until {job.lease_until}"]
        lines += [f"log: {moment} {attempt} {text}" for moment, attempt, text in events]
        lines += [
            f"worker: {line}" for line in (self.var / "worker.log").read_text(errors="replace").splitlines()[-20:]
        ]
        return "\n".join(lines + at_work_in_the_database())

    def _runs(self, job: Job) -> bool:
        return Job.objects.filter(pk=job.pk, attempt=job.attempt, state=Job.State.RUNNING).exists()

    def _look(self, record: Import) -> None:
        """One statement sees one moment: either nothing of the import, or all of it, and one text a document."""
        self.findings.looks += 1
        seen = current_document_versions(record.collection).aggregate(
            texts=Count("pk"), documents=Count("document", distinct=True), ours=Count("pk", filter=Q(brought_by=record))
        )
        there = material.n_there(self.n)
        allowed = [
            {"texts": there, "documents": there, "ours": 0},
            {"texts": self.n, "documents": self.n, "ours": material.n_brought(self.n)},
        ]
        rows = visible_documents(record.collection).count()
        if seen not in allowed or rows not in (there, self.n):
            self.findings.broken.append(f"visible in between: {seen}, {rows} documents")

    def _begin(self, slug: str) -> Import:
        """A collection with what is there before, and the import that is to follow, queued."""
        collection = Collection.objects.create(slug=slug, name=slug)
        self._start(collection, self.there, "before.jsonl")
        while run := claim_job():
            run_job(run)
        return self._start(collection, self.file, "file.jsonl")

    def _start(self, collection: Collection, data: bytes, name: str) -> Import:
        return start_import(
            collection,
            kind="documents",
            stream=io.BytesIO(data),
            filename=name,
            created_by=None,
            publish=True,
            on_conflict="version",
        )

    def _worker(self, *arguments: str) -> Worker:
        return Worker(self.var, *arguments, TOUCHSTONE_LEASE=LEASE)

    def _expect_published(self, record: Import) -> None:
        record.refresh_from_db()
        if record.state != Import.State.PUBLISHED:
            self.findings.broken.append(f"{record.collection.slug}: ended as {record.state}: {record.problems}")


def content(collection: Collection) -> str:
    """Every row of the collection's documents in the order they came in, as one hash: nothing may be left over."""
    versions = DocumentVersion.objects.filter(collection=collection).order_by("document_id", "sha256")
    columns = ("document__docno", "document__brought_by__filename", "brought_by__filename", "is_current", "sha256")
    digest = hashlib.sha256()
    rows = versions.values_list(
        *columns, "title", "text", "fields", "form", "brought_by__state", "brought_by__published_at"
    )
    for *row, published_at in rows.iterator(chunk_size=2000):
        digest.update(json.dumps([*row, published_at is not None], sort_keys=True).encode())
    return f"{collection.documents.count()} documents, {versions.count()} texts, {digest.hexdigest()}"


def at_work_in_the_database() -> list[str]:
    """What PostgreSQL is busy with: a statement goes on for a while when its client has been killed."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, state, now() - xact_start, now() - query_start, wait_event_type, pg_blocking_pids(pid), query "
            "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [f"database: {' | '.join(map(str, row))[:600]}" for row in cursor.fetchall()]


def _jobs(record: Import) -> list[Job]:
    return list(Job.objects.filter(collection=record.collection, payload__import=record.pk).order_by("pk"))


def _live_job(record: Import) -> Job | None:
    return next((job for job in _jobs(record) if job.is_live), None)
