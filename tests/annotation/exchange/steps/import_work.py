"""Files brought in as tests need them, and importers that misfortune befalls (see `settings.TOUCHSTONE_IMPORTERS`)."""

import io
import json

from annotation.corpus.read.texts import visible_documents
from annotation.exchange.steps.importing import start_import, sweep_imports
from annotation.exchange.steps.importing.documents import DocumentImporter
from annotation.exchange.steps.importing.texts import Portion
from annotation.kernel.jobs import JobRun, ask_cancel, claim_job, run_job
from annotation.models import Collection, Import, Job

seen: list[int] = []  # documents that a reader saw, after each portion that was staged


def bring(collection: Collection, kind: str, data: str | bytes, *, publish: bool = False, **options: str) -> Import:
    raw = data.encode() if isinstance(data, str) else data
    if kind in ("topics", "documents"):
        options = {"on_conflict": "refuse", **options}
    return start_import(
        collection,
        kind=kind,
        stream=io.BytesIO(raw),
        filename=f"my.{kind}",
        created_by=None,
        publish=publish,
        **options,
    )


def work() -> list[str]:
    """Do what is in the queue, as the worker does; the states in which the jobs ended."""
    states = []
    while run := claim_job():
        states.append(run_job(run).state)
    sweep_imports()
    return states


def claimed() -> JobRun:
    run = claim_job()
    assert run is not None
    return run


def stored(collection: Collection, kind: str, data: str | bytes, **options: str) -> Import:
    record = bring(collection, kind, data, publish=True, **options)
    work()
    record.refresh_from_db()
    return record


def many(n: int, *, text: str = "a text") -> str:
    return "".join(json.dumps({"docno": f"D{i}", "title": f"title {i}", "text": text}) + "\n" for i in range(n))


def problems_of(record: Import) -> list[tuple[str, int, str]]:
    return [(p["file"], p["line"], p["reason"]) for p in record.problems]


class FallingImporter(DocumentImporter):
    """The process dies in the first attempt, after the first portion."""

    def _write(self, portion: Portion) -> None:
        if self.run.attempt == 1 and seen:
            raise MemoryError("the machine went away")
        super()._write(portion)
        seen.append(visible_documents(self.collection).count())


class CancelledImporter(DocumentImporter):
    """Somebody cancels after the first portion."""

    def _write(self, portion: Portion) -> None:
        super()._write(portion)
        ask_cancel(self.run.job)


class OvertakenImporter(DocumentImporter):
    """The worker freezes as it is about to stage its second portion; another takes the job; then it wakes up."""

    def _write(self, portion: Portion) -> None:
        if self.run.attempt == 1 and seen:
            Job.objects.filter(pk=self.run.job.pk).update(attempt=2)
        super()._write(portion)
        seen.append(visible_documents(self.collection).count())


class HungryImporter(DocumentImporter):
    """Wants more and more memory once its first portion is staged."""

    def _write(self, portion: Portion) -> None:
        super()._write(portion)
        eaten = []
        while True:
            eaten.append(bytearray(8 << 20))
