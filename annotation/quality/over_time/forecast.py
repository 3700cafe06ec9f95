"""When the work will be done, by its recent paces."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from annotation.quality.annotators.means import student_quantile
from annotation.quality.arrays import Floats, Ints

HOUR, DAY = 3600, 86400
SPAN = 14  # how many days, or hours, are looked back on
RUN = 3  # how many in a row make a pace
ENOUGH = 10  # days, or hours, before their paces make a range: of fewer, too many look steadier than they are
LEAST = 10  # judgments, before there is a pace


@dataclass(frozen=True)
class Forecast:
    """Seconds from now until the last judgment at the mean of the recent paces, and the range in which it lies 95 times
    of 100; or a `reason` why there is none. `no_range` says why there is the mean alone; else `latest` is None where
    the paces leave a standstill open."""

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

    The last fourteen days, cut back from now, nights and idle days included. The range is a prediction interval of
    Student's t for days that vary as these did, the mean being known from these alone; widened where need be to the
    fastest and the slowest three days in a row, which it would miss where one day is like the next. Where the work is
    younger than three days, hours stand for days. It begins with the first judgment: a first day that is not whole
    counts by the part it has.
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
        return Forecast(f"Nobody has judged since {since:%-d %b, %H:%M} UTC: no pace to go by.")
    ago = (now - np.asarray(saved, dtype=np.float64)) / seconds
    return _forecast_of(ago, unit, seconds, n_left)


def _forecast_of(ago: Floats, unit: str, seconds: int, n_left: int) -> Forecast:
    """`ago`: how many units ago each judgment was saved."""
    age = float(ago.max())
    n_units = min(SPAN, int(np.ceil(age)))
    period = np.maximum(np.ceil(ago).astype(np.int64) - 1, 0)
    counts = np.bincount(period[period < n_units], minlength=n_units)
    length = np.minimum(age - np.arange(n_units), 1.0)  # the first one may be a part
    mean = float(counts.sum() / length.sum())
    middle = n_left / mean * seconds
    if age < ENOUGH:
        return Forecast(
            "", unit, mean, middle=middle, no_range=f"no range yet: judging began less than ten {unit}s ago"
        )
    earliest, latest = _predicted(counts[length == 1], mean, n_left)
    fastest, slowest = _at_runs(counts, length, n_left)
    earliest, latest = min(earliest, fastest, n_left / mean), max(latest, slowest)
    return Forecast("", unit, mean, earliest * seconds, middle, latest * seconds if np.isfinite(latest) else None)


def _at_runs(counts: Ints, length: Floats, n_left: int) -> tuple[float, float]:
    """Units until the end at the fastest and the slowest three in a row; those that stood still have no pace."""
    paces = np.convolve(counts, np.ones(RUN), "valid") / np.convolve(length, np.ones(RUN), "valid")
    return n_left / float(paces.max()), n_left / float(paces[paces > 0].min())


def _predicted(counts: Ints, mean: float, n_left: int) -> tuple[float, float]:
    """The ends of the interval of T, the units until n_left are judged: |n_left − T m| ≤ t s √(T + T²/n). What T units
    to come bring has the variance T s², and T times the mean of n units T² s²/n. Squared, it is a T² − b T + c ≤ 0."""
    n = len(counts)
    spread = float(student_quantile(np.array([n - 1]))[0] * counts.std(ddof=1)) ** 2  # (t s)²
    a, b, c = mean**2 - spread / n, 2 * n_left * mean + spread, n_left**2
    root = float(np.sqrt(max(b**2 - 4 * a * c, 0.0)))
    return 2 * c / (b + root), (b + root) / (2 * a) if a > 0 else np.inf
