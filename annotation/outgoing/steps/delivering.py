"""Deliveries are sent: by jobs of the queue, again after growing waits, at least once and under the same id."""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from types import MappingProxyType

from django.db import transaction
from django.db.models import QuerySet

from annotation.kernel import clock
from annotation.kernel.jobs import LIVE, JobRun
from annotation.models import Delivery, Job, Recipient
from annotation.outgoing.steps.allowed_addresses import OutgoingError, check_recipient
from annotation.outgoing.steps.mail import send_mail
from annotation.outgoing.steps.queueing import JOB, LOST, queue_try
from annotation.outgoing.steps.recipients import TAKEN_AWAY, host_of
from annotation.outgoing.steps.webhook import post

logger = logging.getLogger(__name__)

State = Delivery.State
MINUTES = (1, 5, 30, 120, 480, 1440)  # after which it is tried again; then it is given up
MOST_AT_ONCE = 100
STALE = "It does not wait for this job any more."
# What the job says, which more people may see than recipients and answers.
WORDS = MappingProxyType(
    {
        State.SENT: "It was taken.",
        State.WAITING: "It was not taken, and is tried again.",
        State.FAILED: "It was not taken, and is given up.",
    }
)


def sweep_deliveries() -> int:
    """Queue what is due and has no job; how many. For the worker, now and then."""
    return sum(_queued(pk) for pk in list(islice(_without_job(), MOST_AT_ONCE)))


def _without_job() -> Iterator[int]:
    """Of the deliveries that are due, those that no job waits or works for."""
    jobs = Job.objects.filter(kind=JOB, state__in=LIVE).values_list("payload", flat=True)
    with_job = {payload["delivery"] for payload in jobs}
    due = Delivery.objects.filter(state=State.WAITING, next_try__lte=clock.now()).order_by("next_try")
    return (pk for pk, token in due.values_list("pk", "token") if token not in with_job)


@transaction.atomic
def _queued(pk: int) -> bool:
    now = clock.now()
    due = Delivery.objects.filter(pk=pk, state=State.WAITING, next_try__lte=now)
    if not due.update(next_try=now + LOST):
        return False
    queue_try(Delivery.objects.select_related("recipient__collection").get(pk=pk))
    return True


def deliver_in_job(run: JobRun) -> dict[str, object]:
    """The job: one try, claimed before it is made, so that a try that breaks off counts, too. What became of it is
    written while the claim holds, even if the job is cancelled or lost meanwhile: what was sent is known to be."""
    delivery = _awaited(run.job)
    if delivery is None:
        return {"words": STALE}
    recipient = delivery.recipient
    run.report(done=0, total=1, message=f"{recipient.kind} at {host_of(recipient)}")
    if delivery.n_tries > len(MINUTES):
        state, answer = State.FAILED, "The last try broke off."
    elif _claimed(delivery):
        state, answer = _tried(delivery)
    else:
        return {"words": STALE}
    if state == State.WAITING and delivery.n_tries > len(MINUTES):
        state = State.FAILED
    _as_read(delivery).update(state=state, answer=answer[:300], **_moments(state, delivery.n_tries))
    return {"words": WORDS[state]}


def _awaited(job: Job) -> Delivery | None:
    """The delivery of the job, if it waits for this very one. Jobs of earlier versions name no moment: the sweep
    queues theirs anew."""
    token, due = job.payload["delivery"], job.payload.get("due")
    if due is None:
        return None
    waiting = Delivery.objects.filter(token=token, state=State.WAITING, next_try=datetime.fromisoformat(due))
    return waiting.select_related("recipient__collection").first()


def _as_read(delivery: Delivery) -> QuerySet[Delivery]:
    """Its row while it still is as it was read or claimed, else nothing."""
    return Delivery.objects.filter(pk=delivery.pk, state=State.WAITING, next_try=delivery.next_try)


def _claimed(delivery: Delivery) -> bool:
    """Count the try, and take the delivery away from all other jobs. False where another one has it."""
    n_tries, moment = delivery.n_tries + 1, clock.now() + LOST
    if not _as_read(delivery).update(n_tries=n_tries, next_try=moment):
        return False
    delivery.n_tries, delivery.next_try = n_tries, moment
    return True


def _tried(delivery: Delivery) -> tuple[State, str]:
    """What became of it, and the words. What is not allowed (any more) is not tried again."""
    recipient = delivery.recipient
    if recipient.ended_at:
        return State.FAILED, TAKEN_AWAY
    try:
        check_recipient(recipient.kind, recipient.address)
    except OutgoingError as reason:
        return State.FAILED, str(reason)
    send = post if recipient.kind == Recipient.Kind.WEBHOOK else send_mail
    try:
        return State.SENT, send(delivery)
    except OutgoingError as reason:
        return State.WAITING, str(reason)
    except Exception as fault:
        logger.exception("delivery %s could not be sent", delivery.token)
        return State.WAITING, f"An error of this installation: {type(fault).__name__}."


def _moments(state: State, n_tries: int) -> dict[str, datetime | None]:
    """After the try of this number."""
    now = clock.now()
    if state == State.WAITING:
        return {"next_try": now + timedelta(minutes=MINUTES[n_tries - 1])}
    return {"next_try": None, "ended_at": now}
