"""Who is excluded and who is paused now: the last event of each person says so."""

from annotation.models import Collection, ExclusionEvent, PauseEvent


def current_exclusions(collection: Collection) -> dict[str, ExclusionEvent]:
    """By pseudonym, the events that exclude."""
    events = ExclusionEvent.objects.filter(collection=collection).select_related("annotator", "created_by")
    last = {event.annotator.pseudonym: event for event in events.order_by("pk")}
    return {name: event for name, event in last.items() if event.action == ExclusionEvent.Action.EXCLUDE}


def current_pauses(collection: Collection) -> dict[str, PauseEvent]:
    """By pseudonym, the events that pause; somebody excluded may be paused as well."""
    events = PauseEvent.objects.filter(collection=collection).select_related("annotator", "created_by")
    last = {event.annotator.pseudonym: event for event in events.order_by("pk")}
    return {name: event for name, event in last.items() if event.action == PauseEvent.Action.PAUSE}


def excluded_people(collection: Collection) -> dict[int, str]:
    """Pseudonyms by annotator id."""
    return {event.annotator_id: name for name, event in current_exclusions(collection).items()}
