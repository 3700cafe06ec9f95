"""A machine that does not belong to its installation starts nothing, claims nothing, and says so."""

import errno
import os
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from annotation.formats.store import path_of
from annotation.kernel import clock, store
from annotation.kernel.commands.base import RefusedError
from annotation.kernel.installation import FAR_OFF, NO_FILES, MisplacedError, has_key, join_installation, sees_files
from annotation.kernel.jobs import JobRefusedError, JobRun, claim_job, enqueue, run_job, work_here
from annotation.models import AuditEvent, Installation, Job
from tests.annotation.kernel import job_work
from tests.commands import ran

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]

OTHER = "another secret key, as long and as random as the first one had to be, if not more"
HERE = "tests.annotation.kernel.test_installation"
KINDS = ("lose_files", "read_a_lost_file", "refuse_a_lost_file", "count", "end")


@pytest.fixture(autouse=True)
def _files_of_its_own(settings: Settings, tmp_path: Path) -> None:
    settings.TOUCHSTONE_FILES = tmp_path / "shared"
    settings.TOUCHSTONE_JOBS = {name: f"{HERE}.{name}" for name in KINDS}


def lose(settings: Settings) -> None:
    """The share of this machine is gone; an empty folder is in its place."""
    settings.TOUCHSTONE_FILES = settings.TOUCHSTONE_FILES.parent / "empty"


def find(settings: Settings) -> None:
    settings.TOUCHSTONE_FILES = settings.TOUCHSTONE_FILES.parent / "shared"


def lose_files(_run: JobRun) -> None:
    """A job in the middle of which the share goes."""
    lost()
    path_of(shared().parent / "empty", "0" * 64).open()


def read_a_lost_file(_run: JobRun) -> None:
    lost()
    store.path_of("0" * 64)


def refuse_a_lost_file(_run: JobRun) -> None:
    lost()
    raise JobRefusedError("The file is missing.")


def count(run: JobRun) -> dict[str, object]:
    lost()
    return job_work.count_to_three(run)


def end(run: JobRun) -> None:
    lost()
    with transaction.atomic():
        run.finish()


def shared() -> Path:
    from django.conf import settings

    return Path(settings.TOUCHSTONE_FILES)


def lost() -> None:
    from django.conf import settings

    settings.TOUCHSTONE_FILES = shared().parent / "empty"


def test_the_first_machine_names_what_all_share_and_the_next_finds_it(settings: Settings) -> None:
    assert (sees_files(), has_key()) == (True, True)  # nobody has started yet
    join_installation()
    (row,) = Installation.objects.values("canary_sha256", "key_check")
    join_installation()
    assert list(Installation.objects.values("canary_sha256", "key_check")) == [row]
    assert path_of(settings.TOUCHSTONE_FILES, row["canary_sha256"]).exists()
    assert settings.SECRET_KEY not in row["key_check"]


def test_there_is_one_row() -> None:
    join_installation()
    with pytest.raises(IntegrityError), transaction.atomic():
        Installation.objects.create(pk=2, canary_sha256="0" * 64, key_check="0" * 64)


def test_a_machine_without_the_files_does_not_start(settings: Settings) -> None:
    join_installation()
    lose(settings)
    with pytest.raises(MisplacedError, match="stored files of the installation are not on this machine"):
        join_installation()
    with pytest.raises(RefusedError, match="TOUCHSTONE_FILES"):
        call_command("worker", once=True)


def test_a_machine_with_another_key_does_not_start(settings: Settings) -> None:
    join_installation()
    settings.SECRET_KEY = OTHER
    with pytest.raises(MisplacedError, match="TOUCHSTONE_SECRET_KEY: the secret key is another"):
        join_installation()


def test_a_machine_whose_clock_is_far_off_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    join_installation()
    server = timezone.now()
    monkeypatch.setattr(clock, "server_time", lambda: server)
    monkeypatch.setattr(timezone, "now", lambda: server - 2 * FAR_OFF)
    with pytest.raises(MisplacedError, match="this machine is 1200 s behind the database"):
        join_installation()


def test_a_worker_that_loses_the_files_claims_nothing_until_they_are_back(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = enqueue("count", collection=None, created_by=None)
    join_installation()
    monkeypatch.setattr("annotation.management.commands.worker.require_joined", lambda: lose(settings))
    call_command("worker", once=True)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("queued", 0)


@pytest.mark.parametrize("number", [errno.ESTALE, errno.EIO, errno.EACCES])
def test_a_share_that_answers_with_an_error_is_not_here(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    join_installation()
    canary, stat = Installation.objects.get().canary_sha256, Path.stat

    def away(path: Path, **options: bool) -> os.stat_result:
        if path.name in canary:
            raise OSError(number, os.strerror(number))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", away)
    assert not sees_files()
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["shared"]) == (503, NO_FILES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_job_whose_file_is_not_here_goes_back_without_costing_an_attempt(kind: str, settings: Settings) -> None:
    join_installation()
    enqueue(kind, collection=None, created_by=None)
    run = claim_job()
    assert run is not None
    job = run_job(run)
    assert (job.state, job.attempt, job.max_attempts, job.result) == ("queued", 1, 4, {})
    assert job.events.latest("pk").text == (
        "Put back into the queue: the stored files of the installation are not on this machine."
    )
    find(settings)
    assert claim_job() is not None


@pytest.mark.parametrize("kind", KINDS)
def test_the_job_of_a_command_ends_where_the_command_does(kind: str, settings: Settings) -> None:
    """The command says that it was refused: no worker does it after all."""
    join_installation()
    job = work_here(kind, collection=None, created_by=None)
    assert (job.state, job.error) == ("failed", NO_FILES)
    find(settings)
    assert claim_job() is None


@pytest.mark.parametrize(("kind", "state"), [("open_nothing", "queued"), ("read_nothing", "failed")])
def test_where_the_files_are_a_missing_one_costs_its_attempt(kind: str, state: str, settings: Settings) -> None:
    """And where a row names it, all further ones: it will be missing then, too."""
    settings.TOUCHSTONE_JOBS = {kind: f"{HERE}.{kind}"}
    join_installation()
    enqueue(kind, collection=None, created_by=None)
    run = claim_job()
    assert run is not None
    run_job(run)
    assert Job.objects.values_list("state", "attempt", "max_attempts").get() == (state, 1, 3)


def open_nothing(_run: JobRun) -> None:
    path_of(shared(), "0" * 64).open()


def read_nothing(_run: JobRun) -> None:
    store.path_of("0" * 64)


def test_a_change_of_key_is_adopted_by_command(settings: Settings) -> None:
    join_installation()
    settings.SECRET_KEY = OTHER
    answer = ran("installation")
    assert (answer.code, "secret key: another" in answer.out) == (1, True)
    assert ran("installation", "--adopt", "--dry-run").code == 0
    assert not has_key()
    assert ran("installation", "--adopt").code == 0
    assert (has_key(), AuditEvent.objects.filter(verb="installation adopted").count()) == (True, 1)
    join_installation()
