"""Leases, attempts, cancelling: whatever happens to a worker, a job is done once or said to have failed."""

import signal
import sys
import threading
from collections.abc import Generator
from datetime import timedelta
from types import ModuleType, SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from annotation.kernel.jobs import (
    JobCancelledError,
    JobRun,
    LeaseLostError,
    WorkerStoppingError,
    ask_cancel,
    claim_job,
    end_lost_jobs,
    enqueue,
    restarting,
    run_job,
    work_here,
)
from annotation.kernel.memory import SMALL_STEP
from annotation.management.commands import worker
from annotation.models import Job
from tests.annotation.kernel import job_work

pytestmark = [pytest.mark.django_db, pytest.mark.both("jobs")]

HERE = "tests.annotation.kernel.job_work"
KINDS = ("count_to_three", "fall", "fall_once", "refuse", "be_cancelled", "be_overtaken", "finish", "finish_and_fall")


@pytest.fixture(autouse=True)
def kinds(settings: Settings) -> Generator[None, None, None]:
    settings.TOUCHSTONE_JOBS = {kind: f"{HERE}.{kind}" for kind in KINDS} | {"missing": f"{HERE}.nothing_here"}
    job_work.done.clear()
    yield
    job_work.done.clear()


def queue(kind: str) -> Job:
    return enqueue(kind, collection=None, created_by=None)


def claimed() -> JobRun:
    run = claim_job()
    assert run is not None
    return run


def fall_silent(job: Job) -> None:
    """The worker of the job has died: nobody renews its lease."""
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_is_done_with_progress_and_result() -> None:
    queue("count_to_three")
    job = run_job(claimed())
    assert (job.state, job.done, job.total, job.message, job.result) == ("done", 3, 3, "step 3", {"steps": 3})
    assert (job.attempt, job.lease_until) == (1, None)
    assert job.finished_at is not None
    assert job_work.done == ["1:1", "1:2", "1:3"]
    assert claim_job() is None


def test_of_many_steps_one_of_each_stage_is_told_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.jobs.attempt.REPORT_AFTER", 1000)
    queue("count_to_three")
    run, seen = claimed(), list[str]()
    run.watch = lambda _done, _total, message: seen.append(message)
    for message in ("1 of 9 runs read", "2 of 9 runs read", "comparing by P@5", "comparing by P@5", "drawing"):
        run.progress(1, 9, message)
    assert seen == ["1 of 9 runs read", "Comparing by P@5", "Drawing"]


def test_jobs_are_claimed_in_the_order_they_came_and_each_once() -> None:
    first, second = queue("count_to_three"), queue("count_to_three")
    assert [claimed().job.pk, claimed().job.pk, claim_job()] == [first.pk, second.pk, None]


def test_an_unknown_kind_is_not_queued() -> None:
    with pytest.raises(ValueError, match="No job of kind 'dance'"):
        queue("dance")
    assert Job.objects.count() == 0


def test_a_job_whose_worker_died_is_run_again() -> None:
    job = queue("count_to_three")
    lost = claimed()
    assert claim_job() is None
    fall_silent(job)
    again = claimed()
    assert (again.job.pk, again.attempt, lost.attempt) == (job.pk, 2, 1)
    assert run_job(again).state == "done"


def test_a_frozen_worker_can_neither_report_nor_publish_nor_finish() -> None:
    job = queue("count_to_three")
    frozen = claimed()
    fall_silent(job)
    claimed()
    with pytest.raises(LeaseLostError):
        frozen.report(done=1, total=3)
    with pytest.raises(LeaseLostError), transaction.atomic():
        frozen.fence()
    after = run_job(frozen)
    assert (after.state, after.attempt, after.done, after.result) == ("running", 2, 0, {})
    assert job_work.done == []


def test_a_worker_overtaken_in_the_middle_leaves_everything_as_it_is() -> None:
    queue("be_overtaken")
    job = run_job(claimed())
    assert (job.state, job.attempt, job.error, job_work.done) == ("running", 2, "", [])


def test_a_late_worker_goes_on_while_nobody_else_has_the_job() -> None:
    job = queue("count_to_three")
    run = claimed()
    fall_silent(job)
    run.report(done=1, total=3)
    job.refresh_from_db()
    assert job.lease_until is not None
    assert job.lease_until > timezone.now()


@pytest.mark.django_db(transaction=True)
def test_fence_outside_a_transaction_is_a_mistake() -> None:
    queue("count_to_three")
    with pytest.raises(RuntimeError, match="inside the transaction"):
        claimed().fence()


