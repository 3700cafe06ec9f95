"""Recipients: added, ended; the secret by which messages to a webhook are signed."""

import base64
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.crypto import salted_hmac

from annotation.kernel import clock
from annotation.kernel.audit import record_audit
from annotation.kernel.taken import TakenError, unless_taken
from annotation.models import Collection, Recipient, User
from annotation.outgoing.steps.allowed_addresses import OutgoingError, check_recipient

TAKEN = "Messages go there already."
TAKEN_AWAY = "The recipient was taken away."


@transaction.atomic
def add_recipient(
    collection: Collection, *, kind: str, address: str, everything: bool = False, actor: User | None
) -> Recipient:
    """Raises `OutgoingError` for one that the settings do not allow, and one that is there."""
    check_recipient(kind, address)
    try:
        with unless_taken(Recipient.objects.filter(collection=collection, address=address, ended_at=None)):
            recipient = Recipient.objects.create(
                collection=collection, kind=kind, address=address, everything=everything, created_by=actor
            )
    except TakenError as error:
        raise OutgoingError(TAKEN) from error
    _record("recipient added", recipient, actor)
    return recipient


@transaction.atomic
def end_recipient(recipient: Recipient, *, actor: User | None) -> None:
    """No message goes there any more, and those that wait are given up. Raises `OutgoingError` where it has ended."""
    now = clock.now()
    if not Recipient.objects.filter(pk=recipient.pk, ended_at=None).update(ended_at=now):
        raise OutgoingError("It has ended before.")
    waiting = recipient.deliveries.filter(state="waiting")
    waiting.update(state="failed", next_try=None, ended_at=now, answer=TAKEN_AWAY)
    _record("recipient ended", recipient, actor)


def _record(verb: str, recipient: Recipient, actor: User | None) -> None:
    """By its kind, scheme, host and token: the path of a webhook may hold a secret, and an address of mail a name."""
    scheme = f"{urlsplit(recipient.address).scheme}://" if recipient.kind == Recipient.Kind.WEBHOOK else ""
    record_audit(
        verb,
        actor=actor,
        collection=recipient.collection,
        subject=scheme + host_of(recipient),
        kind=recipient.kind,
        recipient=recipient.token,
    )


def host_of(recipient: Recipient) -> str:
    """What of an address those may see who are no admins."""
    if recipient.kind == Recipient.Kind.MAIL:
        return recipient.address.rpartition("@")[2]
    return urlsplit(recipient.address).hostname or ""


def secret_of(recipient: Recipient) -> str:
    """256 bits from the installation's key, shown once: whoever has a copy of the database cannot sign."""
    digest = salted_hmac("annotation.outgoing", f"{recipient.token}.{recipient.salt}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
