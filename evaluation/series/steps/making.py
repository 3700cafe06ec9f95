"""A series begins, and ends."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit
from annotation.models import Collection, User
from evaluation.models import Series
from evaluation.series.read.due import next_due


class SeriesError(Exception):
    """What a series does not take, in words."""


@transaction.atomic
def create_series(collection: Collection, *, created_by: User | None, **entered: Any) -> Series:
    """`entered`: columns as `SeriesForm` checks them. Raises `IntegrityError` for a name that was just taken."""
    series = Series(collection=collection, created_by=created_by, **entered)
    if series.schedule:
        series.next_due = next_due(series.schedule, series.hour, series.zone, timezone.now())
    series.save()
    detail = {"kind": series.kind, "rule": series.rule, "schedule": series.schedule or "by hand"}
    record_audit("series begun", actor=created_by, collection=collection, subject=series.name, **detail)
    return series


@transaction.atomic
def end_series(series: Series, *, actor: User | None) -> None:
    """No point comes any more; what there is stays. Raises `SeriesError` where it has ended."""
    ending = Series.objects.filter(pk=series.pk, ended_at=None)
    if not ending.update(ended_at=timezone.now(), next_due=None):
        raise SeriesError("It has ended before.")
    series.refresh_from_db()
    record_audit("series ended", actor=actor, collection=series.collection, subject=series.name)
