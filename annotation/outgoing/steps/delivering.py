"""Deliveries are sent: by jobs of the queue, again after growing waits, at least once and under the same id."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.kernel.jobs import SHORT, JobRun, enqueue
from annotation.models import Delivery, Recipient
from annotation.outgoing.steps.allowed import OutgoingError, check_recipient
from annotation.outgoing.steps.mail import send_mail
from annotation.outgoing.steps.webhook import post

JOB = "deliver_message"
MINUTES = (1, 5, 30, 120, 480, 1440)  # after which it is tried again; then it is given up
LOST = timedelta(minutes=10)  # after which a try is taken for lost, and another one is made
MOST_AT_ONCE = 100


def sweep_deliveries() -> int:
    """Queue what is due; how many. For the worker, now and then."""
    due = Delivery.objects.filter(state=Delivery.State.WAITING, next_try__lte=timezone.now()).order_by("next_try")
    return sum(_queue(pk) for pk in list(due.values_list("pk", flat=True)[:MOST_AT_ONCE]))


@transaction.atomic
def _queue(pk: int) -> bool:
    now = timezone.now()
    due = Delivery.objects.filter(pk=pk, state=Delivery.State.WAITING, next_try__lte=now)
    if not due.update(next_try=now + LOST):
        return False
    delivery = Delivery.objects.select_related("recipient__collection").get(pk=pk)
    collection = delivery.recipient.collection
    enqueue(JOB, collection=collection, created_by=None, delivery=delivery.token, **{SHORT: True})
    return True


def deliver_in_job(run: JobRun) -> dict[str, object]:
    """The job: one try. Whether it was taken, and that the job is done, are one transaction; if the worker is lost
    between the two, the message goes out again under the same id."""
    deliveries = Delivery.objects.select_related("recipient__collection")
    delivery = deliveries.filter(token=run.job.payload["delivery"], state=Delivery.State.WAITING).first()
    if delivery is None:
        return {"words": "It is not waiting any more."}
    run.report(done=0, total=1, message=f"to {delivery.recipient.address}"[:500])
    state, answer = _tried(delivery)
    with transaction.atomic():
        run.fence()
        columns = _columns(state, delivery.n_tries + 1)
        Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING).update(answer=answer[:300], **columns)
        run.finish({"words": answer})
    return {}


def _tried(delivery: Delivery) -> tuple[str, str]:
    """What became of it, and the words. What is not allowed (any more) is not tried again."""
    recipient = delivery.recipient
    try:
        check_recipient(recipient.kind, recipient.address)
    except OutgoingError as reason:
        return Delivery.State.FAILED, str(reason)
    send = post if recipient.kind == Recipient.Kind.WEBHOOK else send_mail
    try:
        return Delivery.State.SENT, send(delivery)
    except OutgoingError as reason:
        return Delivery.State.WAITING, str(reason)


def _columns(state: str, n_tries: int) -> dict[str, object]:
    now = timezone.now()
    if state == Delivery.State.WAITING and n_tries <= len(MINUTES):
        return {"n_tries": n_tries, "next_try": now + timedelta(minutes=MINUTES[n_tries - 1])}
    state = Delivery.State.FAILED if state == Delivery.State.WAITING else state
    return {"n_tries": n_tries, "state": state, "next_try": None, "ended_at": now}
