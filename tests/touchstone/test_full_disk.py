"""A restore that the disk has no room for leaves no file behind, and can be tried again."""

import errno
import hashlib
import io
import os
import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from pytest_django import Settings

from annotation.formats.store import put
from annotation.models import Import
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("sql")]


def test_a_full_disk_leaves_no_file(tmp_path: Path, settings: Settings) -> None:
    """Some files are back when the disk takes no more: a file of a megabyte, where half a megabyte may be written."""
    collection, there = make_collection(), put(settings.TOUCHSTONE_FILES, b"there before")
    for sha in (there, put(settings.TOUCHSTONE_FILES, b"comes back"), _large_file_that_comes_late()):
        Import.objects.create(collection=collection, kind="documents", filename="d", sha256=sha)
    call_command("backup", str(tmp_path / "one.zip"), stdout=io.StringIO())
    call_command("flush", interactive=False, verbosity=0)
    settings.TOUCHSTONE_FILES = tmp_path / "other"
    put(settings.TOUCHSTONE_FILES, b"there before")
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
    return put(django_settings.TOUCHSTONE_FILES, large)


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """What a full disk does to who writes, without one: the system writes no file beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
