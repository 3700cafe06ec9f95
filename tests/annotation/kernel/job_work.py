"""What the jobs of test_jobs do. `settings.TOUCHSTONE_JOBS` names these functions; they leave their marks in `done`."""

import os
import signal
import time

from django.db import connection, transaction

from annotation.kernel.jobs import JobRefusedError, JobRun, ask_cancel
from annotation.models import Job

done: list[str] = []


def count_to_three(run: JobRun) -> dict[str, object]:
    for step in (1, 2, 3):
        run.report(done=step, total=3, message=f"step {step}")
        done.append(f"{run.attempt}:{step}")
    return {"steps": 3}


def tell_to_end() -> None:
    """A sweep, in which somebody ends the worker."""
    os.kill(os.getpid(), signal.SIGTERM)


def sweep() -> None:
    done.append("swept")


def sweep_in_vain() -> None:
    done.append("swept in vain")
    raise ZeroDivisionError("as it had to")


def fall(run: JobRun) -> None:
    done.append(f"fell in attempt {run.attempt}")
    raise ZeroDivisionError("as it had to")


def fall_once(run: JobRun) -> dict[str, object]:
    if run.attempt == 1:
        raise ZeroDivisionError("the first time")
    return {"attempt": run.attempt}


def refuse(run: JobRun) -> None:
    raise JobRefusedError("this can never be done")


def be_cancelled(run: JobRun) -> None:
    """Somebody presses the button while the job is at work."""
    ask_cancel(run.job)
    run.report(done=1, total=2)
    done.append("went on")


def be_overtaken(run: JobRun) -> None:
    """The worker freezes, its lease lapses, another takes the job; then it wakes up and wants to publish."""
    Job.objects.filter(pk=run.job.pk).update(attempt=run.attempt + 1)
    with transaction.atomic():
        run.fence()
        done.append("published")


# --- what happens to a job in a process of its own; these leave their marks in the log ---


def say_where(run: JobRun) -> dict[str, object]:
    return {"process": os.getpid(), "parent": os.getppid()}


def eat_memory(run: JobRun) -> None:
    eaten = []
    while True:
        eaten.append(bytearray(8 << 20))
        run.report(done=len(eaten), total=0)


def eat_memory_in_a_transaction(run: JobRun) -> None:
    """What it writes before its memory ends is not there afterwards."""
    with transaction.atomic():
        run.log("written in the transaction")
        eat_memory(run)


def never_end(run: JobRun) -> None:
    """Without a word: neither cancelling nor stopping is seen."""
    while True:
        time.sleep(0.01)


def never_end_in_a_transaction(run: JobRun) -> None:
    with transaction.atomic():
        run.fence()
        never_end(run)


def never_end_but_report(run: JobRun) -> None:
    while True:
        run.report(done=1, total=2)
        time.sleep(0.01)


def be_killed(run: JobRun) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def be_killed_once(run: JobRun) -> dict[str, object]:
    if run.attempt == 1:
        be_killed(run)
    return {"attempt": run.attempt}


def break_off(run: JobRun) -> None:
    os._exit(7)


def be_cancelled_and_go_on(run: JobRun) -> None:
    ask_cancel(run.job)
    never_end(run)


def be_overtaken_and_go_on(run: JobRun) -> None:
    Job.objects.filter(pk=run.job.pk).update(attempt=run.attempt + 1)
    never_end(run)


def outlive_the_lease(run: JobRun) -> dict[str, object]:
    """One long step: the lease at its beginning and at its end."""
    end = time.monotonic() + 30
    before = now = Job.objects.get(pk=run.job.pk).lease_until
    while now == before and time.monotonic() < end:
        connection.close()
        time.sleep(0.05)
        now = Job.objects.get(pk=run.job.pk).lease_until
    return {"renewed": now != before}


def finish(run: JobRun) -> None:
    """What it does is visible; then somebody presses the button, too late."""
    with transaction.atomic():
        run.fence()
        done.append("published")
        run.finish({"pairs": 3})
    done.append(f"cancelled: {ask_cancel(run.job)}")


def finish_and_be_killed(run: JobRun) -> None:
    with transaction.atomic():
        run.finish({"pairs": 3})
    be_killed(run)


def finish_and_fall(run: JobRun) -> None:
    """The transaction does not come about, and with it the end."""
    with transaction.atomic():
        run.finish({"pairs": 3})
        raise ZeroDivisionError("as it had to")
