"""Clearing away what an import that came to nothing has staged. Short transactions: judging goes on meanwhile."""

import logging
from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from annotation.kernel.clearing import Guard, delete_in_portions, no_guard
from annotation.kernel.jobs import LIVE, end_lost_jobs
from annotation.models import (
    Annotator,
    Assignment,
    Batch,
    Document,
    DocumentVersion,
    Import,
    Item,
    Job,
    Judgment,
    Participation,
    Pool,
    PoolPair,
    Topic,
    TopicVersion,
)

logger = logging.getLogger(__name__)

UNDER_WAY = (Import.State.CHECKING, Import.State.STORING)


class _ResumedError(Exception):
    """The import is not as it was when the sweeping began."""


def sweep_imports() -> int:
    """End the imports whose job has ended without them (cancelled, failed, given up); returns how many.

    The state changes last: until the rows are gone no other import of the collection may store.
    """
    end_lost_jobs()
    ended = [(record, state) for record in _under_way() if (state := _end_of(record))]
    return sum(sweep(record, state) for record, state in ended)


def sweep(record: Import, state: Import.State) -> bool:
    """Clear what the import has staged and end it.

    False where somebody has gone on with the import since it was looked at: then it is left alone.
    """
    try:
        clear_rows(record, guard=partial(_lock_unchanged, record))
    except _ResumedError:
        return False
    if not Import.objects.filter(pk=record.pk, state=record.state).update(state=state):
        return False
    logger.info("import %s (%s) swept: %s", record.pk, record.kind, state)
    return True


def _lock_unchanged(record: Import) -> None:
    unchanged = Import.objects.filter(pk=record.pk, state=record.state).select_for_update(no_key=True)
    if unchanged.values_list("pk").first() is None:
        raise _ResumedError


def clear_rows(record: Import, *, guard: Guard = no_guard) -> None:
    """Delete every row that an unpublished import has staged. `guard` is called first in each transaction."""
    for rows in _staged(record):
        delete_in_portions(rows, guard)


def _staged(record: Import) -> list["QuerySet[Any]"]:
    """What refers to others before what it refers to: judgments before items, texts before what they are texts of."""
    mine = Q(brought_by=record, brought_by__published_at__isnull=True)
    pooled = Q(pool__brought_by=record, pool__brought_by__published_at__isnull=True)
    within = Q(batch__brought_by=record, batch__brought_by__published_at__isnull=True)
    return [
        Judgment.objects.filter(within),
        Assignment.objects.filter(within),
        Participation.objects.filter(within),
        Item.objects.filter(within),
        Batch.objects.filter(mine),
        PoolPair.objects.filter(pooled),
        Pool.objects.filter(mine),
        Annotator.objects.filter(mine),
        TopicVersion.objects.filter(mine),
        DocumentVersion.objects.filter(mine),
        Topic.objects.filter(mine),
        Document.objects.filter(mine),
    ]


def _under_way() -> list[Import]:
    return list(Import.objects.filter(state__in=UNDER_WAY).defer("problems", "preview"))


def _end_of(record: Import) -> Import.State | None:
    """How the import ended, if none of its jobs is alive. An import and its job begin in one transaction."""
    jobs = Job.objects.filter(collection_id=record.collection_id, payload__import=record.pk)
    states = list(jobs.order_by("pk").values_list("state", flat=True))
    if any(state in LIVE for state in states):
        return None
    return Import.State.CANCELLED if states[-1:] == [Job.State.CANCELLED] else Import.State.FAILED
