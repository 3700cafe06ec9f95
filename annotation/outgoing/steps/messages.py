"""Messages are written: one delivery for each recipient and the job of its first try, in the
transaction of what they tell of."""

import json
from hashlib import sha256

from django.db import transaction

from annotation.kernel import clock
from annotation.kernel.addressing import declared_address
from annotation.models import Collection, Delivery, Recipient
from annotation.models.tokens import new_token
from annotation.outgoing.steps.allowed_addresses import OutgoingError
from annotation.outgoing.steps.queueing import LOST, queue_try

MOST_BYTES = 16 << 10  # of a body
Facts = dict[str, str | int | float | bool | None]


def write_messages(collection: Collection, *, event: str, cause: str, subject: str, facts: Facts) -> list[Delivery]:
    """Tell all recipients of the collection, once a `cause`. `facts` are names and figures, never texts of topics or
    documents nor what people wrote; the body is JSON of at most 16 KiB. Call it inside the transaction that causes it.
    """
    recipients = Recipient.objects.filter(collection=collection, ended_at=None).order_by("pk")
    return [_written(each, event=event, cause=cause, subject=subject, facts=facts) for each in recipients]


def pass_on(collection: Collection, *, kind: str, cause: str, text: str, page: str) -> None:
    """What stands in inboxes of those who lead, to the recipients that want everything. For `kernel.notices`."""
    facts: Facts = {"kind": kind, "page": page, "words": text}
    for each in Recipient.objects.filter(collection=collection, ended_at=None, everything=True).order_by("pk"):
        _written(each, event="inbox", cause=_short(cause), subject=text, facts=facts)


def _short(cause: str) -> str:
    """As long as a delivery keeps it."""
    return cause if len(cause) <= 100 else f"{cause[:60]} {sha256(cause.encode()).hexdigest()[:32]}"


def write_test(recipient: Recipient) -> Delivery:
    """A message that tells of nothing. Raises `OutgoingError` where the recipient has ended."""
    if recipient.ended_at:
        raise OutgoingError("Messages are no longer sent there.")
    subject = f"A test from {recipient.collection.slug}"
    return _written(recipient, event="test", cause=f"test {new_token()}", subject=subject, facts={"words": subject})


@transaction.atomic
def _written(recipient: Recipient, *, event: str, cause: str, subject: str, facts: Facts) -> Delivery:
    token, now = new_token(), clock.now()
    if page := facts.get("page"):
        address = declared_address()
        facts = {**facts, "link": f"{address}{page}" if address else None}
    message = {
        "id": token,
        "event": event,
        "collection": recipient.collection.slug,
        "created_at": now.isoformat(),
        "subject": " ".join(subject.split())[:200],
        "facts": facts,
    }
    body = json.dumps(message, ensure_ascii=False)
    if len(body.encode()) > MOST_BYTES:
        raise ValueError(f"a message has at most {MOST_BYTES} bytes")
    columns = {"token": token, "subject": message["subject"], "body": body, "next_try": now + LOST}
    delivery, is_new = Delivery.objects.get_or_create(recipient=recipient, cause=cause, defaults=columns)
    if is_new:
        queue_try(delivery)
    return delivery
