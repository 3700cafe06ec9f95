"""An experiment over time: the always-valid interval at a series of looks, and where it could have been stopped.

A look at a time knows the units that had come until then. Only always-valid intervals may be read
at all looks; each holds from the stated start on, so that nothing is stopped before.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from evaluation.engine.ab_tests.effects import Effect, Interval, UnitMeasure
from evaluation.engine.ab_tests.moments import Moments, merged

MOST_LOOKS = 1000


@dataclass(frozen=True)
class Look:
    """`end`: until when units count, in seconds since 1970 or in the unit of the log's numbers; `n` units of control
    and treatment. The others are None before the start."""

    end: float
    n: tuple[int, int]
    difference: float | None = None
    interval: Interval | None = None
    always_valid: Interval | None = None


@dataclass(frozen=True)
class Path:
    """A measure of one treatment over time. `stop` is the first look whose always-valid interval excludes 0, None where
    none does; `begin` the first look from the start on."""

    measure: str
    variant: str
    looks: tuple[Look, ...]
    begin: int | None
    stop: int | None


def cumulated(parts: Mapping[float, Mapping[str, Moments]]) -> list[tuple[float, dict[str, Moments]]]:
    """`parts`: moments of the units that came until a time, after the time before. All units until each time, in order.

    Raises `ValueError` for more than 1,000 looks.
    """
    if len(parts) > MOST_LOOKS:
        raise ValueError(f"{len(parts):,} looks, at most {MOST_LOOKS:,} are taken: name a longer time between them")
    steps = [(end, dict(parts[end])) for end in sorted(parts)]
    return list(itertools.accumulate(steps, lambda before, step: (step[0], _together(before[1], step[1]))))


def path_of(
    stages: Sequence[tuple[float, Mapping[str, Moments]]],
    measure: UnitMeasure,
    pair: tuple[str, str],
    look: Callable[[Mapping[str, Moments], UnitMeasure, str], tuple[Effect, Interval] | None],
) -> Path:
    """`stages` from `cumulated`; `pair`: control, treatment; `look` gives the difference and its always-valid interval,
    None before the start."""
    looks = list[Look]()
    for end, groups in stages:
        n = tuple(groups[name].n if name in groups else 0 for name in pair)
        estimate = look(groups, measure, pair[1]) if min(n) > 1 else None
        figures = (estimate[0].difference, estimate[0].interval, estimate[1]) if estimate else ()
        looks.append(Look(end, (n[0], n[1]), *figures))
    begin = next((at for at, one in enumerate(looks) if one.always_valid), None)
    stop = next((at for at, one in enumerate(looks) if one.always_valid and not _includes_0(one.always_valid)), None)
    return Path(measure.name, pair[1], tuple(looks), begin, stop)


def time_of(end: float, *, are_dates: bool) -> str:
    """A date and time (ISO 8601, UTC), a day alone where it is midnight; or a number."""
    if not are_dates:
        return f"{end:.15g}"
    return datetime.fromtimestamp(end, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").removesuffix("T00:00:00Z")


def time_in_words(time: str, *, month: str = "%B") -> str:
    """What `time_of` says, as sentences have it: "12 September 2026", or with ", 13:28 UTC" behind it; a number as it
    is. `month`: how `strftime` writes it."""
    day, _, clock = time.partition("T")
    try:
        when = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return time
    date = f"{when:%-d {month} %Y}"
    return f"{date}, {clock.removesuffix('Z').removesuffix(':00')} UTC" if clock else date


def _includes_0(interval: Interval) -> bool:
    return interval.low <= 0 <= interval.high


def _together(before: Mapping[str, Moments], step: Mapping[str, Moments]) -> dict[str, Moments]:
    names = [*before, *(name for name in step if name not in before)]
    return {name: merged([part[name] for part in (before, step) if name in part]) for name in names}
