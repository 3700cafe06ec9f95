"""Jobs in a child process: whatever becomes of the child, the worker lives on and says what happened."""

import os
import signal
import threading
import time

import pytest
from django.db import connection
from pytest_django import Settings

from annotation.exchange.steps.importing import sweep_imports
from annotation.exchange.steps.importing.texts import rows_at_once
from annotation.kernel.jobs import (
    Limits,
    ask_cancel,
    child,
    child_process,
    claim_job,
    do_apart,
    enqueue,
    heartbeat,
    limits_of,
    run_apart,
    run_job,
)
from annotation.models import Collection, Document, DocumentVersion, Job, JobEvent
from tests.annotation.exchange.steps.import_work import bring, many
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("jobs")]

HERE = "tests.annotation.kernel.job_work"
KINDS = (
    *("count_to_three", "fall", "refuse", "be_cancelled", "be_overtaken", "say_where", "eat_memory"),
    *("eat_memory_in_a_transaction", "never_end", "never_end_but_report", "be_killed", "be_killed_once", "break_off"),
    *("be_cancelled_and_go_on", "be_overtaken_and_go_on", "outlive_the_lease", "never_end_in_a_transaction"),
    "finish_and_be_killed",
)
LIMITS = Limits(memory=200, seconds=60)
TOO_MUCH = "It needed more than 200 MB of memory, which is all that this kind of work may use."


