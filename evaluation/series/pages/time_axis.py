"""An axis of time: places, and ticks at round moments."""

from datetime import UTC, datetime, timedelta

from annotation.kernel.plots.axis import Axis, Tick, px

HOUR, DAY = 3600.0, 86400.0
STEPS = (HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY, 182 * DAY, 365 * DAY)
WANTED, ROOM = 7, 0.02  # ticks at most; free at both ends, as a share


def time_axis(begin: datetime, end: datetime, *, start: float, stop: float) -> Axis:
    first, last = begin.timestamp(), end.timestamp()
    room = (last - first) * ROOM or HOUR
    return Axis(first - room, last + room, start, stop)


def time_ticks(axis: Axis) -> list[Tick]:
    step = next((step for step in STEPS if (axis.high - axis.low) / step <= WANTED), STEPS[-1])
    moment = datetime.fromtimestamp(axis.low - axis.low % step + step, UTC)
    ticks = []
    while moment.timestamp() <= axis.high:
        ticks.append(Tick(px(axis.at(moment.timestamp())), _written(moment, step)))
        moment += timedelta(seconds=step)
    return ticks


def _written(moment: datetime, step: float) -> str:
    if step < DAY:
        return f"{moment:%-d %b %H:%M}"
    return f"{moment:%b %Y}" if step >= 91 * DAY else f"{moment:%-d %b}"
