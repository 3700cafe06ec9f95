"""Packing a collection into a bundle, while people judge."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from django.db import transaction

from annotation.exchange.read.bundles import EXPORT, PORTION, Transfer, bundle_jobs
from annotation.exchange.steps.bundles.collection_facts import facts_of
from annotation.exchange.steps.bundles.parts.part import Part, parts_of
from annotation.exchange.steps.bundles.temporary_files import (
    clear_transit,
    is_in_transit,
    open_transit_file,
    put_in_transit,
    transit_path,
)
from annotation.formats.bundle import BundleWriter, Manifest
from annotation.kernel.audit import record_audit
from annotation.kernel.installation import sees_files
from annotation.kernel.jobs import LIVE, JobRefusedError, JobRun, enqueue
from annotation.kernel.store import MissingError, path_of, transit_files
from annotation.models import Collection, Import, Job, User
from annotation.text.counted import counted

SHOWN = 10
MOST_TRIES = 3

Report = Callable[[str], None]
File = TypeVar("File")


@dataclass(frozen=True)
class Packing:
    """A job that packs or has packed a collection, and whether the file it has made is still there. `is_away`: that
    cannot be said, for this machine does not see the files."""

    job: Job
    has_file: bool
    is_away: bool


def packings_of(collection: Collection) -> list[Packing]:
    """The last few, the newest first."""
    has_file = {job: _has_file(job) for job in bundle_jobs(collection)[:SHOWN]}
    may_be_away = any(job.state == Job.State.DONE and not there for job, there in has_file.items())
    are_away = may_be_away and not sees_files()
    return [Packing(job, there, are_away and not there) for job, there in has_file.items()]


def _has_file(job: Job) -> bool:
    return job.state == Job.State.DONE and is_in_transit(job.result["sha256"])


def bundle_file(job: Job) -> Path | None:
    """The bundle that a job has made; None before it is done, and a day later. Raises `MissingError` where this machine
    does not see the stored files."""
    return _file_of(job, transit_path)


def open_bundle_file(job: Job) -> BinaryIO | None:
    """The same, open: it may be cleared away at any moment."""
    return _file_of(job, open_transit_file)


def _file_of(job: Job, look: Callable[[str], File | None]) -> File | None:
    if job.state != Job.State.DONE:
        return None
    file = look(job.result["sha256"])
    if file is None and not sees_files():
        raise MissingError(job.result["sha256"])
    return file


def start_export(collection: Collection, *, created_by: User | None) -> Job:
    """Queue the packing; while one is under way, that one."""
    with transaction.atomic():
        Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
        unfinished = Job.objects.filter(collection=collection, kind=EXPORT, state__in=LIVE).first()
        return unfinished or enqueue(EXPORT, collection=collection, created_by=created_by)


def run_export(run: JobRun) -> None:
    """Job: the bundle as a file that is kept for a day; the result names it."""
    collection = run.job.collection
    assert collection is not None
    clear_transit()
    with transit_files().nameless_file() as file:
        manifest = write_bundle(collection, file, report=lambda words: run.report(done=0, total=0, message=words))
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        sha = put_in_transit(file)
    with transaction.atomic():
        run.fence()
        record_export(collection, manifest, actor=run.job.created_by)
        run.finish({"sha256": sha, "size": size, "members": len(manifest.members)})


def write_bundle(collection: Collection, file: BinaryIO, *, report: Report) -> Manifest:
    """Write the whole collection into a seekable file. The same collection gives the same bytes.

    Texts are read portion by portion: where an import makes some visible meanwhile, it is begun anew. Raises
    `JobRefusedError` where that happens each time.
    """
    for _ in range(MOST_TRIES):
        before = _n_published(collection)
        file.seek(0)
        file.truncate()
        manifest = _write_once(collection, file, report)
        if _n_published(collection) == before:
            return manifest
    raise JobRefusedError("Imports were published each time while this was packed. Pack it once they are through.")


def _n_published(collection: Collection) -> int:
    return Import.objects.filter(collection=collection, published_at__isnull=False).count()


def _write_once(collection: Collection, file: BinaryIO, report: Report) -> Manifest:
    current = Collection.objects.select_related("scale", "guideline").get(pk=collection.pk)
    files = set[str]()
    with BundleWriter(file) as bundle:
        for part in reversed(parts_of(Transfer.out_of(current))):
            bundle.add_rows(part.name, _rows_of(part, files, report))
        for done, sha in enumerate(sorted(files)):
            report(f"{done} of {counted(len(files), 'file')} packed")
            bundle.add_file(sha, path_of(sha))
        return bundle.finish(facts_of(current))


def record_export(collection: Collection, manifest: Manifest, *, actor: User | None) -> None:
    rows = sum(facts.rows or 0 for facts in manifest.members.values())
    record_audit("bundle exported", actor=actor, collection=collection, subject=collection.slug, rows=rows)


def _rows_of(part: Part[Any], files: set[str], report: Report) -> Iterator[Any]:
    """The rows of a part; reports how many are packed, and adds the files that they name to `files`."""
    words = part.name.replace("_", " ")
    for number, row in enumerate(part.rows()):
        if number % PORTION == 0:
            report(f"{number} {words} packed")
        files.update(part.files(row))
        yield row