@pytest.fixture(autouse=True)
def kinds(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TOUCHSTONE_JOBS = {kind: f"{HERE}.{kind}" for kind in KINDS} | {"missing": f"{HERE}.nothing_here"}
    monkeypatch.setattr(child_process, "GRACE", 0.3)
    monkeypatch.setattr(child_process, "ASK", 0.2)
    monkeypatch.setattr(child_process, "PATIENCE", 0.3)


def done_apart(kind: str, limits: Limits = LIMITS, *, stopping: bool = False) -> Job:
    enqueue(kind, collection=None, created_by=None)
    return next_apart(limits, stopping=stopping)


def next_apart(limits: Limits = LIMITS, *, stopping: bool = False) -> Job:
    run = claim_job()
    assert run is not None
    run.stopping = lambda: stopping
    return run_apart(run, limits)


def event_texts(job: Job) -> list[str]:
    return list(JobEvent.objects.filter(job=job).order_by("pk").values_list("text", flat=True))


def test_the_work_is_done_in_a_child_of_this_process() -> None:
    job = done_apart("say_where")
    assert (job.state, job.result["parent"], job.result["process"] == os.getpid()) == ("done", os.getpid(), False)
    assert event_texts(job) == ["Attempt 1 began.", "Done."]


@pytest.mark.parametrize(
    ("kind", "state", "error"),
    [
        ("count_to_three", "done", ""),
        ("fall", "queued", "ZeroDivisionError: as it had to"),
        ("refuse", "failed", "this can never be done"),
        ("be_cancelled", "cancelled", ""),
        ("be_overtaken", "running", ""),
        ("missing", "queued", ""),
    ],
)
def test_what_a_job_says_itself_is_what_it_says_in_the_worker(kind: str, state: str, error: str) -> None:
    apart = done_apart(kind)
    assert apart.state == state
    Job.objects.all().delete()
    enqueue(kind, collection=None, created_by=None)
    run = claim_job()
    assert run is not None
    here = run_job(run)
    assert (apart.state, apart.error, apart.done, apart.result) == (here.state, here.error, here.done, here.result)
    assert apart.error.startswith(error)


@pytest.mark.parametrize("kind", ["eat_memory", "eat_memory_in_a_transaction"])
def test_want_of_memory_is_refused_and_not_tried_again(kind: str) -> None:
    job = done_apart(kind)
    assert (job.state, job.attempt, job.error, job.lease_until) == ("failed", 1, TOO_MUCH, None)
    assert event_texts(job) == ["Attempt 1 began.", f"Refused: {TOO_MUCH}"]
    assert claim_job() is None


def test_an_import_that_wants_too_much_memory_leaves_nothing(settings: Settings) -> None:
    settings.TOUCHSTONE_JOBS = {
        kind: f"annotation.exchange.steps.importing.{kind}" for kind in ("check_import", "store_import")
    }
    settings.TOUCHSTONE_IMPORTERS = {"documents": "tests.annotation.exchange.steps.import_work.HungryImporter"}
    record = bring(make_collection(), "documents", many(1500), publish=True)
    assert next_apart().state == "done"
    job = next_apart()
    assert (job.kind, job.state, job.error) == ("store_import", "failed", TOO_MUCH)
    assert Document.objects.count() == rows_at_once()
    sweep_imports()
    record.refresh_from_db()
    assert (record.state, Document.objects.count(), DocumentVersion.objects.count()) == ("failed", 0, 0)


def test_a_worker_that_holds_much_leaves_the_job_its_room() -> None:
    ballast = bytearray(300 << 20)
    job = done_apart("count_to_three", Limits(memory=100, seconds=60))
    assert (job.state, len(ballast)) == ("done", 300 << 20)


def test_a_job_that_takes_too_long_is_refused() -> None:
    job = done_apart("never_end", Limits(memory=200, seconds=1))
    error = "It took longer than 1 s, which is all that this kind of work may take."
    assert (job.state, job.attempt, job.error) == ("failed", 1, error)


def test_a_worker_does_not_wait_for_the_transaction_of_its_child(settings: Settings) -> None:
    """On SQLite it waits until the database is busy for too long, and sees to the child then."""
    settings.TOUCHSTONE_LEASE = 60 if connection.vendor == "sqlite" else 1
    assert done_apart("never_end_in_a_transaction", Limits(memory=200, seconds=1)).state == "failed"


def test_time_is_told_in_the_unit_that_suits() -> None:
    assert "than 90 s," in Limits(memory=1, seconds=90).time_words
    assert "than 60 minutes," in Limits(memory=1, seconds=3600).time_words


def test_a_crash_is_tried_three_times_and_each_is_told() -> None:
    killed = "The process of the job was ended by signal 9 (SIGKILL)."
    first = done_apart("be_killed")
    assert (first.state, first.error) == ("queued", killed)
    states = [next_apart().state for _ in range(2)]
    job = Job.objects.get()
    assert (states, job.error, job.attempt) == (["queued", "failed"], killed, 3)
    assert event_texts(job) == [
        *("Attempt 1 began.", f"Failed: {killed}"),
        *("Attempt 2 began.", f"Failed: {killed}"),
        *("Attempt 3 began.", f"Failed: {killed}", "Gave up after 3 attempts."),
    ]
    assert claim_job() is None


def test_a_job_that_is_killed_once_it_has_made_its_work_visible_is_done() -> None:
    job = done_apart("finish_and_be_killed")
    assert (job.state, job.error, job.result) == ("done", "", {"pairs": 3})
    assert event_texts(job) == ["Attempt 1 began.", "Done."]
    assert claim_job() is None


def test_a_job_may_succeed_after_a_crash() -> None:
    done_apart("be_killed_once")
    job = next_apart()
    assert (job.state, job.error, job.result) == ("done", "", {"attempt": 2})


def test_a_process_that_just_ends_is_a_crash() -> None:
    assert done_apart("break_off").error == "The process of the job ended with status 7."


def test_a_cancelled_job_that_does_not_listen_is_ended() -> None:
    job = done_apart("be_cancelled_and_go_on")
    assert (job.state, job.error, job.lease_until) == ("cancelled", "", None)
    assert event_texts(job) == ["Attempt 1 began.", "Cancelling was asked for.", "Cancelled."]


def test_a_job_that_was_taken_over_is_ended_and_left_as_it_is() -> None:
    job = done_apart("be_overtaken_and_go_on")
    assert (job.state, job.attempt, job.error, job.result) == ("running", 2, "", {})


@pytest.mark.parametrize("kind", ["never_end", "never_end_but_report"])
def test_a_worker_told_to_end_puts_the_job_back(kind: str) -> None:
    job = done_apart(kind, stopping=True)
    assert (job.state, job.attempt, job.max_attempts, job.lease_until) == ("queued", 1, 4, None)
    assert event_texts(job)[1:] == ["Put back into the queue: the worker was told to end."]


def test_the_lease_of_a_silent_child_is_renewed(settings: Settings) -> None:
    settings.TOUCHSTONE_LEASE = 3
    assert done_apart("outlive_the_lease").result == {"renewed": True}


def test_the_lease_of_silent_work_in_the_worker_is_renewed(settings: Settings) -> None:
    settings.TOUCHSTONE_LEASE = 3
    enqueue("outlive_the_lease", collection=None, created_by=None)
    run = claim_job()
    assert run is not None
    threads = threading.active_count()
    with heartbeat(run):
        assert run_job(run).result == {"renewed": True}
    assert threading.active_count() == threads


def test_work_that_hangs_in_the_worker_loses_its_lease(settings: Settings) -> None:
    settings.TOUCHSTONE_LEASE = 1
    enqueue("count_to_three", collection=None, created_by=None)
    run = claim_job()
    assert run is not None
    run.reported_at -= 3600
    with heartbeat(run):
        time.sleep(1.2)
        again = claim_job()
    assert again is not None
    assert again.attempt == 2


def test_limits_go_by_the_kind_of_job_and_of_import(settings: Settings) -> None:
    settings.TOUCHSTONE_JOBS = {**settings.TOUCHSTONE_JOBS, "check_import": "not run here"}
    settings.TOUCHSTONE_APART = {"check_import": (512, 60), "check_import:run": (1200, 90)}
    collection = make_collection()
    for kind in ("topics", "run"):
        bring(collection, kind, "1\tbees\n")
    plain = enqueue("count_to_three", collection=None, created_by=None)
    jobs = [*Job.objects.filter(kind="check_import").order_by("pk"), plain]
    assert [limits_of(job) for job in jobs] == [Limits(512, 60), Limits(1200, 90), None]


def test_no_connection_is_shared_with_the_child() -> None:
    """What the parent has read before is read again afterwards, through a connection of its own."""
    enqueue("count_to_three", collection=None, created_by=None)
    before = connection.connection
    next_apart()
    assert Job.objects.get().state == "done"
    assert connection.connection is not before


@pytest.mark.parametrize("is_worker", [True, False])
@pytest.mark.parametrize("has_threads", [True, False])
def test_a_step_of_a_worker_is_done_in_a_child(
    monkeypatch: pytest.MonkeyPatch, *, is_worker: bool, has_threads: bool
) -> None:
    """Elsewhere it is done here, as in a worker whose threads a child would lack."""
    monkeypatch.setattr(child, "is_worker", lambda: is_worker)
    monkeypatch.setattr(child, "has_threads", lambda: has_threads)
    do_apart(lambda: make_collection(slug=f"of-{os.getpid()}"), "a step")
    is_here = Collection.objects.get().slug == f"of-{os.getpid()}"
    assert is_here != (is_worker and not has_threads)


def test_a_step_that_breaks_off_in_its_child_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "is_worker", lambda: True)
    monkeypatch.setattr(child, "has_threads", lambda: False)
    with pytest.raises(RuntimeError, match="status 1"):
        do_apart(lambda: 1 / 0, "a step")
    with pytest.raises(RuntimeError, match="status -9"):
        do_apart(lambda: os.kill(os.getpid(), signal.SIGKILL), "a step")
    assert not Collection.objects.exists()  # the connection is this process's own


def test_asking_twice_to_cancel_is_told_once() -> None:
    job = enqueue("count_to_three", collection=None, created_by=None)
    assert claim_job() is not None
    assert [ask_cancel(job), ask_cancel(job)] == [True, True]
    assert event_texts(job).count("Cancelling was asked for.") == 1
