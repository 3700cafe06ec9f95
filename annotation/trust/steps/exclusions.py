"""Taking an annotator out of the count, and bringing them back. Judgments are never touched."""

from django.db import transaction

from annotation.judging.read.pauses import current_pause, is_excluded
from annotation.models import Annotator, ExclusionEvent, PauseEvent, User
from annotation.trust.steps.pausing import append_event, append_pause, latest_reason, locked

Action = ExclusionEvent.Action


class ExclusionError(Exception):
    """There is nothing to change; the message says so."""


@transaction.atomic
def exclude_annotator(annotator: Annotator, *, reason: str, actor: User | None, rule: str = "") -> ExclusionEvent:
    """From now on none of the person's judgments count, until they are reinstated, and they get no new cards.

    Snapshots stay as they are. `rule`: the `Rule` that proposed it, or empty for by hand.
    """
    if is_excluded(locked(annotator)):
        raise ExclusionError(f"{annotator} is excluded already.")
    return _append(annotator, Action.EXCLUDE, reason=reason, actor=actor, rule=rule)


@transaction.atomic
def reinstate_annotator(annotator: Annotator, *, reason: str, actor: User | None, rule: str = "") -> ExclusionEvent:
    """The person's judgments count again, as the policy says. By hand, a pause ends with it; by a rule, it stays."""
    if not is_excluded(locked(annotator)):
        raise ExclusionError(f"{annotator} is not excluded.")
    event = _append(annotator, Action.REINSTATE, reason=reason, actor=actor, rule=rule)
    if not rule and current_pause(annotator):
        append_pause(annotator, PauseEvent.Action.RESUME, reason=reason, actor=actor)
    return event


def _append(
    annotator: Annotator, action: ExclusionEvent.Action, *, reason: str, actor: User | None, rule: str
) -> ExclusionEvent:
    ended = latest_reason(annotator.exclusion_events.all()) if action == Action.REINSTATE else ""
    event = ExclusionEvent(
        collection_id=annotator.collection_id,
        annotator=annotator,
        action=action,
        rule=rule,
        reason=reason,
        created_by=actor,
    )
    return append_event(event, ended=ended)
