"""A new collection from a bundle, or a BEIR folder: all or nothing, and nobody sees it before it is whole."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Protocol

from annotation.exchange.read.bundles import CHECK, IMPORT
from annotation.exchange.steps.bundles.bundle_importer import BundleImporter, bundle_of
from annotation.exchange.steps.bundles.folder_importer import FolderImporter
from annotation.exchange.steps.bundles.staging import Result, remove_staged, result_of, staged_slug
from annotation.exchange.steps.bundles.temporary_files import (
    GONE,
    clear_transit,
    open_transit_file,
    payload_of,
    put_in_transit,
    remove_from_transit,
    staging_folder,
)
from annotation.exchange.steps.importing.importer import (
    KEPT_PROBLEMS,
    add_duplicates,
    preview_of,
    rows_of_problems,
)
from annotation.exchange.steps.importing.mistaken_kind import likely_kind
from annotation.formats.bundle import is_bundle
from annotation.formats.folder import is_folder
from annotation.formats.foreign import START, foreign_but_packed
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.jobs import JobRefusedError, JobRun, work_here
from annotation.kernel.store import DiskStore
from annotation.models import Import, Job, Preview, User
from annotation.text.watch import Watch

SHOWN = 20


class ImportAttempt(Protocol):
    """One attempt at one file. `preview` is what there is to show of it so far."""

    slug: str
    preview: Preview

    def check(self, problems: Problems) -> None:
        """Try everything; what is wrong goes to `problems`, or is raised as `FormatError`."""

    def store(self) -> Result:
        """Make the collection. Raises `FormatError`."""


def import_collection_here(
    stream: BinaryIO,
    *,
    filename: str,
    slug: str,
    actor: User,
    watch: Watch,
    dry_run: bool = False,
    grades: str = "",
) -> Job:
    """Store the file in this process. With `dry_run` all is tried, then removed with the job.

    The file stays where it came from: none is kept on its way.
    """
    payload = payload_of(put_in_transit(stream), filename, slug, grades=grades)
    job = work_here(CHECK if dry_run else IMPORT, collection=None, created_by=actor, watch=watch, **payload)
    remove_from_transit(job)
    if dry_run:
        Job.objects.filter(pk=job.pk).delete()
    return job


def run_collection_check(run: JobRun) -> Result:
    """Job: try everything, take it away again, and write down what would be there, or every fault."""
    problems, attempt = Problems(run.job.payload["filename"], keep=KEPT_PROBLEMS), None
    with _file_of(run) as stream, staging_folder(run) as files:
        try:
            attempt = _attempt(run, stream, files)
            attempt.check(problems)
        except FormatError as fault:
            problems.take_fault(fault)
    remove_staged(staged_slug(run.job), guard=run.fence)
    preview = attempt.preview if attempt else preview_of()
    add_duplicates(preview, problems)
    return {
        "slug": attempt.slug if attempt else run.job.payload["slug"],
        "preview": preview,
        "problems": rows_of_problems(problems),
        "n_problems": problems.total,
    }


def run_collection_import(run: JobRun) -> Result:
    """Job: unpack, rebuild what was frozen, then publish. What an earlier attempt has left is cleared first.

    The file is removed once its collection is there.
    """
    done = Import.objects.filter(
        kind=Import.Kind.COLLECTION, state=Import.State.PUBLISHED, options__job=run.job.token
    ).first()
    if done:
        return result_of(done)
    try:
        with _file_of(run) as stream, staging_folder(run) as files:
            result = _attempt(run, stream, files).store()
    except FormatError as fault:
        remove_staged(staged_slug(run.job), guard=run.fence)
        raise JobRefusedError(_first_lines(fault)) from fault
    remove_from_transit(run.job)
    return result


@contextmanager
def _file_of(run: JobRun) -> Iterator[BinaryIO]:
    """The file in transit, once what an earlier attempt has left is gone."""
    remove_staged(staged_slug(run.job), guard=run.fence)
    clear_transit()
    stream = open_transit_file(run.job.payload["sha256"])
    if stream is None:
        raise JobRefusedError(GONE)
    with stream:
        yield stream


def _attempt(run: JobRun, stream: BinaryIO, files: DiskStore) -> ImportAttempt:
    if is_bundle(stream):
        return BundleImporter(run, bundle_of(run, stream), files)
    reason = foreign_but_packed(stream.read(START))
    stream.seek(0)
    if reason:
        raise Problems(run.job.payload["filename"]).stop(0, reason)
    if is_folder(stream):
        return FolderImporter(run, stream, files)
    advice = likely_kind(stream, but=Import.Kind.COLLECTION)
    if advice:
        filename = run.job.payload["filename"]
        raise Problems(filename).stop(0, f"{advice}this is neither a bundle nor a BEIR folder in a zip or tar")
    return BundleImporter(run, bundle_of(run, stream), files)


def _first_lines(fault: FormatError) -> str:
    """The first faults, one a line."""
    lines = [str(problem) for problem in fault.problems[:SHOWN]]
    further = fault.total - len(lines)
    return "\n".join([*lines, f"and {further} more"] if further > 0 else lines)
