"""Who is paused or excluded, since when and why."""

from dataclasses import dataclass
from datetime import datetime

from annotation.judging.read.pauses import current_exclusions, current_pauses
from annotation.models import Annotator, Collection, ExclusionEvent, PauseEvent

Event = ExclusionEvent | PauseEvent


@dataclass(frozen=True)
class EventRow:
    """A line of the record. `by`: who did it, or which rule."""

    action: str
    by: str
    reason: str
    told: str
    created_at: datetime


@dataclass(frozen=True)
class HeldRow:
    """Somebody who gets no cards: the events that hold now, the exclusion first."""

    pseudonym: str
    is_excluded: bool
    is_paused: bool
    events: list[EventRow]


def held_people(collection: Collection) -> list[HeldRow]:
    """By pseudonym. Three queries."""
    names = Annotator.objects.filter(collection=collection, gets_cards=False).order_by("pseudonym")
    excluded, paused = current_exclusions(collection), current_pauses(collection)
    rows = []
    for pseudonym in names.values_list("pseudonym", flat=True):
        exclusion, pause = excluded.get(pseudonym), paused.get(pseudonym)
        events = [_row(event) for event in (exclusion, pause) if event is not None]
        rows.append(HeldRow(pseudonym, exclusion is not None, pause is not None, events))
    return rows


def history_of(annotator: Annotator) -> list[EventRow]:
    """Everything of both kinds, the latest first."""
    events: list[Event] = [
        *annotator.exclusion_events.select_related("created_by"),
        *annotator.pause_events.select_related("created_by"),
    ]
    return [_row(event) for event in sorted(events, key=lambda event: event.created_at, reverse=True)]


def _row(event: Event) -> EventRow:
    rule = event.get_rule_display()
    who = event.created_by.username if event.created_by else "" if rule else "a command"
    by = " and ".join(part for part in (who, f"the rule “{rule}”" if rule else "") if part)
    message = event.told if isinstance(event, PauseEvent) else ""
    return EventRow(event.get_action_display(), by, event.reason, message, event.created_at)
