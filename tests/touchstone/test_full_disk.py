"""What the disk has no room for leaves nothing behind, and can be tried again: a restore, an import."""

import errno
import hashlib
import io
import json
import os
import random
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from annotation.kernel.store import put
from annotation.models import Document, DocumentVersion, Import, Job
from tests.annotation.callers import caller
from tests.annotation.exchange.steps.import_work import bring, work
from tests.annotation.roles import make_people
from tests.factories import make_collection
from touchstone.errors import WORDS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]


def test_a_full_disk_leaves_no_file(tmp_path: Path, settings: Settings) -> None:
    """Some files are back when the disk takes no more: a file of a megabyte, where half a megabyte may be written."""
    collection, there = make_collection(), put(b"there before")
    for sha in (there, put(b"comes back"), _large_file_that_comes_late()):
        Import.objects.create(collection=collection, kind="documents", filename="d", sha256=sha)
    call_command("backup", str(tmp_path / "one.zip"), stdout=io.StringIO())
    call_command("flush", interactive=False, verbosity=0)
    settings.TOUCHSTONE_FILES = tmp_path / "other"
    put(b"there before")
    with _files_of_at_most(1 << 19), pytest.raises(CommandError) as refused:
        call_command("restore", str(tmp_path / "one.zip"), stdout=io.StringIO())
    assert str(refused.value) == f"The stored files cannot be written: {os.strerror(errno.EFBIG)}."
    assert [path.name for path in settings.TOUCHSTONE_FILES.rglob("*") if path.is_file()] == [there]
    call_command("restore", str(tmp_path / "one.zip"), stdout=io.StringIO())
    assert Import.objects.count() == len([*settings.TOUCHSTONE_FILES.glob("*/*")]) == 3


def _large_file_that_comes_late() -> str:
    """Files come back in the order of their hashes."""
    drawn = (random.Random(seed).randbytes(1 << 20) for seed in range(1000))
    large = next(data for data in drawn if hashlib.sha256(data).hexdigest() > "f8")
    return put(large)


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk does to who writes, without one: the system writes no file beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_import_whose_file_finds_no_room_is_a_507() -> None:
    """Neither a row nor a part of the file is left, and with room again the same request goes through."""
    people = make_people()
    program, place = caller(people.admin), "/api/v1/collections/bees/imports"

    def sent() -> Any:
        topics = "".join(f"{n}\t{'words ' * 20}\n" for n in range(8000))
        return program.post(place, {"kind": "topics", "file": SimpleUploadedFile("topics.tsv", topics.encode())})

    program.raise_request_exception = False
    if connection.vendor == "sqlite":  # whose own log, as long as tests before have left it, is a file like any other
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with _files_of_at_most(1 << 19):
        answer = sent()
    assert (answer.status_code, answer.json()["detail"]) == (507, WORDS[507])
    assert not Import.objects.exists()
    assert [path for path in django_settings.TOUCHSTONE_FILES.rglob("*") if path.is_file()] == []
    assert sent().status_code == 202


def test_an_import_that_fills_the_database_fails_and_leaves_nothing(small_disk: str) -> None:
    """PostgreSQL alone, its table of texts on a disk of four megabytes: nothing is seen of it, and all is cleared."""
    collection = make_collection("bees")
    rows = ({"_id": f"d{n}", "text": random.Random(n).randbytes(500).hex()} for n in range(8000))
    record = bring(collection, "documents", "\n".join(map(json.dumps, rows)), publish=True, format="jsonl")
    assert set(work()) <= {Job.State.DONE, Job.State.QUEUED, Job.State.FAILED}
    record.refresh_from_db()
    job = Job.objects.latest("pk")
    assert (record.state, "No space left on device" in job.error) == (Import.State.FAILED, True)
    assert (Document.objects.count(), DocumentVersion.objects.count()) == (0, 0)
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {small_disk} SET TABLESPACE pg_default")
    again = bring(collection, "documents", '{"_id": "d1", "text": "Bees"}', publish=True, format="jsonl")
    work()
    again.refresh_from_db()
    assert (again.state, Document.objects.count()) == (Import.State.PUBLISHED, 1)


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The table that lies on it. It takes PostgreSQL, and whoever may mount."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is told to grow no further: test_errors.py")
    table, place = DocumentVersion._meta.db_table, Path(tempfile.mkdtemp(prefix="full-", dir="/tmp"))
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=0777", "tmpfs", place], check=False).returncode:
        place.rmdir()
        pytest.skip("no disk may be mounted here")
    try:
        with connection.cursor() as cursor:
            _own(place)
            cursor.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
            cursor.execute(f"ALTER TABLE {table} SET TABLESPACE small")
            yield table
            cursor.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
            cursor.execute("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", place], check=True)
        place.rmdir()


def _own(place: Path) -> None:
    """PostgreSQL takes a folder that is its own."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        owner = Path(cursor.fetchone()[0]).stat()
    os.chown(place, owner.st_uid, owner.st_gid)
