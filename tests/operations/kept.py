"""Worlds made once for the tests of a module: their rows stay in a transaction around those of the tests."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

from django.conf import settings
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.drawing import seed_chance
from tests.operations.world import World, make_world, waiting_job


@contextmanager
def kept_worlds(*slugs: str, files: Path, blocker: DjangoDbBlocker) -> Generator[tuple[World, ...], None, None]:
    """The worlds of these collections, each with a job that waits; gone at the end. Their files lie in `files`."""
    usual = settings.TOUCHSTONE_FILES
    with blocker.unblock(), transaction.atomic():
        seed_chance("worlds")
        settings.TOUCHSTONE_FILES = files
        try:
            worlds = tuple(make_world(slug) for slug in slugs)
            for world in worlds:
                world.values["job_cancel"] = waiting_job(world)
        finally:
            settings.TOUCHSTONE_FILES = usual
        with blocker.block():
            yield worlds
        transaction.set_rollback(True)


def for_one_test(worlds: tuple[World, ...], files: Path) -> tuple[World, ...]:
    """What a test may change: the worlds as they were made, and their files where the test looks for its own."""
    shutil.copytree(files, settings.TOUCHSTONE_FILES, dirs_exist_ok=True)
    return deepcopy(worlds)
