"""Several worker processes on one queue: each job is done once, whatever happens to a worker."""

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path

import pytest
from pytest_django import Settings

from annotation.kernel.jobs import enqueue
from annotation.models import AuditEvent, Job, JobEvent
from tests.soak import settings as soak_settings
from tests.soak.processes import PATIENCE, Worker, has_ended, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.both("jobs"),
]

Start = Callable[..., Worker]


@pytest.fixture
def start(settings: Settings, tmp_path: Path) -> Generator[Start, None, None]:
    """Starts workers, with `lease=1` one whose job is soon another's when it falls silent; none outlives the test."""
    settings.TOUCHSTONE_JOBS = soak_settings.TOUCHSTONE_JOBS
    workers: list[Worker] = []

    def begin(*arguments: str, lease: int = 60) -> Worker:
        environment = {"DJANGO_SETTINGS_MODULE": "tests.soak.settings", "TOUCHSTONE_LEASE": str(lease)}
        workers.append(Worker(tmp_path, *arguments, **environment))
        return workers[-1]

    yield begin
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker.process.pid, signal.SIGCONT)
        worker.kill()


def queue(kind: str) -> Job:
    return enqueue(kind, collection=None, created_by=None)


def marks() -> list[tuple[str, int]]:
    """Which jobs left a mark, and in which attempt."""
    events = AuditEvent.objects.filter(verb="marked").values_list("subject", "detail")
    return sorted((token, detail["attempt"]) for token, detail in events)


def state_of(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def events_of(job: Job) -> list[tuple[int, str]]:
    return list(JobEvent.objects.filter(job=job).order_by("pk").values_list("attempt", "text"))


def child_of(worker: Worker) -> int:
    until(lambda: worker.child() is not None, "the worker has a child at work")
    child = worker.child()
    assert child is not None
    return child


def at_work(job: Job, worker: Worker) -> int:
    """Wait until the job reports; the process that does it."""
    until(lambda: Job.objects.filter(pk=job.pk, state="running", message="slowly").exists(), "the job is at work")
    return child_of(worker)


def test_three_workers_share_a_queue_and_do_each_job_once(start: Start) -> None:
    jobs = [queue("mark" if n % 2 else "mark_here") for n in range(30)]
    workers = [start("--once") for _ in range(3)]
    assert [worker.process.wait(PATIENCE) for worker in workers] == [0, 0, 0]
    assert marks() == sorted((job.token, 1) for job in jobs)
    assert [events_of(job) for job in jobs] == [[(1, "Attempt 1 began."), (1, "Done.")]] * 30
    assert {state_of(job) for job in jobs} == {"done"}


def test_a_frozen_worker_that_wakes_up_finds_its_job_done_by_another(start: Start) -> None:
    job = queue("mark_slowly")
    frozen = start(lease=1)
    child = at_work(job, frozen)
    frozen.signal(signal.SIGSTOP, child=child)
    start()
    until(lambda: state_of(job) == "done", "another worker does the job")
    assert marks() == [(job.token, 2)]
    frozen.signal(signal.SIGCONT, child=child)
    until(lambda: has_ended(child), "the overtaken process ends")
    assert (state_of(job), marks()) == ("done", [(job.token, 2)])
    assert events_of(job) == [
        (1, "Attempt 1 began."),
        (1, "Lost: the worker fell silent and its lease ran out."),
        (2, "Attempt 2 began."),
        (2, "Done."),
        (1, "Left alone: another worker has taken the job over."),
    ]


def test_a_child_dies_with_its_worker_and_the_next_worker_goes_on(start: Start) -> None:
    job = queue("mark_slowly")
    lost = start(lease=1)
    child = at_work(job, lost)
    lost.process.kill()
    until(lambda: has_ended(child), "the child ends with its worker")
    assert (state_of(job), marks()) == ("running", [])
    start()
    until(lambda: state_of(job) == "done", "another worker does the job")
    assert marks() == [(job.token, 2)]


def test_a_worker_that_is_told_to_end_puts_its_job_back_and_ends(start: Start) -> None:
    job = queue("mark_slowly")
    worker = start()
    child = at_work(job, worker)
    assert (worker.stop(), has_ended(child)) == (0, True)
    job.refresh_from_db()
    assert (job.state, job.lease_until, job.max_attempts, marks()) == ("queued", None, 4, [])


def test_a_poison_job_is_given_up_and_the_worker_does_the_next(start: Start) -> None:
    poison, sound = queue("die"), queue("mark")
    assert start("--once").process.wait(PATIENCE) == 0
    poison.refresh_from_db()
    killed = "The process of the job was ended by signal 9 (SIGKILL)."
    assert (poison.state, poison.attempt, poison.error) == ("failed", 3, killed)
    assert [text for _, text in events_of(poison)].count(f"Failed: {killed}") == 3
    assert marks() == [(sound.token, 1)]
