"""Sums of a log's columns by cluster, from its blocks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from annotation.formats.fields import shown
from annotation.formats.problems import Problems
from evaluation.engine.experiments.bootstrap import Clusters
from evaluation.formats.log.columns import MOST_FAULTS, Block

if TYPE_CHECKING:
    import polars

PENDING = 1_500_000  # rows that wait to be put together
KEY, N, LINE = "\0key", "\0n", "\0line"  # columns beside those of the log


class ClusterSums:
    """Sums of `columns` over the units of each cluster, by variant; a cluster is in one segment of each column of
    `segments`. Memory: 8 bytes times the columns + 3 a cluster, and 4 a column of segments, twice while blocks are put
    together."""

    def __init__(self, variant: str, cluster: str, columns: list[str], segments: Sequence[str] = ()) -> None:
        self.variant, self.cluster, self.columns, self.segments = variant, cluster, columns, list(segments)
        self.parts = list["polars.DataFrame"]()
        self.n_rows = self.n_kept = 0  # of all parts, and of the first

    def add(self, block: Block) -> None:
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        line = pl.Series(LINE, block.lines, pl.Int64)
        frame = block.frame.with_columns(block.frame[self.cluster].hash().alias(KEY), line)
        frame = frame.with_columns(pl.col(name).cast(pl.Categorical) for name in self.segments)
        grouped = frame.group_by(self.variant, KEY, *self.segments)
        part = grouped.agg(
            *(pl.col(name).sum() for name in self.columns), pl.len().cast(pl.Float64).alias(N), pl.col(LINE).min()
        )
        self.parts.append(part)
        self.n_rows += part.height
        if self.n_rows > self.n_kept + PENDING:
            self._put_together()

    def by_variant(self, problems: Problems) -> dict[str, Clusters]:
        """In the order in which clusters first come. Raises `FormatError` for clusters in two variants or segments."""
        if not self.parts:
            return {}
        return {str(name): one for (name, *_), one in self._parted([self.variant], problems).items()}

    def by_segment(self, column: str, problems: Problems) -> dict[str, dict[str, Clusters]]:
        """By segment and variant."""
        found = dict[str, dict[str, Clusters]]()
        for (segment, name), one in self._parted([column, self.variant], problems).items():
            found.setdefault(str(segment), {})[str(name)] = one
        return found

    def _parted(self, by: list[str], problems: Problems) -> dict[tuple[Any, ...], Clusters]:
        self._put_together()
        (whole,) = self.parts
        self._refuse_two(whole, problems)
        sums = [*self.columns, N]
        parts = whole.sort(LINE, KEY).partition_by(by, as_dict=True, maintain_order=True)
        return {key: Clusters(np.ascontiguousarray(part.select(sums).to_numpy())) for key, part in parts.items()}

    def _put_together(self) -> None:
        import polars as pl  # noqa: PLC0415

        totals = [pl.col(name).sum() for name in (*self.columns, N)]
        if len(self.parts) > 1:
            grouped = pl.concat(self.parts).group_by(self.variant, KEY, *self.segments)
            self.parts = [grouped.agg(*totals, pl.col(LINE).min())]
        self.n_rows = self.n_kept = self.parts[0].height

    def _refuse_two(self, whole: "polars.DataFrame", problems: Problems) -> None:
        """Clusters in two variants, or in two segments of a column."""
        twice = whole.filter(whole[KEY].is_duplicated())
        names = [self.variant, *self.segments]
        before: dict[int, tuple[int, tuple[Any, ...]]] = {}
        for key, line, *where in twice.sort(LINE).head(2 * MOST_FAULTS).select(KEY, LINE, *names).rows():
            first, there = before.setdefault(key, (line, tuple(where)))
            if first != line:
                at = next(at for at, one in enumerate(where) if one != there[at])
                own, other = (shown(str(one)) for one in (where[at], there[at]))
                in_segments = f" of {names[at]}: each is in one segment" if at else ""
                problems.add(
                    line, f"the {self.cluster} of this row is in {own}, and in {other} in line {first}{in_segments}"
                )
        problems.check()
