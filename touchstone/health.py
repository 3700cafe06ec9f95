"""For whoever watches the server: does it answer, and is it ready for work?"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from tempfile import TemporaryFile

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.formats.store import INCOMING
from annotation.models import Job

logger = logging.getLogger(__name__)

PATIENCE = timedelta(minutes=2)  # for which a job may wait while no worker is heard of
_WRITES_NOTHING = "UPDATE annotation_job SET done = done WHERE 1 = 0"


class _NotReadyError(Exception):
    """Says why, without naming anything that strangers should not know."""


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when the database answers; a failure is a 500."""
    _ask_database()
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when all is in place, else 503; either way each check with "ok" or what is wrong."""
    outcomes = {name: _outcome(check) for name, check in CHECKS.items()}
    ready = all(outcome == "ok" for outcome in outcomes.values())
    response = JsonResponse({"ready": ready, **outcomes}, status=200 if ready else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


def _outcome(check: Callable[[], None]) -> str:
    try:
        check()
    except _NotReadyError as why:
        return str(why)
    except DatabaseError:
        logger.warning("not ready: the database does not answer", exc_info=True)
        return "the database does not answer"
    return "ok"


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _ask_writing() -> None:
    """The database takes what is written: a statement that changes no row waits for the same locks and rights."""
    _ask_database()
    try:
        with _impatient(), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_WRITES_NOTHING)
    except DatabaseError as fault:
        logger.warning("not ready: the database cannot be written: %s", fault)
        raise _NotReadyError("the database cannot be written") from fault


@contextmanager
def _impatient() -> Iterator[None]:
    """SQLite waits for a lock for twenty seconds; whoever asks here is answered sooner."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 1000")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(patience)}")


def _ask_migrations() -> None:
    if needed_migrations() - MigrationRecorder(connection).applied_migrations().keys():
        raise _NotReadyError("the database is not up to date: run manage.py migrate")


def _ask_files() -> None:
    root = settings.TOUCHSTONE_FILES
    try:
        root.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(prefix=INCOMING, dir=root) as file:
            file.write(b"ready?")
            file.flush()
    except OSError as fault:
        logger.warning("not ready: files cannot be written: %s", fault)
        raise _NotReadyError("files cannot be written") from fault


def _ask_worker() -> None:
    """An idle worker leaves no trace; one that is missing shows by what waits."""
    heard = Job.objects.filter(heartbeat_at__gt=timezone.now() - PATIENCE)
    if (
        heard.exists()
        or not Job.objects.filter(state=Job.State.QUEUED, created_at__lt=timezone.now() - PATIENCE).exists()
    ):
        return
    raise _NotReadyError("jobs are waiting and no worker takes them")


@lru_cache(maxsize=1)
def needed_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)


CHECKS: dict[str, Callable[[], None]] = {
    "database": _ask_writing,
    "migrations": _ask_migrations,
    "files": _ask_files,
    "worker": _ask_worker,
}
