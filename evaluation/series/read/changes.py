"""What else happened in a collection while a series ran: of its record what may move a figure."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime

from annotation.models import AuditEvent, Collection

# The verb of the record, what it is a change of, and how a page says it.
CHANGES: dict[str, tuple[str, str]] = {
    "guideline revised": ("guideline", "guideline revised"),
    "scale revised": ("guideline", "scale revised"),
    "policy stored": ("policy", "policy stored"),
    "rules chosen": ("policy", "rules of pausing chosen"),
    "annotator paused": ("annotators", "annotator paused"),
    "annotator excluded": ("annotators", "annotator excluded"),
    "annotator reinstated": ("annotators", "annotator reinstated"),
    "annotator assigned": ("annotators", "annotator assigned"),
    "annotator unassigned": ("annotators", "annotator taken off a batch"),
    "gold set": ("gold", "gold set"),
    "gold taken": ("gold", "gold taken from qrels"),
    "gold withdrawn": ("gold", "gold withdrawn"),
    "snapshot frozen": ("snapshot", "snapshot frozen"),
    "import published": ("files", "file published"),
}
NAMED = frozenset({"guideline", "policy", "snapshot", "files"})  # whose subjects are said; people's are not
MOST = 2000  # events that are looked at


@dataclass(frozen=True)
class Change:
    """What happened on a day, `n` times; `first` is the first of them, `subjects` what they were about."""

    first: datetime
    kind: str
    words: str
    n: int
    subjects: tuple[str, ...]


@dataclass(frozen=True)
class Changes:
    """In the order of time; `since` is where they begin if there were too many to look at all, else None."""

    each: list[Change]
    since: datetime | None = None


def changes_between(collection: Collection, begin: datetime, end: datetime) -> Changes:
    """Each kind once a day; of more than `MOST` events the newest. One query."""
    events = AuditEvent.objects.filter(
        collection=collection, verb__in=CHANGES, created_at__gte=begin, created_at__lte=end
    ).order_by("-created_at", "-pk")
    newest = list(events.values_list("created_at", "verb", "subject")[: MOST + 1])
    rows = newest[:MOST][::-1]
    return Changes(_by_day(rows), rows[0][0] if len(newest) > MOST else None)


def _by_day(rows: list[tuple[datetime, str, str]]) -> list[Change]:
    first, times = dict[tuple[date, str], datetime](), Counter[tuple[date, str]]()
    subjects = dict[tuple[date, str], dict[str, None]]()
    for created_at, verb, subject in rows:
        key = (created_at.date(), verb)
        first.setdefault(key, created_at)
        times[key] += 1
        subjects.setdefault(key, {})
        if CHANGES[verb][0] in NAMED:
            subjects[key][subject] = None
    return [
        Change(first[key], *CHANGES[key[1]], times[key], tuple(filter(None, subjects[key]))[:3])
        for key in sorted(first, key=first.__getitem__)
    ]
