"""What a collection's overview tells: what to do now, the batches under way, what may be believed, the best run.

What costs more than a moment is shown as it was kept, or has its place and comes after the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from annotation.batches.read.batches import cost_of_judgment
from annotation.health.pages.cached import cached_report, kept_report, mark_of
from annotation.health.pages.due import DueStanding, due_standing
from annotation.health.pages.report import HealthReport
from annotation.health.read.alerts import ShownAlerts, in_words, open_batches, shown_alerts
from annotation.health.read.progress import Cost, cost_of
from annotation.home.pages.collection_quality import (
    CollectionQuality,
    figures_of,
    kept_quality,
    quality_of,
    quality_tasks,
)
from annotation.home.pages.tasks import tasks_of
from annotation.home.read.collection import Counts
from annotation.kernel.tasks import Figure, Task
from annotation.models import Batch, Collection, User
from annotation.text.counted import counted

MOST_TASKS, MOST_BATCHES = 5, 6


@dataclass(frozen=True)
class OpenBatch:
    """A batch under way; without `report` and `alerts` as long as nobody has worked them out."""

    batch: Batch
    report: HealthReport | None
    alerts: ShownAlerts | None

    @property
    def is_priced(self) -> bool:
        return cost_of_judgment(self.batch) is not None

    @property
    def due(self) -> DueStanding | None:
        return due_standing(self.batch, self.report) if self.report else None

    @property
    def cost(self) -> Cost | None:
        return cost_of(self.batch, self.report.progress) if self.report else None


@dataclass(frozen=True)
class Overview:
    """`is_whole`: nothing is old or missing. `tasks`: those that stand open; `further`: those beyond."""

    tasks: list[Task]
    further: list[Task]
    batches: list[OpenBatch]
    n_more_batches: int
    figures: list[Figure]
    is_whole: bool


def overview_of(
    collection: Collection, counts: Counts, *, roles: frozenset[str], person: User, compute: bool
) -> Overview:
    """Without `compute` a few dozen queries, all small; with it some thirty more a batch, of `MOST_BATCHES` at most."""
    working = open_batches(collection)
    read = [_batch(batch, compute=compute) for batch in working[:MOST_BATCHES]]
    quality, holds = _quality(collection, counts, compute=compute)
    batches = [batch for batch, _ in read]
    slots = _slots(collection, batches, quality, counts, roles)
    tasks = tasks_of(collection, roles, person)
    n_shown = MOST_TASKS - len(slots)
    return Overview(
        tasks=[*slots, *tasks[:n_shown]],
        further=tasks[n_shown:],
        batches=batches,
        n_more_batches=len(working) - len(batches),
        figures=[*(figures_of(quality, collection.slug) if counts.judgments else []), *_of_the_other_app(collection)],
        is_whole=holds and all(fresh for _, fresh in read),
    )


def alerts_task(batches: Sequence[OpenBatch], slug: str) -> Task:
    """All alerts of the open batches in one line."""
    if any(each.alerts is None for each in batches):
        return Task(f"Looking for alerts in {counted(len(batches), 'batch', 'batches')} …")
    alerts = [alert for each in batches if each.alerts for alert in each.alerts.to_look_at]
    if not alerts:
        return Task(f"No alerts in {counted(len(batches), 'batch', 'batches')} under way.")
    return Task(in_words(alerts), "Look into it", reverse("alerts", args=[slug]))


def _slots(
    collection: Collection,
    batches: list[OpenBatch],
    quality: CollectionQuality | None,
    counts: Counts,
    roles: frozenset[str],
) -> list[Task]:
    """Lines whose places are kept, whatever they will say."""
    slots = [alerts_task(batches, collection.slug)] if batches else []
    if counts.judgments:
        slots += quality_tasks(quality, collection.slug, roles)
    return slots


def _batch(batch: Batch, *, compute: bool) -> tuple[OpenBatch, bool]:
    """With whether it is as of now."""
    kept, holds = (cached_report(batch, mark_of(batch)), True) if compute else kept_report(batch)
    if kept is None:
        return OpenBatch(batch, None, None), False
    return OpenBatch(batch, kept.report, shown_alerts(batch, kept.report.alerts)), holds


def _quality(collection: Collection, counts: Counts, *, compute: bool) -> tuple[CollectionQuality | None, bool]:
    if not counts.judgments:
        return None, True
    return (quality_of(collection), True) if compute else kept_quality(collection)


def _of_the_other_app(collection: Collection) -> list[Figure]:
    asked = (import_string(path)(collection) for path in settings.TOUCHSTONE_FIGURES)
    return [figure for figure in asked if figure]
