"""When the work will be done, told from the paces it lately had."""

from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Floats, Ints

HOUR, DAY = 3600, 86400
SPAN = 14  # how many days, or hours, are looked back on
RUN = 3  # how many in a row make a pace
LEAST = 10  # judgments, before there is a pace


@dataclass(frozen=True)
class Forecast:
    """Seconds from now until the last judgment, at the fastest and at the slowest of the recent paces, and at their
    mean; or a `reason` why there is none. `latest` is None where the slowest pace is a standstill."""

    reason: str
    unit: str = "day"
    pace: float = 0.0  # judgments a unit
    earliest: float | None = None
    middle: float | None = None
    latest: float | None = None


def forecast(saved: Ints | Floats, now: float, n_left: int) -> Forecast:
    """`saved`: moments of the first judgments, in seconds; `n_left`: judgments still wanted.

    The last fourteen days, cut back from now, nights and idle days included; the paces are those of every three days in
    a row, and the mean. Where the work is younger than three days, hours stand for days. What lies before the first
    judgment does not count.
    """
    if not n_left:
        return Forecast("Everything that was wanted is judged.")
    if len(saved) < LEAST:
        return Forecast(f"Fewer than {LEAST} judgments are in: no pace yet.")
    age = now - float(np.min(saved))
    unit, seconds = ("day", DAY) if age >= RUN * DAY else ("hour", HOUR)
    n_units = min(SPAN, int(age // seconds))
    if n_units < RUN:
        return Forecast("Judging began less than three hours ago: too early to say.")
    ago = ((now - np.asarray(saved, dtype=np.float64)) // seconds).astype(np.int64)
    counts = np.bincount(ago[(ago >= 0) & (ago < n_units)], minlength=n_units)
    paces = np.convolve(counts, np.ones(RUN), "valid") / RUN
    if not counts.any():
        return Forecast(f"Nobody has judged in the last {n_units} {unit}s.")
    mean = float(counts.mean())
    fastest, slowest = max(mean, float(paces.max())), min(mean, float(paces.min()))
    latest = n_left / slowest * seconds if slowest else None
    return Forecast("", unit, mean, n_left / fastest * seconds, n_left / mean * seconds, latest)
