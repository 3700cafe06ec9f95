"""Alerts seen and closed; notes."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit, short_texts
from annotation.models import User
from evaluation.models import Series, SeriesAlert, SeriesNote
from evaluation.series.read.series import last_point, open_alert_of
from evaluation.series.steps.making import SeriesError
from evaluation.series.steps.points import settle


def alert_to_see_to(series: Series) -> SeriesAlert:
    """The open one. Raises `SeriesError` where there is none."""
    alert = open_alert_of(series)
    if alert is None:
        raise SeriesError("No alert is open.")
    return alert


@transaction.atomic
def see_alert(alert: SeriesAlert, *, actor: User | None) -> None:
    """Somebody looks into it. Raises `SeriesError` where somebody does already, or it is closed."""
    columns = {"seen_by": actor, "seen_at": timezone.now()}
    if not SeriesAlert.objects.filter(pk=alert.pk, closed_at=None, seen_at=None).update(**columns):
        raise SeriesError("The alert is closed, or somebody looks into it already.")
    _record("series alert seen", alert, actor)


def close_alert(alert: SeriesAlert, *, note: str, anew: bool, actor: User | None) -> SeriesAlert | None:
    """The rule begins anew after the last point. `anew`: what is since the change is usual from now on, and a new
    history is gathered from there. The next alert, where the points so far already give one.

    Raises `SeriesError` where it is closed, or `anew` where the series has ended.
    """
    with transaction.atomic():
        series = Series.objects.select_for_update(no_key=True).get(pk=alert.series_id)
        if anew and series.ended_at:
            raise SeriesError("The series has ended: no new history is gathered.")
        last = last_point(series)
        assert last is not None
        columns = {"closed_at": timezone.now(), "closed_by": actor, "until": last.time, "note": note}
        if not SeriesAlert.objects.filter(pk=alert.pk, closed_at=None).update(**columns):
            raise SeriesError("The alert is closed.")
        if anew:
            series.history_from, series.baseline = alert.since, None
            series.save(update_fields=["history_from", "baseline"])
        _record("series alert closed", alert, actor, anew=anew, **short_texts(note=note))
    return settle(series) if series.ended_at is None else None


@transaction.atomic
def add_note(series: Series, *, time: datetime, text: str, actor: User | None) -> SeriesNote:
    return SeriesNote.objects.create(series=series, time=time, text=text, created_by=actor)


def _record(verb: str, alert: SeriesAlert, actor: User | None, **detail: str | bool) -> None:
    record_audit(verb, actor=actor, collection=alert.series.collection, subject=alert.series.name, **detail)
