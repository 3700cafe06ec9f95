"""Whom messages of a collection go to, and what became of them."""

from django.conf import settings
from django.db.models import F, Q, QuerySet

from annotation.models import Collection, Delivery, Recipient


def is_webhook_on() -> bool:
    return bool(settings.TOUCHSTONE_WEBHOOK_HOSTS or settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS)


def is_mail_on() -> bool:
    return bool(settings.TOUCHSTONE_MAIL_DOMAINS) and "dummy" not in settings.EMAIL_BACKEND


def kinds_on() -> list[str]:
    """Kinds of recipients that the settings allow at all."""
    on = {Recipient.Kind.WEBHOOK: is_webhook_on(), Recipient.Kind.MAIL: is_mail_on()}
    return [kind for kind, is_on in on.items() if is_on]


def recipients_of(collection: Collection) -> QuerySet[Recipient]:
    """With `has_ended`; those that get messages first, then those that got them once."""
    recipients = Recipient.objects.filter(collection=collection).select_related("created_by")
    recipients = recipients.annotate(has_ended=Q(ended_at__isnull=False))
    return recipients.order_by(F("ended_at").asc(nulls_first=True), "pk")


def recipient_of(collection: Collection, token: str) -> Recipient | None:
    recipient = Recipient.objects.filter(collection=collection, token=token).first()
    if recipient is not None:
        recipient.collection = collection
    return recipient


def deliveries_of(collection: Collection) -> QuerySet[Delivery]:
    """The newest first."""
    deliveries = Delivery.objects.filter(recipient__collection=collection).select_related("recipient")
    return deliveries.order_by("-pk")
