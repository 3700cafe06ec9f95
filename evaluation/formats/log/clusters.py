"""Sums of a log's columns by cluster, from its blocks."""

from typing import TYPE_CHECKING

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
    """Sums of `columns` over the units of each cluster, by variant. Memory: 8 bytes times the columns + 3 a cluster,
    twice while blocks are put together."""

    def __init__(self, variant: str, cluster: str, columns: list[str]) -> None:
        self.variant, self.cluster, self.columns = variant, cluster, columns
        self.parts = list["polars.DataFrame"]()
        self.n_rows = self.n_kept = 0  # of all parts, and of the first

    def add(self, block: Block) -> None:
        import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

        line = pl.Series(LINE, block.lines, pl.Int64)
        frame = block.frame.with_columns(block.frame[self.cluster].hash().alias(KEY), line)
        grouped = frame.group_by(self.variant, KEY)
        part = grouped.agg(
            *(pl.col(name).sum() for name in self.columns), pl.len().cast(pl.Float64).alias(N), pl.col(LINE).min()
        )
        self.parts.append(part)
        self.n_rows += part.height
        if self.n_rows > self.n_kept + PENDING:
            self._put_together()

    def by_variant(self, problems: Problems) -> dict[str, Clusters]:
        """In the order in which clusters first come. Raises `FormatError` for clusters in two variants."""
        if not self.parts:
            return {}
        self._put_together()
        (whole,) = self.parts
        self._refuse_two_variants(whole, problems)
        sums = [*self.columns, N]
        parts = whole.sort(LINE, KEY).partition_by(self.variant, as_dict=True, maintain_order=True)
        return {
            str(name): Clusters(np.ascontiguousarray(part.select(sums).to_numpy()))
            for (name, *_), part in parts.items()
        }

    def _put_together(self) -> None:
        import polars as pl  # noqa: PLC0415

        totals = [pl.col(name).sum() for name in (*self.columns, N)]
        if len(self.parts) > 1:
            self.parts = [pl.concat(self.parts).group_by(self.variant, KEY).agg(*totals, pl.col(LINE).min())]
        self.n_rows = self.n_kept = self.parts[0].height

    def _refuse_two_variants(self, whole: "polars.DataFrame", problems: Problems) -> None:
        twice = whole.filter(whole[KEY].is_duplicated())
        before: dict[int, tuple[str, int]] = {}
        for key, line, name in twice.sort(LINE).head(2 * MOST_FAULTS).select(KEY, LINE, self.variant).rows():
            there = before.setdefault(key, (name, line))
            if there[0] != name:
                problems.add(
                    line,
                    f"the {self.cluster} of this row is in {shown(name)}, and in {shown(there[0])} in line {there[1]}",
                )
        problems.check()
