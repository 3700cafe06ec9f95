"""Handing a person no new cards for a while, and going on. What they hold they may still hand in; nothing is deleted.

`Annotator.gets_cards` is what a claim reads. It follows from the events and is kept here alone.
"""

from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet

from annotation.judging.read.pauses import current_pause, is_excluded
from annotation.kernel.audit import record_audit, short_texts
from annotation.models import Annotator, ExclusionEvent, PauseEvent, User

Action = PauseEvent.Action
Event = TypeVar("Event", PauseEvent, ExclusionEvent)

_VERBS: dict[str, str] = {
    Action.PAUSE: "paused",
    Action.RESUME: "resumed",
    ExclusionEvent.Action.EXCLUDE: "excluded",
    ExclusionEvent.Action.REINSTATE: "reinstated",
}


class PauseError(Exception):
    """There is nothing to change; the message says so."""


@transaction.atomic
def pause_annotator(
    annotator: Annotator, *, reason: str, actor: User | None, told: str = "", rule: str = ""
) -> PauseEvent:
    """From now on the person gets no new card in any batch of the collection; their judgments count as before.

    `told`: what they read instead of a card, besides the collection's own note. `rule`: a `Rule`, or empty for by hand.
    """
    if current_pause(locked(annotator)):
        raise PauseError(f"{annotator} is paused already.")
    return append_pause(annotator, Action.PAUSE, reason=reason, actor=actor, told=told, rule=rule)


@transaction.atomic
def keep_paused(annotator: Annotator, *, reason: str, actor: User | None) -> PauseEvent:
    """A pause by a rule becomes one by hand, which no rule ends. What the person reads stays as it is."""
    pause = current_pause(locked(annotator))
    if pause is None:
        raise PauseError(f"{annotator} is not paused.")
    return append_pause(annotator, Action.PAUSE, reason=reason, actor=actor, told=pause.told)


@transaction.atomic
def resume_annotator(annotator: Annotator, *, reason: str, actor: User | None, rule: str = "") -> PauseEvent:
    """The person gets cards again, unless they are excluded. A rule that paused them does so no more where this is by
    hand: somebody has looked. `rule`: the one that has no reason left, or a correction of gold.
    """
    if not current_pause(locked(annotator)):
        raise PauseError(f"{annotator} is not paused.")
    return append_pause(annotator, Action.RESUME, reason=reason, actor=actor, rule=rule)


def locked(annotator: Annotator) -> Annotator:
    """The person, locked until the transaction ends. Judging goes on meanwhile."""
    return Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def append_pause(
    annotator: Annotator, action: PauseEvent.Action, *, reason: str, actor: User | None, told: str = "", rule: str = ""
) -> PauseEvent:
    """Within a transaction that has locked the person."""
    ended = latest_reason(annotator.pause_events.all()) if action == Action.RESUME else ""
    event = PauseEvent(
        collection_id=annotator.collection_id,
        annotator=annotator,
        action=action,
        reason=reason,
        told=told,
        rule=rule,
        created_by=actor,
    )
    return append_event(event, told=told, ended=ended)


def append_event(event: Event, *, ended: str, told: str = "") -> Event:
    """Stored, with a line of the audit log: why, by which rule, the reason of what has ended with it, and whether the
    person gets new cards then. Within a transaction that has locked the person."""
    annotator = event.annotator
    event.save()
    hold_or_go_on(annotator)
    record_audit(
        f"annotator {_VERBS[event.action]}",
        actor=event.created_by,
        collection=annotator.collection,
        subject=annotator.pseudonym,
        new_cards="yes" if annotator.gets_cards else "no",
        **short_texts(reason=event.reason, rule=event.rule, told=told, ended=ended),
    )
    return event


def hold_or_go_on(annotator: Annotator) -> None:
    """Bring the flag up to the events. Within a transaction that has locked the person."""
    annotator.gets_cards = not (current_pause(annotator) or is_excluded(annotator))
    annotator.save(update_fields=["gets_cards"])


def latest_reason(events: QuerySet[PauseEvent] | QuerySet[ExclusionEvent]) -> str:
    """What is about to end rests on it."""
    return events.order_by("-pk").values_list("reason", flat=True).first() or ""
