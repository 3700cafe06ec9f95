"""Moments as other tools write them."""

import re
from datetime import UTC, datetime, timedelta, timezone

EARLIEST, LATEST = 1970, 2200  # years

_UNIX = re.compile(r"[0-9]{9,10}(\.[0-9]+)?\Z", re.ASCII)
_UNIX_MS = re.compile(r"[0-9]{12,13}\Z", re.ASCII)
_MTURK = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([0-9]{1,2}) ([0-9:]{8}) ([A-Z]{3}) ([0-9]{4})\Z", re.ASCII)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ZONES = {"PDT": -7, "PST": -8, "UTC": 0, "GMT": 0}
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
