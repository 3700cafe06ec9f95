"""The audit log of a collection."""

from django.db.models import QuerySet

from annotation.models import AuditEvent, Collection


def audit_events(collection: Collection, *, verb: str = "") -> QuerySet[AuditEvent]:
    """The newest first; only those of `verb`, if one is given."""
    events = AuditEvent.objects.filter(collection=collection).select_related("actor").order_by("-pk")
    return events.filter(verb=verb) if verb else events


def audit_verbs(collection: Collection) -> list[str]:
    """The verbs that occur, in alphabetical order."""
    events = AuditEvent.objects.filter(collection=collection)
    return list(events.order_by("verb").values_list("verb", flat=True).distinct())