def test_a_failing_job_is_tried_three_times() -> None:
    queue("fall")
    states = [run_job(claimed()).state for _ in range(3)]
    job = Job.objects.get()
    assert states == ["queued", "queued", "failed"]
    assert (job.error, job.attempt) == ("ZeroDivisionError: as it had to", 3)
    assert claim_job() is None


def test_a_job_may_succeed_the_second_time() -> None:
    queue("fall_once")
    run_job(claimed())
    job = run_job(claimed())
    assert (job.state, job.error, job.result) == ("done", "", {"attempt": 2})


def test_a_job_whose_worker_dies_each_time_is_given_up() -> None:
    job = queue("count_to_three")
    for _ in range(3):
        claimed()
        fall_silent(job)
    assert claim_job() is None
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "Gave up after 3 attempts: the worker was lost each time.")


def test_a_refused_job_is_not_tried_again() -> None:
    queue("refuse")
    job = run_job(claimed())
    assert (job.state, job.error, job.attempt) == ("failed", "this can never be done", 1)


def test_a_kind_without_its_function_fails_and_the_worker_lives_on() -> None:
    queue("missing")
    assert run_job(claimed()).state == "queued"


def test_a_waiting_job_is_cancelled_at_once() -> None:
    job = queue("count_to_three")
    assert ask_cancel(job)
    job.refresh_from_db()
    assert (job.state, claim_job()) == ("cancelled", None)


def test_a_running_job_is_cancelled_at_its_next_report() -> None:
    queue("be_cancelled")
    job = run_job(claimed())
    assert (job.state, job.lease_until, job_work.done) == ("cancelled", None, [])


def test_a_job_to_be_cancelled_cannot_publish() -> None:
    job = queue("count_to_three")
    run = claimed()
    ask_cancel(job)
    with pytest.raises(JobCancelledError), transaction.atomic():
        run.fence()


def test_a_job_to_be_cancelled_whose_worker_died_is_not_run_again() -> None:
    job = queue("count_to_three")
    claimed()
    ask_cancel(job)
    fall_silent(job)
    assert claim_job() is None
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_a_job_that_has_ended_cannot_be_cancelled() -> None:
    job = queue("count_to_three")
    run_job(claimed())
    assert not ask_cancel(job)
    job.refresh_from_db()
    assert (job.state, job.cancel_asked_at) == ("done", None)


def test_a_job_is_done_with_what_it_makes_visible_and_cannot_be_cancelled_after_it() -> None:
    queue("finish")
    job = run_job(claimed())
    assert (job.state, job.result, job.lease_until, job.cancel_asked_at) == ("done", {"pairs": 3}, None, None)
    assert job_work.done == ["published", "cancelled: False"]
    assert list(job.events.order_by("pk").values_list("text", flat=True)) == ["Attempt 1 began.", "Done."]


def test_a_job_that_is_to_be_cancelled_makes_nothing_visible() -> None:
    job = queue("finish")
    run = claimed()
    ask_cancel(job)
    with pytest.raises(JobCancelledError), transaction.atomic():
        run.finish()
    assert run_job(run).state == "cancelled"


def test_a_job_is_not_done_where_its_transaction_falls() -> None:
    queue("finish_and_fall")
    job = run_job(claimed())
    assert (job.state, job.result, job.error) == ("queued", {}, "ZeroDivisionError: as it had to")


def test_lost_jobs_that_are_not_tried_again_are_ended_without_a_worker() -> None:
    lost, cancelled, again, alive = (queue("count_to_three") for _ in range(4))
    for _ in range(4):
        claimed()
    Job.objects.filter(pk__in=[lost.pk, alive.pk]).update(max_attempts=1)
    ask_cancel(cancelled)
    for job in (lost, cancelled, again):
        fall_silent(job)
    end_lost_jobs()
    assert list(Job.objects.order_by("pk").values_list("state", "error")) == [
        ("failed", "Gave up: the worker was lost."),
        ("cancelled", ""),
        ("running", ""),
        ("running", ""),
    ]


def test_a_worker_that_is_told_to_end_hands_its_job_back() -> None:
    queue("count_to_three")
    run = claimed()
    run.stopping = lambda: True
    job = run_job(run)
    assert (job.state, job.attempt, job.max_attempts, job.lease_until) == ("queued", 1, 4, None)
    with pytest.raises(LeaseLostError):
        run.report(done=1, total=3)
    assert run_job(claimed()).state == "done"


