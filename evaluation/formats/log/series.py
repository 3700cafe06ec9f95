"""A series, a row a moment with its value, and a column of scores: from logs of any form."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from itertools import compress
from pathlib import Path

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.mapping import Meaning, find_columns
from annotation.formats.numbers import DECIMAL
from annotation.formats.outside.times import moment
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats
from evaluation.engine.drift.watch import GREATEST
from evaluation.formats.log.columns import Column
from evaluation.formats.log.reading import open_log

TIME = Meaning("time", ("time", "date", "day", "timestamp", "moment", "t"))
VALUE = Meaning("value", ("value", "score", "mean", "measure", "y"))
MEANINGS = (TIME, VALUE)
MAY_LACK = Column("decimal", -GREATEST, GREATEST, may_lack=True)


@dataclass(frozen=True, eq=False)
class Series:
    """`value` (n_points,) and its `time`, as the file writes it, in order. `n_missing` times had no value."""

    time: tuple[str, ...]
    value: Floats
    n_missing: int


def read_series(path: Path, problems: Problems, chosen: dict[str, str] | None = None) -> Series:
    """Times are numbers, or dates and times (ISO 8601; without a zone UTC), each later than the one before. An empty
    value is a point that was missed: it is counted and left out.

    `chosen`: columns by meaning. Raises `FormatError` for what is malformed, `OSError` as `open` does.
    """
    log = open_log(path, problems)
    for name in (chosen or {}).values():
        if name not in log.names:
            raise problems.stop(1, f"there is no column {shown(name)}; there are {', '.join(log.names[:20])}")
    mapping = find_columns(log.names, MEANINGS, chosen or {})
    if missing := mapping.missing(MEANINGS):
        there = ", ".join(log.names[:20])
        raise problems.stop(1, f"no column is called {missing[0].name}, nor {missing[0].names[1]} …; there are {there}")
    at, value = mapping.column["time"], mapping.column["value"]
    times, values = list[str](), list[Floats]()
    before = -np.inf
    for block in log.blocks({at: Column("text"), value: MAY_LACK}, problems):
        texts = block.frame[at].to_list()
        before = _check_order(texts, block.lines, before, problems)
        times += texts
        values.append(block.frame[value].cast(float).fill_null(np.nan).to_numpy())
    problems.check()
    if not times:
        raise problems.stop(0, "there is no point in this file")
    whole = np.concatenate(values)
    has_value = ~np.isnan(whole)
    kept = tuple(compress(times, has_value))
    return Series(kept, whole[has_value], int((~has_value).sum()))


def read_scores(path: Path, problems: Problems, column: str) -> Floats:
    """One column of numbers, (n_rows, 1)."""
    log = open_log(path, problems)
    number = Column("decimal", -GREATEST, GREATEST)
    parts = [block.frame[column].to_numpy() for block in log.blocks({column: number}, problems)]
    if not parts:
        raise problems.stop(0, "there is no row in this file")
    return np.concatenate(parts)[:, None]


def _check_order(texts: list[str], lines: Sequence[int], before: float, problems: Problems) -> float:
    """The last time, as a number."""
    for row, text in zip(lines, texts, strict=True):
        now = _as_number(text)
        if now is None:
            problems.add(row, f"the time {shown(text)} is neither a number nor a date (ISO 8601) from 1970 to 2199")
        elif now <= before:
            problems.add(row, f"the time {shown(text)} is not later than the one before")
        else:
            before = now
    return before


def _as_number(text: str) -> float | None:
    if DECIMAL.match(text):
        return float(text)
    when = moment(text)
    return when.replace(tzinfo=when.tzinfo or UTC).timestamp() if when else None
