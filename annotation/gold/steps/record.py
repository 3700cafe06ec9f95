"""What the audit log says of a change of gold: before and after, why, and whom it touched."""

from annotation.gold.read.change import pair_in_words
from annotation.kernel.audit import record_audit, said
from annotation.models import GoldEvent

WITHDRAW = GoldEvent.Action.WITHDRAW


def record_gold(event: GoldEvent, **touched: str | int) -> None:
    """Within the transaction of the change."""
    is_gone = event.action == WITHDRAW
    after = {} if is_gone else {"grade": event.grade, "accepted": _listed(event)}
    before = _before(event)
    record_audit(
        "gold withdrawn" if is_gone else "gold set",
        actor=event.created_by,
        collection=event.collection,
        subject=pair_in_words(event.topic, event.document),
        **after,
        before=gold_in_words(before) if before else "no gold",
        **said(reason=event.reason, explanation=event.explanation),
        **touched,
    )


def gold_in_words(event: GoldEvent) -> str:
    """The grade with all that are accepted."""
    return "withdrawn" if event.action == WITHDRAW else f"{event.grade} (accepted: {_listed(event)})"


def _before(event: GoldEvent) -> GoldEvent | None:
    events = GoldEvent.objects.filter(
        collection=event.collection_id, topic=event.topic_id, document=event.document_id, criterion=event.criterion
    )
    return events.filter(pk__lt=event.pk).order_by("-pk").first()


def _listed(event: GoldEvent) -> str:
    return ", ".join(str(grade) for grade in event.accepted)
