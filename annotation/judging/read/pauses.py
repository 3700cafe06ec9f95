"""Who is excluded and who is paused now: the last event of each person says so."""

from annotation.models import Annotator, Collection, ExclusionEvent, PauseEvent


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


def is_excluded(annotator: Annotator) -> bool:
    last = ExclusionEvent.objects.filter(annotator=annotator).order_by("-pk").first()
    return last is not None and last.action == ExclusionEvent.Action.EXCLUDE


def current_pause(annotator: Annotator) -> PauseEvent | None:
    """The event that pauses the person now, if any."""
    last = PauseEvent.objects.filter(annotator=annotator).order_by("-pk").first()
    return last if last is not None and last.action == PauseEvent.Action.PAUSE else None


def excluded_people(collection: Collection) -> dict[int, str]:
    """Pseudonyms by annotator id."""
    return {event.annotator_id: name for name, event in current_exclusions(collection).items()}
