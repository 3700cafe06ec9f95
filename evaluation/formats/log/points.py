"""Points of a series with their times, values and intervals, from logs of any form."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.outside.times import moment
from annotation.formats.problems import Problems
from evaluation.formats.log.columns import Column
from evaluation.formats.log.reading import open_log
from evaluation.formats.log.series import MAY_LACK, TIME, VALUE

LOW = Meaning("low", ("low", "lower", "ci_low"), needed=False)
HIGH = Meaning("high", ("high", "upper", "ci_high"), needed=False)
POINT_MEANINGS = (TIME, VALUE, LOW, HIGH)


@dataclass(frozen=True)
class PointRow:
    line: int
    time: datetime
    value: float
    low: float | None
    high: float | None

    @property
    def is_inside(self) -> bool:
        """Whether the value lies in its interval, as far as that is known."""
        low, high = (self.value if end is None else end for end in (self.low, self.high))
        return low <= self.value <= high


def read_points(path: Path, problems: Problems, chosen: dict[str, str] | None = None) -> list[PointRow]:
    """Times are dates and times (ISO 8601; without a zone UTC). A row without a value is left out: a missed point is
    none. `chosen`: columns by meaning. Raises `FormatError` for what is malformed, `OSError` as `open` does."""
    log = open_log(path, problems)
    column = find_columns(log.names, POINT_MEANINGS, chosen or {}).column
    for meaning in (TIME, VALUE):
        if meaning.name not in column:
            there = ", ".join(log.names[:20])
            raise problems.stop(1, f"no column is called {meaning.name}, nor {meaning.names[1]} …; there are {there}")
    at, numbers = column["time"], [column[name] for name in ("value", "low", "high") if name in column]
    wanted = {at: Column("text")} | dict.fromkeys(numbers, MAY_LACK)
    rows = []
    for block in log.blocks(wanted, problems):
        columns = {name: block.frame[column[name]].to_list() for name in ("value", "low", "high") if name in column}
        times = zip(block.lines, block.frame[at].to_list(), strict=True)
        for number, (line, text) in enumerate(times):
            values = {name: _number(listed[number]) for name, listed in columns.items()}
            if (when := _time(text, line, problems)) and values["value"] is not None:
                rows.append(PointRow(line, when, values["value"], values.get("low"), values.get("high")))
                if not rows[-1].is_inside:
                    problems.add(line, f"the value {values['value']:g} lies outside of its interval")
    problems.check()
    return rows


def _time(text: str, line: int, problems: Problems) -> datetime | None:
    when = moment(text)
    if when is None:
        problems.add(line, f"the time {shown(text)} is no date (ISO 8601) from 1970 to 2199")
        return None
    return when.replace(tzinfo=when.tzinfo or UTC)


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