def test_stopping_is_seen_after_the_progress_is_written() -> None:
    queue("count_to_three")
    run = claimed()
    run.stopping = lambda: True
    with pytest.raises(WorkerStoppingError):
        run.report(done=2, total=3)
    assert Job.objects.get().done == 2


def test_work_here_is_done_at_once_and_tried_once() -> None:
    seen: list[tuple[int, int, str]] = []
    job = work_here(
        "count_to_three",
        collection=None,
        created_by=None,
        watch=lambda done, total, message: seen.append((done, total, message)),
    )
    assert (job.state, seen) == ("done", [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")])
    assert work_here("fall", collection=None, created_by=None).state == "failed"


def test_the_worker_does_what_is_in_the_queue() -> None:
    queue("count_to_three")
    queue("fall")
    queue("refuse")
    call_command("worker", once=True)
    assert list(Job.objects.order_by("pk").values_list("state", "attempt")) == [
        ("done", 1),
        ("failed", 3),
        ("failed", 1),
    ]


@pytest.fixture
def begun(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines that a worker has become which has loaded polars and does `count_to_three` apart."""
    settings.TOUCHSTONE_APART = {"count_to_three": (512, 60)}
    lines = list[list[str]]()

    def execute(_path: str, words: list[str]) -> None:
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) >= {signal.SIGTERM, signal.SIGINT}
        lines.append(words)
        raise SystemExit

    monkeypatch.setenv(restarting.MARK, "")
    monkeypatch.setattr(restarting, "connections", SimpleNamespace(close_all=lambda: None))
    monkeypatch.setattr("os.execv", execute)
    monkeypatch.setitem(sys.modules, "polars", ModuleType("polars"))
    monkeypatch.setattr(sys, "argv", ["manage.py", "worker", "--once"])
    monkeypatch.setattr(sys, "orig_argv", ["python", "manage.py", "worker", "--once"])
    return lines


def test_a_worker_that_has_computed_in_threads_begins_anew_before_it_forks(
    begun: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads of polars and torch do not come along into a child, which would wait for them for ever."""
    job = queue("count_to_three")
    with pytest.raises(SystemExit):
        call_command("worker", once=True)
    job.refresh_from_db()
    assert (begun, job.state) == ([[sys.executable, "manage.py", "worker", "--once"]], "queued")
    with pytest.raises(RuntimeError, match="before its first job"):  # not for ever
        call_command("worker", once=True)
    job.refresh_from_db()
    assert (len(begun), job.state) == (1, "queued")
    monkeypatch.setattr(restarting, "THREADED", frozenset())
    call_command("worker", once=True)
    job.refresh_from_db()
    assert (len(begun), job.state) == (1, "done")


def test_a_worker_that_is_told_to_end_does_not_begin_anew(begun: list[list[str]], settings: Settings) -> None:
    settings.TOUCHSTONE_SWEEPS = {f"{HERE}.tell_to_end": 0.0}
    job = queue("count_to_three")
    call_command("worker")
    job.refresh_from_db()
    assert (begun, job.state) == ([], "queued")
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_sweep_that_fails_keeps_no_job_waiting(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """It is said, not at each job, and the sweep behind it comes as ever."""
    settings.TOUCHSTONE_SWEEPS = {f"{HERE}.sweep_in_vain": 0.0, f"{HERE}.sweep": 0.0}
    for _ in range(3):
        queue("count_to_three")
    call_command("worker", once=True)
    assert list(Job.objects.values_list("state", flat=True)) == ["done"] * 3
    assert [each for each in job_work.done if "swept" in each] == ["swept in vain"] + ["swept"] * 4
    assert [record.exc_info is not None for record in caplog.records if "in_vain" in record.message] == [True]


def test_a_worker_gives_memory_back_after_each_sweep(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TOUCHSTONE_SWEEPS = {f"{HERE}.sweep_in_vain": 0.0, f"{HERE}.sweep": 0.0}
    steps: list[int] = []
    monkeypatch.setattr(worker, "give_back", lambda *, step: steps.append(step))
    call_command("worker", once=True)
    assert (len(steps) >= 2, set(steps)) == (True, {SMALL_STEP})


@pytest.mark.django_db(transaction=True)
def test_four_workers_at_once_never_claim_the_same_job() -> None:
    jobs = [queue("count_to_three").pk for _ in range(20)]
    claims: list[int] = []

    def claim_all() -> None:
        try:
            while run := claim_job():
                claims.append(run.job.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=claim_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(claims) == jobs
