"""Another name, rule or schedule of a series."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.kernel.audit import record_audit, short_texts
from annotation.models import User
from evaluation.models import Series, SeriesAlert, SeriesNote
from evaluation.series.read.due import next_due
from evaluation.series.steps.making import SeriesError
from evaluation.series.steps.points import RULE_COLUMNS, locked, settle

SCHEDULE_COLUMNS = frozenset({"schedule", "hour", "zone"})


def edit_series(series: Series, *, actor: User | None, **entered: Any) -> bool:
    """`entered`: columns as `SeriesEditForm` checks them; whether any is another one. With another rule what is usual
    is found anew, from the same history, and the new rule looks at all points since.

    Raises `SeriesError` for a series that has ended, and for another rule while an alert is open; `IntegrityError` for
    a name that was just taken.
    """
    with transaction.atomic():
        row = locked(series)
        changed = {name: value for name, value in entered.items() if getattr(row, name) != value}
        if not changed:
            return False
        is_another_rule = bool(changed.keys() & RULE_COLUMNS)
        if is_another_rule and SeriesAlert.objects.filter(series=row, closed_at=None).exists():
            raise SeriesError("An alert is open, by the rule as it is: close it first.")
        before = {name: getattr(row, name) for name in changed}
        for name, value in changed.items():
            setattr(row, name, value)
        if is_another_rule:
            row.baseline = None
        if changed.keys() & SCHEDULE_COLUMNS:
            row.next_due = next_due(row.schedule, row.hour, row.zone, timezone.now()) if row.schedule else None
        row.save(update_fields=[*changed, "baseline", "next_due"])
        changes = {name: f"{name}: {_in_words(before[name])} → {_in_words(value)}" for name, value in changed.items()}
        words = short_texts(what="; ".join(changes.values()))
        record_audit("series edited", actor=actor, collection=row.collection, subject=row.name, **words)
        if is_another_rule:
            rule = "; ".join(each for name, each in changes.items() if name in RULE_COLUMNS)
            SeriesNote.objects.create(series=row, time=timezone.now(), text=f"Another rule. {rule}.", created_by=actor)
    series.refresh_from_db()
    settle(series)
    series.refresh_from_db()
    return True


def _in_words(value: object) -> str:
    return "none" if value in (None, "") else str(value)
