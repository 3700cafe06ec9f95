"""What waits is counted by the worker where a page would wait for it: contested pairs, suspects,
alerts, finished batches.

Anew after each step of the audit log; for judgments alone after a while; for the clock alone, now
and then. Of large collections in a child process, with which the memory for reading all judgments
ends.
"""

import time
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from annotation.batches.read.finished import finished_batches
from annotation.health.pages.cached import alerts_now
from annotation.health.read.alerts import open_batches
from annotation.home.steps.notifying import tell_alerts, tell_finished
from annotation.kernel.jobs import do_apart
from annotation.kernel.judgment_counts import all_judgments
from annotation.kernel.visible import CLOSING, STAGED
from annotation.models import AuditEvent, Batch, Collection, WaitingCount
from annotation.review.read.adjudication import ContestedOptions, contested_of, waiting_pairs
from annotation.review.read.suspects import suspects_of
from annotation.trust.read.policies import default_policy, parameters_of
from annotation.trust.read.results import LARGE
from annotation.trust.read.withheld import judged_batches

LATELY = 60.0  # seconds for which judgments alone are no reason to count anew,
TIMES = 30  # or so many times as long as it took
CLOCK = 900.0  # seconds after which open batches are looked at though nobody did anything


def sweep_waiting() -> int:
    """Count where something has happened since; in how many collections. For the worker, now and then."""
    whole = Collection.objects.filter(scale__isnull=False, guideline__isnull=False)
    collections = whole.exclude(slug__startswith=STAGED).exclude(slug__startswith=CLOSING)
    return sum(_counted(each) for each in collections.order_by("pk"))


def count_waiting(collection: Collection, mark: str = "") -> WaitingCount:
    """Count now, and tell people of what is new."""
    began = time.monotonic()
    alerts = [(batch, alert) for batch in open_batches(collection) for alert in alerts_now(batch).to_look_at]
    finished = finished_batches(collection)
    counts = {
        "contested": _n_contested(collection),
        "suspects": len(suspects_of(collection).ranked),
        "alerts": len(alerts),
        "finished": len(finished),
    }
    facts = {"mark": mark, "took": time.monotonic() - began, "counted_at": timezone.now()}
    with transaction.atomic():
        tell_alerts(collection, alerts)
        tell_finished(collection, finished)
        return WaitingCount.objects.update_or_create(collection=collection, defaults={**counts, **facts})[0]


def _counted(collection: Collection) -> bool:
    kept, n_judgments = WaitingCount.objects.filter(collection=collection).first(), _n_judgments(collection)
    mark = _mark_of(collection, n_judgments)
    if kept is not None and _holds(kept, mark):
        return False
    if n_judgments < LARGE:
        count_waiting(collection, mark)
    else:
        do_apart(partial(count_waiting, collection, mark), "counting what waits")
    return True


def _holds(kept: WaitingCount, mark: str) -> bool:
    if kept.mark == mark:
        return True
    same_step = kept.mark.split("-")[:2] == mark.split("-")[:2]
    return same_step and timezone.now() - kept.counted_at < timedelta(seconds=max(LATELY, TIMES * kept.took))


def _n_judgments(collection: Collection) -> int:
    return sum(Batch.objects.filter(collection=collection).values_list(all_judgments(), flat=True))


def _mark_of(collection: Collection, n_judgments: int) -> str:
    """Changes with every step of the audit log and every judgment, and by the clock where a batch is open."""
    step = AuditEvent.objects.filter(collection=collection).order_by("-pk").values_list("pk", flat=True).first()
    clock = int(time.time() // CLOCK) if open_batches(collection) else 0
    return f"{step or 0}-{clock}-{n_judgments}"


def _n_contested(collection: Collection) -> int:
    """As the page of contested pairs begins; none where batches of different scales cannot be read together."""
    options = ContestedOptions(parameters_of(default_policy(collection)))
    try:
        contested = contested_of(collection, judged_batches(collection), options)
    except ValueError:
        return 0
    return len(waiting_pairs(collection, contested))
