"""The health of a batch as it was reckoned last: reckoned anew only where something has happened, or after minutes.

A page that looks again by itself sends the mark of what it shows. Two queries tell whether there is anything new. While
people judge there always is: then all who look share what was reckoned in the last seconds, unless somebody did a deed.
"""

import time
from dataclasses import dataclass

from django.db.models import Count, Max

from annotation.health.pages.report import HealthReport, health_report
from annotation.health.read.alerts import ShownAlerts, shown_alerts
from annotation.models import AuditEvent, Batch, Judgment

LATELY = 10.0  # seconds for which judgments alone are no reason to reckon anew
MINUTES = 300.0  # seconds after which what depends on the clock is reckoned anew
MOST_HELD = 8


@dataclass(frozen=True)
class Held:
    mark: str
    at: float
    report: HealthReport


_held: dict[str, Held] = {}  # by batch token


def mark_of(batch: Batch) -> str:
    """Changes with every judgment, and with every deed that is on record: gold, exclusions, steps, alerts, costs."""
    judged = Judgment.objects.filter(batch=batch).aggregate(n=Count("pk"), last=Max("pk"))
    deed = AuditEvent.objects.filter(collection=batch.collection_id).aggregate(last=Max("pk"))["last"]
    return f"{deed or 0}-{int(time.time() // MINUTES)}-{judged['n']}-{judged['last'] or 0}"


def health_lately(batch: Batch, mark: str) -> Held:
    """The report that belongs to the mark, or nearly; the batches looked at last are held."""
    now, held = time.monotonic(), _held.pop(batch.token, None)
    if held is None or not _still_holds(held, mark, now):
        held = Held(mark, now, health_report(batch))
    _held[batch.token] = held
    while len(_held) > MOST_HELD:
        _held.pop(next(iter(_held)), None)
    return held


def alerts_now(batch: Batch) -> ShownAlerts:
    """What goes wrong in the batch, with what people said of it: reckoned lately, or now."""
    return shown_alerts(batch, health_lately(batch, mark_of(batch)).report.alerts)


def look_anew() -> None:
    """Forget what is held."""
    _held.clear()


def _still_holds(held: Held, mark: str, now: float) -> bool:
    if held.mark == mark:
        return True
    same_deeds = held.mark.split("-")[:2] == mark.split("-")[:2]
    return same_deeds and now - held.at < LATELY
