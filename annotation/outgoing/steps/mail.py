"""A message as mail: its subject, what it says in words, and its facts."""

import json
from smtplib import SMTPException

from django.core.mail import EmailMessage

from annotation.models import Delivery
from annotation.outgoing.steps.allowed_addresses import OutgoingError

FOOT = "Sent because an admin of the collection has named this address. It is not read."


def send_mail(delivery: Delivery) -> str:
    """What came of it, in words. Raises `OutgoingError` where the mail server does not take it."""
    message = json.loads(delivery.body)
    spare = {"words", "page"} if message["facts"].get("link") else {"words"}
    facts = {name: value for name, value in message["facts"].items() if name not in spare and value is not None}
    lines = [message["facts"].get("words") or delivery.subject, "", *(f"{name}: {facts[name]}" for name in facts)]
    mail = EmailMessage(
        subject=f"[Touchstone] {delivery.subject}",
        body="\n".join([*lines, "", f"Collection {message['collection']}. {FOOT}"]),
        to=[delivery.recipient.address],
        headers={"X-Touchstone-Delivery": delivery.token, "Auto-Submitted": "auto-generated"},
    )
    try:
        mail.send()
    except (OSError, SMTPException) as error:
        raise OutgoingError(f"{type(error).__name__}: {error}"[:200]) from error
    return "The mail server took it."
