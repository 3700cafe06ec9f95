"""Tries are queued: each job may make one try, the one that its delivery still waits for."""

from datetime import timedelta

from annotation.kernel.jobs import SHORT, enqueue
from annotation.models import Delivery

JOB = "deliver_message"
LOST = timedelta(minutes=10)  # after which a try is taken for lost, and another one is made


def queue_try(delivery: Delivery) -> None:
    """Queue one try of what `next_try` has been claimed for. Inside the transaction that has set it."""
    if delivery.next_try is None:
        raise ValueError("a delivery that is over is not tried")
    due = delivery.next_try.isoformat()
    collection = delivery.recipient.collection
    enqueue(JOB, collection=collection, created_by=None, delivery=delivery.token, due=due, **{SHORT: True})
