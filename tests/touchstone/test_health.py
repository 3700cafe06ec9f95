"""/readyz says what is missing, and nothing else."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from annotation.kernel import clock
from annotation.kernel.installation import FAR_OFF, join_installation
from annotation.models import Job
from touchstone import health

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]
OK = dict.fromkeys(("database", "migrations", "files", "shared", "key", "clock", "room", "worker"), "ok")


def state(status: int) -> dict[str, object]:
    answer = Client().get("/readyz")
    assert (answer.status_code, answer["Cache-Control"]) == (status, "no-store")
    body: dict[str, object] = answer.json()
    return body


def test_all_is_in_place(settings: Settings) -> None:
    assert state(200) == {"ready": True, **OK}
    assert list(settings.TOUCHSTONE_FILES.iterdir()) == []


def test_it_only_reads() -> None:
    assert Client().post("/readyz").status_code == 405


def test_files_that_cannot_be_written(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "in-the-way").touch()
    settings.TOUCHSTONE_FILES = tmp_path / "in-the-way"
    assert state(503) == {"ready": False, **OK, "files": "files cannot be written"}


def test_a_migration_that_is_not_applied() -> None:
    MigrationRecorder.Migration.objects.filter(app="annotation").latest("id").delete()
    assert state(503) == {
        "ready": False,
        **OK,
        "migrations": "the database is not up to date: run manage.py migrate",
    }


def test_jobs_that_nobody_takes() -> None:
    long_ago, now = timezone.now() - 2 * health.PATIENCE, timezone.now()
    job = Job.objects.create(kind="check_import")
    assert state(200) == {"ready": True, **OK}
    Job.objects.filter(pk=job.pk).update(created_at=long_ago)
    assert state(503) == {"ready": False, **OK, "worker": "jobs are waiting and no worker takes them"}
    busy = Job.objects.create(
        kind="check_import", state=Job.State.RUNNING, heartbeat_at=now, lease_until=now + timedelta(minutes=1)
    )
    assert state(200) == {"ready": True, **OK}
    Job.objects.filter(pk=busy.pk).update(heartbeat_at=long_ago)
    assert state(503)["ready"] is False
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    assert state(200) == {"ready": True, **OK}


def test_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement that fails stands for one that cannot be sent."""
    monkeypatch.setitem(health.CHECKS, "database", _fail)
    assert state(503)["database"] == "the database does not answer"


def test_a_database_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement that fails stands for a lock, a full disk or a database that may only be read."""
    monkeypatch.setattr(health, "_WRITES_NOTHING", "UPDATE nowhere SET nothing = 1")
    assert state(503) == {"ready": False, **OK, "database": "the database cannot be written"}


def test_a_database_that_may_only_be_read() -> None:
    with connection.cursor() as cursor:
        is_sqlite = connection.vendor == "sqlite"
        cursor.execute("PRAGMA query_only = ON" if is_sqlite else "SET LOCAL transaction_read_only = on")
        try:
            assert state(503) == {"ready": False, **OK, "database": "the database cannot be written"}
        finally:
            if is_sqlite:
                cursor.execute("PRAGMA query_only = OFF")


def _fail() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")


@pytest.mark.parametrize(
    ("free", "status", "words"), [(1 << 29, 200, "the disk is nearly full"), (1 << 20, 503, "the disk is full")]
)
def test_room_on_the_disk(monkeypatch: pytest.MonkeyPatch, free: int, status: int, words: str) -> None:
    monkeypatch.setattr(health, "disk_usage", lambda _root: SimpleNamespace(free=free))
    assert state(status) == {"ready": status == 200, **OK, "room": words}


def test_a_machine_that_does_not_see_the_shared_files(settings: Settings, tmp_path: Path) -> None:
    join_installation()
    assert state(200) == {"ready": True, **OK}
    settings.TOUCHSTONE_FILES = tmp_path / "empty"
    words = "the stored files of the installation are not on this machine"
    assert state(503) == {"ready": False, **OK, "shared": words}


def test_a_machine_with_another_key(settings: Settings) -> None:
    join_installation()
    settings.SECRET_KEY = settings.SECRET_KEY[::-1]
    assert state(503) == {"ready": False, **OK, "key": "the secret key is another than that of the installation"}


@pytest.mark.parametrize(
    ("lead", "status", "words"),
    [
        (timedelta(seconds=90), 200, "this machine is 90 s ahead of the database"),
        (timedelta(seconds=-90), 200, "this machine is 90 s behind the database"),
        (2 * FAR_OFF, 503, "this machine is 1200 s ahead of the database"),
    ],
)
def test_a_machine_whose_clock_is_off(
    monkeypatch: pytest.MonkeyPatch, lead: timedelta, status: int, words: str
) -> None:
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr(clock, "server_time", lambda: now - lead)
    assert state(status) == {"ready": status == 200, **OK, "clock": words}
