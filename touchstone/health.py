"""For whoever watches the server: does it answer, and is it ready for work?"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from annotation.formats.store import INCOMING
from annotation.kernel import clock
from annotation.kernel.installation import (
    FAR_OFF,
    NO_FILES,
    OTHER_KEY,
    has_key,
    lead_of_clock,
    sees_files,
    words_of_lead,
)
from annotation.models import Job

logger = logging.getLogger(__name__)

NO_ROOM = 64 << 20  # bytes left on the disk with which work cannot go on
OFF = timedelta(seconds=5)  # by which the clocks of two machines may differ without anybody minding
PATIENCE = timedelta(minutes=2)  # for which a job may wait while no worker is heard of
_WRITES_NOTHING = "UPDATE annotation_job SET done = done WHERE 1 = 0"


class _NotReadyError(Exception):
    """Says why, without naming anything that strangers should not know."""


class _WarningError(Exception):
    """Says what somebody should see to, while work goes on."""


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when the database answers; a failure is a 500."""
    _ask_database()
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when all is in place, else 503; either way each check with "ok" or what is wrong."""
    checked = {name: outcome_of(check) for name, check in CHECKS.items()}
    outcomes = {name: words for name, (words, _) in checked.items()}
    ready = all(is_fine for _, is_fine in checked.values())
    response = JsonResponse({"ready": ready, **outcomes}, status=200 if ready else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


def outcome_of(check: Callable[[], None]) -> tuple[str, bool]:
    """What there is to say, and whether work can go on."""
    try:
        check()
    except (_NotReadyError, _WarningError) as why:
        return str(why), isinstance(why, _WarningError)
    except DatabaseError:
        logger.warning("not ready: the database does not answer", exc_info=True)
        return "the database does not answer", False
    return "ok", True


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
    """SQLite waits for a lock for seconds; whoever asks here is answered sooner."""
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


def _ask_room() -> None:
    """Room for what is being saved. Where less is left than the largest upload takes, it is said, and work goes on."""
    least = min(_room_at(root) for root in _roots())
    if least < NO_ROOM:
        logger.error("not ready: %s bytes are left on the disk", least)
        raise _NotReadyError("the disk is full")
    if least < settings.TOUCHSTONE_UPLOAD_LIMIT:
        logger.warning("%s bytes are left on the disk", least)
        raise _WarningError("the disk is nearly full")


def _roots() -> Iterator[Path]:
    """Where something is stored on this machine."""
    yield settings.TOUCHSTONE_FILES
    if connection.vendor == "sqlite":
        yield Path(str(connection.settings_dict["NAME"])).parent


def _room_at(root: Path) -> int:
    try:
        return disk_usage(root).free
    except OSError:
        return sys.maxsize  # a folder that is not there: another check says so


def _ask_worker() -> None:
    """An idle worker leaves no trace; one that is missing shows by what waits."""
    heard = Job.objects.filter(heartbeat_at__gt=clock.now() - PATIENCE)
    if heard.exists() or not Job.objects.filter(state=Job.State.QUEUED, created_at__lt=clock.now() - PATIENCE).exists():
        return
    raise _NotReadyError("jobs are waiting and no worker takes them")


def _ask_shared() -> None:
    if not sees_files():
        raise _NotReadyError(NO_FILES)


def _ask_key() -> None:
    if not has_key():
        raise _NotReadyError(OTHER_KEY)


def _ask_clock() -> None:
    """Leases run by the database's clock; links, sessions and what pages show do not."""
    lead = lead_of_clock()
    if abs(lead) > FAR_OFF:
        raise _NotReadyError(words_of_lead(lead))
    if abs(lead) > OFF:
        raise _WarningError(words_of_lead(lead))


@lru_cache(maxsize=1)
def needed_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.nodes)


CHECKS: dict[str, Callable[[], None]] = {
    "database": _ask_writing,
    "migrations": _ask_migrations,
    "files": _ask_files,
    "shared": _ask_shared,
    "key": _ask_key,
    "clock": _ask_clock,
    "room": _ask_room,
    "worker": _ask_worker,
}
