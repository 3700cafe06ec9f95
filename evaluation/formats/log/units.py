"""Units of an experiment: a row a unit, with its variant and the values of its measures; read into moments."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from evaluation.engine.ab_tests.analysis import Units
from evaluation.engine.ab_tests.moments import Accumulator
from evaluation.engine.ab_tests.question import Question
from evaluation.formats.log.clusters import ClusterSums
from evaluation.formats.log.columns import MOST_FAULTS, NONE, Block, Column
from evaluation.formats.log.reading import open_log
from evaluation.formats.log.times import DAY, Times, ends_of

if TYPE_CHECKING:
    import polars

Key = TypeVar("Key", str, float)

MOST_VARIANTS = 50
MOST_SEGMENTS = 50  # of a column
MOST_ENDS = 100_000  # of looks, while the log is read
END = "\0end"  # a column beside those of the log


def read_units(
    path: Path,
    problems: Problems,
    question: Question,
    *,
    variant: str,
    unit: str | None = None,
    watch: Callable[[int], None] = lambda _rows: None,
) -> Units:
    """What the question needs of each variant. Every value is a finite number: an empty cell is a fault.

    `unit`: the column that names units; one that stands twice is a fault, in whichever variant. `watch` is told how
    many rows are read. Memory holds one block, 8 bytes a unit where `unit` is named, and the sums of clusters.

    Raises `FormatError` for what is malformed, for more than 50 variants, for more than 50 segments of a column, for
    clusters in two variants or segments, and for no row; `ValueError` where a column is asked for as two things, and
    for times that are numbers without `every`; `OSError` as `open` does.
    """
    reader = _Reader(question, variant, problems)
    wanted = _wanted(question, variant, unit)
    keys, lines, n = list[NDArray[np.uint64]](), list[Sequence[int]](), 0
    for block in open_log(path, problems).blocks(wanted, problems):
        reader.add(block)
        if unit:
            keys.append(block.frame[unit].hash().to_numpy())
            lines.append(block.lines)
        n += block.frame.height
        watch(n)
    if not n:
        raise problems.stop(0, "there is no unit in this log")
    _refuse_repeats(keys, lines, problems)
    return reader.units()


class _Reader:
    def __init__(self, question: Question, variant: str, problems: Problems) -> None:
        self.question, self.variant, self.problems = question, variant, problems
        self.groups = Accumulator()
        self.segments = {name: dict[str, Accumulator]() for name in question.segments}
        self.ends = dict[float, Accumulator]()
        self.times = Times(question.time) if question.time else None
        segments = question.segments
        self.clusters = ClusterSums(variant, question.cluster, question.columns, segments) if question.cluster else None

    def add(self, block: Block) -> None:
        block = _without_gaps(block, self.question.segments)
        frame, columns = block.frame, self.question.columns
        numbers = frame.select(self.variant, *columns)  # texts would be copied for nothing
        for (name, *_), part in numbers.partition_by(self.variant, as_dict=True, maintain_order=True).items():
            self.groups.add(str(name), part.select(columns).to_numpy())
        if len(self.groups.by_variant) > MOST_VARIANTS:
            reason = f"{shown(self.variant)} has more than {MOST_VARIANTS} different values: no variants"
            raise self.problems.stop(0, reason)
        for column, by_value in self.segments.items():
            self._add_by(frame, column, by_value)
            if len(by_value) > MOST_SEGMENTS:
                reason = f"{shown(column)} has more than {MOST_SEGMENTS} different values: no segments"
                raise self.problems.stop(0, reason)
        if self.times:
            self._add_look(block, self.times)
        if self.clusters:
            self.clusters.add(block)

    def units(self) -> Units:
        return Units(
            groups=self.groups.by_variant,
            segments={
                column: {name: one.by_variant for name, one in by_value.items()}
                for column, by_value in self.segments.items()
            },
            looks={end: one.by_variant for end, one in self.ends.items()},
            clusters=self.clusters.by_variant(self.problems) if self.clusters else {},
            cluster_segments={
                column: self.clusters.by_segment(column, self.problems) for column in self.segments if self.clusters
            },
            times_are_dates=bool(self.times and self.times.are_dates),
        )

    def _add_look(self, block: Block, times: Times) -> None:
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        time = times.read(block.frame[times.name], block.lines, self.problems)
        if self.problems:
            return
        every = self.question.every or (DAY if times.are_dates else None)
        if every is None:
            raise ValueError(f"{times.name} has numbers: say how many of them lie between two looks")
        frame = block.frame.with_columns(pl.Series(END, ends_of(time, every)))
        self._add_by(frame, END, self.ends)
        if len(self.ends) > MOST_ENDS:
            raise ValueError(f"more than {MOST_ENDS:,} looks: name a longer time between them")

    def _add_by(self, frame: "polars.DataFrame", column: str, by_value: dict[Key, Accumulator]) -> None:
        """The moments of each value of the column."""
        by, columns = [self.variant, column], self.question.columns
        for (name, value), part in (
            frame.select(*by, *columns).partition_by(by, as_dict=True, maintain_order=True).items()
        ):
            by_value.setdefault(value, Accumulator()).add(str(name), part.select(columns).to_numpy())


def _without_gaps(block: Block, segments: Sequence[str]) -> Block:
    """Units without a segment are in one that is called `NONE`, as are those whose segment is called so."""
    import polars as pl  # noqa: PLC0415

    return Block(block.lines, block.frame.with_columns(pl.col(name).fill_null(NONE) for name in segments))


def _wanted(question: Question, variant: str, unit: str | None) -> dict[str, Column]:
    names = [variant, *([unit] if unit else []), *question.texts]
    if twice := next((name for name in names if name in question.columns or names.count(name) > 1), None):
        raise ValueError(
            f"the column {twice} is asked for as two things: variant, unit, segment, time, cluster, number"
        )
    return {
        **dict.fromkeys(names, Column("text")),
        **dict.fromkeys(question.segments, Column("text", may_lack=True)),
        **dict.fromkeys(question.columns, Column("decimal")),
    }


def _refuse_repeats(keys: list[NDArray[np.uint64]], lines: list[Sequence[int]], problems: Problems) -> None:
    """`keys`: hashes of the units of each block, `lines` where they stand."""
    if not keys:
        return
    key = np.concatenate(keys)
    ascending = np.sort(key)
    repeated = np.unique(ascending[1:][ascending[1:] == ascending[:-1]])
    if repeated.size:
        first = np.cumsum([0, *(part.size for part in keys)])
        seen: dict[int, int] = {}
        for row in np.flatnonzero(np.isin(key, repeated[:MOST_FAULTS])).tolist():
            block = int(np.searchsorted(first, row, side="right")) - 1
            line = lines[block][row - int(first[block])]
            if seen.setdefault(int(key[row]), line) != line:
                problems.add_repeat(line, f"the unit stands in line {seen[int(key[row])]} already: a row a unit")
    problems.check()
