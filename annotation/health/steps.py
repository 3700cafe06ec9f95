"""Alerts: setting one aside with a note, showing it again, choosing thresholds; what a judgment
costs, and the day by which a batch is due."""

from datetime import date
from decimal import Decimal

from django.db import transaction

from annotation.batches.steps.batches import BatchError
from annotation.kernel.audit import record_audit
from annotation.models import AlertEvent, Batch, Collection, User
from annotation.quality.alerts import Alert, AlertSettings


@transaction.atomic
def set_aside(batch: Batch, alert: Alert, *, note: str, actor: User) -> AlertEvent:
    """Shown no more among what is to be looked at, until it has become worse than it is now."""
    return _record(batch, alert, AlertEvent.Action.SET_ASIDE, "alert set aside", note=note, actor=actor)


@transaction.atomic
def show_again(batch: Batch, alert: Alert, *, note: str, actor: User) -> AlertEvent:
    return _record(batch, alert, AlertEvent.Action.SHOW, "alert shown again", note=note, actor=actor)


@transaction.atomic
def choose_alerts(
    collection: Collection, settings: AlertSettings, *, cost: Decimal | None, currency: str, actor: User
) -> None:
    """Thresholds of the collection's alerts, and what a judgment costs where its batch does not say."""
    alerts = dict(settings.values)
    values: dict[str, object] = {"alerts": alerts, "cost_per_judgment": cost, "currency": currency}
    if all(getattr(collection, name) == value for name, value in values.items()):
        return
    for name, value in values.items():
        setattr(collection, name, value)
    collection.save(update_fields=list(values))
    detail: dict[str, str | float] = {**alerts, "cost_per_judgment": _text(cost), "currency": currency}
    record_audit("alerts chosen", actor=actor, collection=collection, subject=collection.slug, **detail)


@transaction.atomic
def state_cost(batch: Batch, *, cost: Decimal | None, actor: User) -> None:
    """What a judgment of this batch costs; None: what the collection says. Of any batch, also a closed one."""
    if batch.cost_per_judgment == cost:
        return
    batch.cost_per_judgment = cost
    batch.save(update_fields=["cost_per_judgment"])
    record_audit("cost stated", actor=actor, collection=batch.collection, subject=batch.name, cost=_text(cost))


@transaction.atomic
def set_due(batch: Batch, *, due: date | None, actor: User) -> None:
    """The day by which all judgments are wanted; None: no day. Raises `BatchError` for a closed batch."""
    if batch.state == Batch.State.CLOSED:
        raise BatchError("A closed batch is due on no day: reopen it first.")
    if batch.due == due:
        return
    batch.due = due
    batch.save(update_fields=["due"])
    day = due.isoformat() if due else ""
    record_audit("due date set", actor=actor, collection=batch.collection, subject=batch.name, due=day)


def _record(batch: Batch, alert: Alert, action: AlertEvent.Action, verb: str, *, note: str, actor: User) -> AlertEvent:
    event = AlertEvent.objects.create(
        batch=batch,
        rule=alert.rule,
        about=alert.about,
        action=action,
        level=alert.level,
        note=note,
        created_by=actor,
    )
    detail = {"rule": alert.rule, "about": alert.about, "note": note}
    record_audit(verb, actor=actor, collection=batch.collection, subject=batch.name, **detail)
    return event


def _text(cost: Decimal | None) -> str:
    return "" if cost is None else str(cost)
