"""Sums of a log's columns by cluster, from its blocks."""

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from annotation.formats.threads import worked_ahead
from evaluation.engine.ab_tests.bootstrap import Clusters
from evaluation.engine.arrays import Floats, Ints, Words
from evaluation.formats.log.columns import MOST_FAULTS, Block

if TYPE_CHECKING:
    import polars

PENDING = 1_500_000  # rows that wait to be put together
KEY, N, LINE = "\0key", "\0n", "\0line"  # columns beside those of the log
NOTHING = np.zeros(0)
Codes: TypeAlias = NDArray[np.uint8]
Part: TypeAlias = tuple[Words, Ints, list[Codes], list[Floats]]


class ClusterSums:
    """Sums of `columns` over the units of each cluster, by variant; a cluster is in one segment of each column of
    `segments`. Memory: 8 bytes times the columns + 3 a cluster, and a byte for its variant and each column of segments;
    while parts are put together, two columns at a time, up to 66 bytes more."""

    def __init__(self, variant: str, cluster: str, columns: list[str], segments: Sequence[str] = ()) -> None:
        self.cluster, self.columns, self.names = cluster, columns, [variant, *segments]
        self.values = [dict[str, int]() for _ in self.names]  # of variant and segments: their codes
        self.parts = list[Part]()  # (key, first line, codes by name, sums by column and the number of units)
        self.n_rows = self.n_kept = 0  # of all parts, and of the first

    def add(self, block: Block) -> None:
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        key, line = block.frame[self.cluster].hash().alias(KEY), pl.Series(LINE, block.lines, pl.Int64)
        part = block.frame.select(*self.names, *self.columns, key, line, pl.lit(1.0).alias(N))
        if (
            2 * part.select(pl.col(KEY).approx_n_unique()).item() < part.height
        ):  # else it would take longer than it saves
            part = part.group_by(KEY, *self.names).agg(pl.col(*self.columns, N).sum(), pl.col(LINE).min())
        codes = [self._coded(part[name], code_of) for name, code_of in zip(self.names, self.values, strict=True)]
        sums = [part[name].to_numpy() for name in (*self.columns, N)]
        self.parts.append((part[KEY].to_numpy(), part[LINE].to_numpy(), codes, sums))
        self.n_rows += part.height
        if self.n_rows > self.n_kept + PENDING:
            self._put_together()

    def by_variant(self, problems: Problems) -> dict[str, Clusters]:
        """In the order in which clusters first come. Raises `FormatError` for clusters in two variants or segments."""
        return {name: one for (name,), one in self._parted([self.names[0]], problems)}

    def by_segment(self, column: str, problems: Problems) -> dict[str, dict[str, Clusters]]:
        """By segment and variant."""
        by_segment = dict[str, dict[str, Clusters]]()
        for (segment, name), one in self._parted([column, self.names[0]], problems):
            by_segment.setdefault(segment, {})[name] = one
        return by_segment

    @staticmethod
    def _coded(value: "polars.Series", code_of: dict[str, int]) -> Codes:
        import polars as pl  # noqa: PLC0415

        own = value.unique().to_list()
        numbers = [code_of.setdefault(each, len(code_of)) for each in own]
        return value.replace_strict(own, numbers, return_dtype=pl.UInt8).to_numpy()

    def _parted(self, by: list[str], problems: Problems) -> Iterator[tuple[tuple[str, ...], Clusters]]:
        if not self.parts:
            return
        self._put_together()
        self._refuse_two(problems)
        ((key, line, codes, sums),) = self.parts
        order, columns = np.lexsort((key, line)), [self.names.index(name) for name in by]
        for values in itertools.product(*(self.values[at].items() for at in columns)):
            same = [codes[at] == code for at, (_, code) in zip(columns, values, strict=True)]
            rows = order[np.logical_and.reduce(same)[order]]
            if rows.size:
                total = np.empty((rows.size, len(sums)))
                for at, one in enumerate(sums):
                    total[:, at] = one[rows]
                yield tuple(value for value, _ in values), Clusters(total)

    def _put_together(self) -> None:
        """Rows of one cluster, variant and segments become one; column by column, so that little is there twice."""
        if self.n_rows > self.n_kept:
            key = np.concatenate([part[0] for part in self.parts])
            codes = [self._column(2, at) for at in range(len(self.names))]
            order, key = _ordered(key, codes)
            codes = [one[order] for one in codes]
            new = np.ones(key.size, np.bool_)
            new[1:] = np.logical_or.reduce([one[1:] != one[:-1] for one in (key, *codes)])
            start = np.flatnonzero(new)
            line = np.concatenate([part[1] for part in self.parts])[order[start]]

            def added(at: int) -> Floats:
                column = self._column(3, at)[order]
                for part in self.parts:
                    part[3][at] = NOTHING
                return np.add.reduceat(column, start)

            sums = [column for _, column in worked_ahead(added, range(len(self.columns) + 1))]
            self.parts = [(key[start], line, [one[start] for one in codes], sums)]
        self.n_rows = self.n_kept = self.parts[0][0].size

    def _column(self, which: int, at: int) -> NDArray[Any]:
        return np.concatenate([part[which][at] for part in self.parts])

    def _refuse_two(self, problems: Problems) -> None:
        """Clusters in two variants, or in two segments of a column."""
        ((key, line, codes, _),) = self.parts
        twice = np.zeros(key.size, np.bool_)
        twice[1:] = key[1:] == key[:-1]  # in order of keys
        twice[:-1] |= twice[1:]
        rows = np.flatnonzero(twice)
        rows = rows[np.argsort(line[rows], kind="stable")][: 2 * MOST_FAULTS]
        words = [{code: value for value, code in code_of.items()} for code_of in self.values]
        before: dict[int, int] = {}
        for row in rows.tolist():
            first = before.setdefault(int(key[row]), row)
            at = next((at for at, code in enumerate(codes) if code[row] != code[first]), None)
            if at is not None:
                own, other = (shown(words[at][int(codes[at][one])]) for one in (row, first))
                in_segments = f" of {self.names[at]}: each is in one segment" if at else ""
                there = f"in {other} in line {line[first]}"
                problems.add(int(line[row]), f"the {self.cluster} of this row is in {own}, and {there}{in_segments}")
        problems.check()


def _ordered(key: Words, codes: list[Codes]) -> tuple[Ints, Words]:
    """`(order, key in it)`: rows of one cluster together, by variant and segments where it is in several (a fault), the
    first line first."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    same = ordered[1:] == ordered[:-1]
    if any((same & (np.diff(one[order]) != 0)).any() for one in codes):
        order = np.lexsort(list[NDArray[Any]]([*codes, key]))
    return order, ordered
