"""Whose turn it is: a collection stores one import at a time.

Who waits for another import does its work where nobody does it any more: its worker is lost, or it
was a command that was killed. So neither a command without a worker nor a lone worker waits for
ever.
"""

import time

from django.db import IntegrityError, transaction
from django.db.models import Q

from annotation.exchange.read.imports import STORE
from annotation.exchange.steps.importing.sweeping import sweep_imports
from annotation.kernel import clock
from annotation.kernel.jobs import JobRefusedError, JobRun, claim_job, heartbeat, put_back, run_job
from annotation.models import Import, Job
from annotation.text.watch import Watch

TURN = 0.5  # seconds between two looks whether another import is through


def waits_its_turn() -> Q:
    """Jobs of storing that would wait for another import of their collection: a worker has better things to do.

    The import that has the turn waits for nobody, though its job may be back in the queue. Where none has it yet, the
    job that somebody holds is about to.
    """
    storing = Import.objects.filter(state=Import.State.STORING)
    jobs = Job.objects.filter(kind=STORE, state=Job.State.RUNNING, lease_until__gte=clock.now())
    taken = Q(collection__in=storing.values("collection")) | Q(collection__in=jobs.values("collection"))
    return Q(taken, kind=STORE) & ~Q(payload__import__in=list(storing.values_list("pk", flat=True)))


def take_turn(record: Import, run: JobRun) -> None:
    """Enter the storing state, of which a collection has one at a time."""
    while not _entered(record, run):
        run.report(done=0, total=0, message="Waiting until another import of this collection is stored")
        _see_to_other(record, run)
        time.sleep(TURN)


def _entered(record: Import, run: JobRun) -> bool:
    if record.state == Import.State.STORING:
        return True  # by an attempt that was lost
    try:
        with transaction.atomic():
            run.fence()
            entered = Import.objects.filter(pk=record.pk, state=Import.State.CHECKED).update(state=Import.State.STORING)
    except IntegrityError:
        return False
    if not entered:
        raise JobRefusedError("The import is no longer ready to be published.")
    record.state = Import.State.STORING
    return True


def _see_to_other(record: Import, run: JobRun) -> None:
    """Go on with the import that has the turn if nobody does; sweep it if it came to nothing."""
    storing = Import.objects.filter(collection=record.collection_id, state=Import.State.STORING)
    holder = storing.values_list("pk", flat=True).first()
    if holder is None:
        return
    other = claim_job(among=Q(collection=record.collection_id, kind=STORE, payload__import=holder))
    if other is not None:
        _do(other, run)
    sweep_imports()


def _do(other: JobRun, run: JobRun) -> None:
    """The other job in this process. It goes back into the queue if the one that waits is to end."""
    other.stopping = lambda: run.stopping() or not run.mine().filter(cancel_asked_at__isnull=True).exists()
    other.watch = _telling(run)
    try:
        with heartbeat(other):
            run_job(other)
    except KeyboardInterrupt:
        put_back(other)
        raise


def _telling(run: JobRun) -> Watch:
    def watch(done: int, total: int, message: str) -> None:
        run.reported_at = time.monotonic()
        run.watch(done, total, f"Another import first: {message}")

    return watch
