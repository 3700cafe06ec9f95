"""Files on their way: bundles made for download, and bundles uploaded but not yet unpacked. Gone after a day.

They lie under their hashes as all files do, but apart from those that rows name, so that their age
alone decides. What is unpacked of a collection that is not there yet lies here too, in a folder of
its attempt.
"""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import BinaryIO

from django.db.models import Q

from annotation.exchange.read.bundles import CHECK, EXPORT, IMPORT
from annotation.formats.store import CHUNK
from annotation.kernel.jobs import LIVE, JobRun
from annotation.kernel.store import DiskStore, FileStore, put, stored_files, transit_files
from annotation.models import Job

PASSING = "passing-"
KEPT = 24 * 3600  # seconds
TOKEN = 22  # characters of a job's
PAUSE = 600  # seconds between two looks of a worker
GONE = "The file has been waiting for too long and is gone. Please upload it again."


def put_in_transit(stream: BinaryIO) -> str:
    """Keep the bytes, read to their end, for a day; returns their SHA-256."""
    files = transit_files()
    with files.incoming() as incoming:
        while piece := stream.read(CHUNK):
            incoming.take(piece)
        sha = files.put(incoming)
    files.renew(sha)
    return sha


def payload_of(sha: str, filename: str, slug: str, *, grades: str = "") -> dict[str, str]:
    """The payload of a job that imports such a file."""
    return {"sha256": sha, "filename": PurePath(filename).name[-255:], "slug": slug, "grades": grades}


def is_in_transit(sha: str) -> bool:
    """False once the file is gone."""
    return transit_files().exists(sha)


def transit_path(sha: str) -> Path | None:
    """Where the file lies on this machine; None once it is gone."""
    try:
        path = transit_files().path_of(sha)
    except FileNotFoundError:
        return None
    return path if path.exists() else None


def open_transit_file(sha: str) -> BinaryIO | None:
    """The file, open, so that it stays readable though it is cleared away; None once it is gone."""
    try:
        return transit_files().path_of(sha).open("rb")
    except FileNotFoundError:
        return None


def clear_transit() -> int:
    """Remove what is older than a day and not waited for by a job; returns how many files."""
    live = dict(Job.objects.filter(kind__in=[CHECK, IMPORT], state__in=LIVE).values_list("token", "payload__sha256"))
    awaited = set(live.values())
    files, oldest = transit_files(), time.time() - KEPT
    old = [sha for sha, facts in files.all_facts().items() if sha not in awaited and facts.stored_at < oldest]
    for sha in old:
        files.discard(sha)
    files.sweep_incoming(older_than=KEPT)
    for folder in files.root.glob(f"{PASSING}*"):
        if folder.name.removeprefix(PASSING)[:TOKEN] not in live:
            shutil.rmtree(folder, ignore_errors=True)
    return len(old)


def remove_from_transit(job: Job) -> None:
    """Remove the file that a job has imported, unless another job may need it or it was uploaded again since."""
    sha = str(job.payload["sha256"])
    files = transit_files()
    if not _is_wanted(sha, job) and _is_older(files, sha, job.created_at.timestamp()):
        files.discard(sha)


def _is_wanted(sha: str, job: Job) -> bool:
    """Whether a job other than this one and those of the same arrival waits for the file, offers or may publish it."""
    names_file = Q(payload__sha256=sha) | Q(result__sha256=sha)
    jobs = list(Job.objects.filter(names_file, kind__in=[EXPORT, CHECK, IMPORT]).exclude(pk=job.pk))
    over = {job.token, job.payload.get("check")}
    over |= {each.payload.get("check") for each in jobs if each.state == Job.State.DONE}
    ready = [each for each in jobs if each.state == Job.State.DONE and each.kind != IMPORT]
    return any(each.token not in over for each in [*ready, *(each for each in jobs if each.is_live)])


def _is_older(files: FileStore, sha: str, moment: float) -> bool:
    """Whether it is a file of an earlier time; False for one that another worker has just cleared away."""
    try:
        return files.facts_of(sha).stored_at < moment
    except FileNotFoundError:
        return False


class _Tidying:
    """When this process last looked for old files."""

    at = float("-inf")


def clear_transit_now_and_then() -> None:
    """`clear_transit`, at most every ten minutes: for a worker that has nothing else to do."""
    if time.monotonic() - _Tidying.at > PAUSE:
        _Tidying.at = time.monotonic()
        clear_transit()


@contextmanager
def staging_folder(run: JobRun) -> Iterator[DiskStore]:
    """A folder of this machine for the files of a collection that is not there yet, gone with the block."""
    folder = transit_files().root / f"{PASSING}{run.job.token}-{run.attempt}"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield DiskStore(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def store_staged_files(staged: DiskStore) -> None:
    """Store what lies in such a folder, before the commit that names it."""
    for sha in staged.all_facts():
        stored_files().adopt(staged.path_of(sha))


def store_from_transit(sha: str, stream: BinaryIO) -> str:
    """Store the file in transit, before the commit that names it; returns its SHA-256."""
    try:
        stored_files().adopt(transit_files().path_of(sha))
    except FileNotFoundError:
        stream.seek(0)
        return put(stream)
    return sha
