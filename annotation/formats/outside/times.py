"""Moments and durations as other tools write them."""

import re
from datetime import UTC, datetime, timedelta, timezone

from annotation.formats.fields import shown

EARLIEST, LATEST = 1970, 2200  # years
LONGEST = 366 * 24 * 3600 * 1000  # milliseconds

_UNIX = re.compile(r"[0-9]{9,10}(\.[0-9]+)?\Z", re.ASCII)
_UNIX_MS = re.compile(r"[0-9]{12,13}\Z", re.ASCII)
_MTURK = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([0-9]{1,2}) ([0-9:]{8}) ([A-Z]{3}) ([0-9]{4})\Z", re.ASCII)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ZONES = {"PDT": -7, "PST": -8, "UTC": 0, "GMT": 0}
_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,15})?\Z", re.ASCII)
_NAMED_UTC = re.compile(r" (UTC|GMT)\Z")


def moment(text: str) -> datetime | None:
    """ISO 8601 (date and time with a blank or T), Unix seconds or milliseconds, or as Mechanical Turk writes it.

    Without a time zone where the text has none; None where it is no such moment, or not between 1970 and 2200.
    """
    try:
        time = _moment(text)
        if not EARLIEST <= time.year < LATEST:
            return None
        return time.astimezone(UTC) if time.tzinfo else time
    except (ValueError, OverflowError, OSError):
        return None


def _moment(text: str) -> datetime:
    if _UNIX.match(text):
        return datetime.fromtimestamp(float(text), UTC)
    if _UNIX_MS.match(text):
        return datetime.fromtimestamp(int(text) / 1000, UTC)
    if match := _MTURK.match(text):
        month, day, clock, zone, year = match.groups()
        date = f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{clock}"
        if zone not in _ZONES:
            raise ValueError(zone)
        return datetime.fromisoformat(date).replace(tzinfo=timezone(timedelta(hours=_ZONES[zone])))
    return datetime.fromisoformat(_NAMED_UTC.sub("+00:00", text))


def milliseconds(text: str, unit: int) -> int | None:
    """An amount of time in milliseconds, `unit` of which are one of it; None of an empty text. Else `ValueError`."""
    if not text:
        return None
    if not _AMOUNT.match(text) or float(text) * unit > LONGEST:
        raise ValueError(f"the duration {shown(text)} is not a number of {'seconds' if unit > 1 else 'milliseconds'}")
    return round(float(text) * unit)


def between(started: datetime | None, ended: datetime | None) -> int | None:
    """Milliseconds from start to end, where both are known. Raises `ValueError` for an end before the start."""
    if started is None or ended is None:
        return None
    passed = (ended - started) // timedelta(milliseconds=1)
    if not 0 <= passed <= LONGEST:
        raise ValueError(f"it ends at {ended:%Y-%m-%d %H:%M:%S} and starts at {started:%Y-%m-%d %H:%M:%S}")
    return passed
