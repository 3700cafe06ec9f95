"""When the work will be done, told from the paces it lately had."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from annotation.quality.arrays import Floats, Ints

HOUR, DAY = 3600, 86400
SPAN = 14  # how many days, or hours, are looked back on
RUN = 3  # how many in a row make a pace
ENOUGH = 5  # days, or hours, before their paces make a range
LEAST = 10  # judgments, before there is a pace


@dataclass(frozen=True)
class Forecast:
    """Seconds from now until the last judgment, at the fastest and at the slowest of the recent paces, and at their
    mean; or a `reason` why there is none. `no_range` says why there is the mean alone; else `latest` is None where the
    slowest pace is a standstill."""

    reason: str
    unit: str = "day"
    pace: float = 0.0  # judgments a unit
    earliest: float | None = None
    middle: float | None = None
    latest: float | None = None
    no_range: str = ""


def forecast(saved: Ints | Floats, now: float, n_left: int, *, quiet: float = RUN * DAY) -> Forecast:
    """`saved`: moments of the first judgments, in seconds; `n_left`: judgments still wanted; `quiet`: after so many
    seconds without a judgment, three days at most, the work stands still and there is no end to tell.

    The last fourteen days, cut back from now, nights and idle days included; the paces are those of every three days in
    a row, and the mean. Where the work is younger than three days, hours stand for days. It begins with the first
    judgment: a first day that is not whole counts by the part it has.
    """
    if not n_left:
        return Forecast("Everything that was wanted is judged.")
    if len(saved) < LEAST:
        return Forecast(f"Fewer than {LEAST} judgments are in: no pace yet.")
    age, silence = now - float(np.min(saved)), now - float(np.max(saved))
    unit, seconds = ("day", DAY) if age >= RUN * DAY else ("hour", HOUR)
    if age < RUN * seconds:
        return Forecast("Judging began less than three hours ago: too early to say.")
    if silence >= min(quiet, RUN * DAY, SPAN * seconds):
        since = datetime.fromtimestamp(now - silence, tz=UTC)
        return Forecast(f"Nobody has judged since {since.day} {since:%b, %H:%M} UTC: no pace to go by.")
    ago = (now - np.asarray(saved, dtype=np.float64)) / seconds
    return _told(ago, unit, seconds, n_left)


def _told(ago: Floats, unit: str, seconds: int, n_left: int) -> Forecast:
    """`ago`: how many units ago each judgment was saved."""
    age = float(ago.max())
    n_units = min(SPAN, int(np.ceil(age)))
    place = np.maximum(np.ceil(ago).astype(np.int64) - 1, 0)
    counts = np.bincount(place[place < n_units], minlength=n_units)
    length = np.minimum(age - np.arange(n_units), 1.0)  # the first one may be a part
    mean = float(counts.sum() / length.sum())
    middle = n_left / mean * seconds
    if age < ENOUGH:
        return Forecast(
            "", unit, mean, middle=middle, no_range=f"no range yet: judging began less than five {unit}s ago"
        )
    paces = np.convolve(counts, np.ones(RUN), "valid") / np.convolve(length, np.ones(RUN), "valid")
    fastest, slowest = max(mean, float(paces.max())), min(mean, float(paces.min()))
    latest = n_left / slowest * seconds if slowest else None
    return Forecast("", unit, mean, n_left / fastest * seconds, middle, latest)
