"""When a schedule is due: by the clock of its time zone, whatever summer time does to it."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

LATE = 4  # a moment is missed once a quarter of its period has passed


def next_due(schedule: str, hour: int, zone: str, after: datetime) -> datetime:
    """The first moment after `after`, in UTC: each full hour; each day, Monday or 1st of the month at `hour` o'clock.

    An hour that summer time leaves out is the one after it; of one that comes twice it is the first.
    """
    if schedule == "hourly":
        return after.astimezone(UTC).replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    there = ZoneInfo(zone)
    day = after.astimezone(there).replace(hour=hour, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    while not (_IS_DAY[schedule](day) and day.replace(tzinfo=there).astimezone(UTC) > after):
        day += timedelta(days=1)
    return day.replace(tzinfo=there).astimezone(UTC)


def due_until(schedule: str, hour: int, zone: str, first: datetime, now: datetime) -> tuple[list[datetime], datetime]:
    """The moments from `first`, which is one of them, up to `now`, and the one after them."""
    moments, due = list[datetime](), first
    while due <= now:
        moments.append(due)
        due = next_due(schedule, hour, zone, due)
    return moments, due


def is_late(due: datetime, following: datetime, now: datetime) -> bool:
    """Whether a measurement now would no longer be one of the moment `due`."""
    return now - due > (following - due) / LATE


_IS_DAY: Mapping[str, Callable[[datetime], bool]] = {
    "daily": lambda _: True,
    "weekly": lambda day: day.weekday() == 0,
    "monthly": lambda day: day.day == 1,
}
