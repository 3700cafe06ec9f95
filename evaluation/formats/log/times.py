"""A column of times as numbers: numbers as they are, dates and times as seconds since 1970."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.outside.times import LATEST, moment
from annotation.formats.problems import Problems
from evaluation.engine.arrays import Floats

if TYPE_CHECKING:
    import polars

DAY = 86_400.0
WORDS = {"hour": 3600.0, "day": DAY, "week": 7 * DAY}
END = datetime(LATEST, 1, 1, tzinfo=UTC).timestamp()
MONDAY = 4 * DAY  # 1970 began on a Thursday
FORMS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.fZ")  # read at once


class Times:
    """Reads the blocks of one column. Whether it has dates or numbers, its first value decides."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.are_dates: bool | None = None

    def read(self, texts: "polars.Series", lines: Sequence[int], problems: Problems) -> Floats:
        """(n,), NaN for a fault, which is added to the problems; `lines` (n,) is where they stand."""
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        number = texts.cast(pl.Float64, strict=False).to_numpy()
        if self.are_dates is None:
            self.are_dates = not np.isfinite(number[:1]).all()
        value = _within(_seconds(texts)) if self.are_dates else number
        if not np.isfinite(value).all():
            kind = "a date (ISO 8601) from 1970 to 2199" if self.are_dates else "a number"
            rows = np.flatnonzero(~np.isfinite(value)).tolist()
            for row, text in zip(rows, texts.gather(rows).to_list(), strict=True):
                problems.add(lines[row], f"the {self.name} {shown(text)} is not {kind}, as the first one is")
        return value


def length_of(text: str) -> float:
    """Hour, day, week as seconds, or a number. Raises `ValueError` for anything else."""
    try:
        return WORDS.get(text) or float(text)
    except ValueError as fault:
        raise ValueError(f"{text} is no length of time: hour, day, week or a number is expected") from fault


def ends_of(time: Floats, every: float) -> Floats:
    """When the look is taken in which each time counts first: the end of its hour, day, week (from Monday on) …"""
    first = MONDAY if every == WORDS["week"] else 0.0
    return (np.floor((time - first) / every) + 1) * every + first


def _within(second: Floats) -> Floats:
    """NaN for what no moment is taken to be: its look would have no date."""
    return np.where((second >= 0) & (second < END), second, np.nan)


def _seconds(texts: "polars.Series") -> Floats:
    import polars as pl  # noqa: PLC0415

    for form in FORMS:
        times = texts.str.to_datetime(form, strict=False, time_unit="us")
        if not times.has_nulls():
            return times.cast(pl.Int64).to_numpy() / 1e6
    seconds = {text: _second(text) for text in texts.unique().to_list()}
    return np.array([seconds[text] for text in texts.to_list()])


def _second(text: str) -> float:
    when = moment(text)
    return float("nan") if when is None else when.replace(tzinfo=when.tzinfo or UTC).timestamp()
