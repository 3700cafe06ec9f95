"""The health of a batch as it was computed last: computed again only where something has happened, or after minutes.

A page that asks again by itself sends the mark of what it shows. Two queries tell whether there is
anything new. While people judge there always is: then everybody sees what was computed in the last
seconds, unless somebody took a step.
"""

import time
from dataclasses import dataclass

from django.db.models import Max

from annotation.health.pages.report import HealthReport, health_report
from annotation.health.read.alerts import ShownAlerts, open_batches, shown_alerts
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.results.recipes import BatchChoice, Parameters, Recipe
from annotation.kernel.showing import shown_now
from annotation.models import AuditEvent, Batch, Collection
from annotation.trust.read.results import is_large, result_of

LATELY = 10.0  # seconds for which judgments alone are no reason to compute it again
MINUTES = 300.0  # seconds after which what depends on the clock is computed again
MOST_REPORTS = 8
OLDER = "older-"


@dataclass(frozen=True)
class CachedReport:
    mark: str
    at: float
    report: HealthReport


_reports: dict[str, CachedReport] = {}  # by batch token


def mark_of(batch: Batch) -> str:
    """Changes with every judgment, and with every step in the audit log: gold, exclusions, alerts, costs."""
    n_judgments = Batch.objects.filter(pk=batch.pk).values_list(all_judgments(), flat=True)[0]
    step = AuditEvent.objects.filter(collection=batch.collection_id).aggregate(last=Max("pk"))["last"]
    return f"{step or 0}-{_minutes()}-{n_judgments}"


def _minutes() -> int:
    return int(time.time() // MINUTES)


def cached_report(batch: Batch, mark: str) -> CachedReport:
    """The report that belongs to the mark, or nearly; those of the batches looked at last are kept."""
    now, cached = time.monotonic(), _reports.pop(batch.token, None)
    if is_large(BatchChoice.of_batch(batch)):
        return _kept_for_all(batch, mark)
    if cached is None or not _still_holds(cached, mark, now):
        cached = CachedReport(mark, now, health_report(batch))
    _reports[batch.token] = cached
    while len(_reports) > MOST_REPORTS:
        _reports.pop(next(iter(_reports)), None)
    return cached


def kept_report(batch: Batch) -> tuple[CachedReport | None, bool]:
    """What this process computed last, and whether it still holds."""
    cached = _reports.get(batch.token)
    return cached, cached is not None and _still_holds(cached, mark_of(batch), time.monotonic())


def alerts_now(batch: Batch) -> ShownAlerts:
    """What goes wrong in the batch, as of its last report, with what people said of it."""
    return shown_alerts(batch, cached_report(batch, mark_of(batch)).report.alerts)


def clear_cache() -> None:
    _reports.clear()


def _kept_for_all(batch: Batch, mark: str) -> CachedReport:
    """An older one has another mark, so that the page asks again until it has the newest."""
    report = result_of(HEALTH, BatchChoice.of_batch(batch), {})
    shown = shown_now()
    is_older = shown is not None and shown.as_of is not None
    return CachedReport(f"{OLDER}{mark}" if is_older else mark, time.monotonic(), report)


def _usual(collection: Collection) -> list[tuple[BatchChoice, Parameters]]:
    return [(BatchChoice.of_batch(batch), {}) for batch in open_batches(collection)]


HEALTH: Recipe[HealthReport] = Recipe(
    "health",
    lambda choice, _parameters: health_report(choice.batches[0]),
    mark=lambda _choice, _parameters: _minutes(),  # judgments and steps are of the choice
    usual=_usual,
)


def _still_holds(cached: CachedReport, mark: str, now: float) -> bool:
    if cached.mark == mark:
        return True
    same_steps = cached.mark.split("-")[:2] == mark.split("-")[:2]
    return same_steps and now - cached.at < LATELY
