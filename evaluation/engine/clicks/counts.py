"""Clicks and impressions of topic–document pairs by position, as a log adds up to."""

from dataclasses import dataclass, field, replace
from functools import cached_property

from evaluation.engine.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class ClickCounts:
    """Pairs, (n_pairs,), and cells: a pair at a position, each once, (n_cells,). `topic` indexes `numbers`, `pair` the
    pairs; positions count from 1. Clicks are at most impressions, which are at least 1."""

    numbers: tuple[str, ...]
    topic: Ints = field(repr=False)  # (n_pairs,)
    docno: tuple[str, ...] = field(repr=False)
    pair: Ints = field(repr=False)
    position: Ints = field(repr=False)
    clicks: Floats = field(repr=False)
    impressions: Floats = field(repr=False)

    @property
    def n_pairs(self) -> int:
        return self.topic.size

    @cached_property
    def cell_topic(self) -> Ints:
        """(n_cells,)"""
        return self.topic[self.pair]

    def only(self, cells: Bools) -> "ClickCounts":
        """The cells chosen, (n_cells,); pairs stay, also those that are left without a cell."""
        return replace(
            self,
            pair=self.pair[cells],
            position=self.position[cells],
            clicks=self.clicks[cells],
            impressions=self.impressions[cells],
        )
