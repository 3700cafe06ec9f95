"""A collection that somebody leads, on their start page: what waits there, and the newest snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.home.pages.collection_quality import kept_quality, quality_of, quality_tasks
from annotation.home.pages.overview import MOST_TASKS
from annotation.home.pages.tasks import tasks_of
from annotation.home.read.start_page import OwnCollection
from annotation.kernel.tasks import Task
from annotation.models import AuditEvent, Judgment, Snapshot, User
from annotation.trust.read.snapshots import snapshots_of


@dataclass(frozen=True)
class Led:
    """`is_whole`: no task is old or missing. `further`: tasks beyond those that stand open."""

    own: OwnCollection
    tasks: list[Task]
    further: list[Task]
    snapshot: Snapshot | None
    is_whole: bool


def led_lately(person: User, collections: Sequence[OwnCollection]) -> Led | None:
    """Of those that the person leads the one where something happened last; of the others their own overview tells."""
    browsable = {own.collection.pk: own for own in collections if own.is_browsable}
    if not browsable:
        return None
    first = next(iter(browsable.values()))
    steps = AuditEvent.objects.filter(collection__in=browsable).order_by("-pk")
    latest = steps.values_list("collection", flat=True).first()
    return led(browsable[latest] if latest else first, person)


def led(own: OwnCollection, person: User, *, compute: bool = False) -> Led:
    """Without `compute` some twenty queries, all small."""
    collection, roles = own.collection, frozenset(own.roles)
    slots: list[Task] = []
    is_whole = True
    if Judgment.objects.filter(collection=collection).exists():
        quality, is_whole = (quality_of(collection), True) if compute else kept_quality(collection)
        slots = quality_tasks(quality, collection.slug, roles)
    tasks = tasks_of(collection, roles, person)
    n_shown = MOST_TASKS - len(slots)
    shown = [*tasks[:n_shown], *slots]
    return Led(own, shown, tasks[n_shown:], snapshots_of(collection).first(), is_whole)
