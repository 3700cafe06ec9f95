"""The rows of several runs side by side: which pair each is of, at which rank, with which score."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from annotation.formats.text import Text
from evaluation.engine.arrays import Floats, Ints
from evaluation.engine.pooling import grouped_pairs
from evaluation.engine.run import PackedRun


@dataclass(frozen=True, eq=False)
class Entries:
    """Columns of entries are (n_entries,), those of pairs (n_pairs,); pairs lie topic after topic.

    A list is what one run answers to one topic. `numbers` are the topics that any run has, in byte order.
    """

    numbers: tuple[str, ...]
    n_runs: int
    pair: Ints = field(repr=False)  # which pair the entry is of
    rank: Ints = field(repr=False)  # from 1, in evaluated order: equal scores by docno, descending
    score: Floats = field(repr=False)
    of_list: Ints = field(repr=False)  # the list it stands in, 0 … n_lists − 1
    length: Ints = field(repr=False)  # (n_lists,) entries of each
    topic: Ints = field(repr=False)  # (n_pairs,) indexes numbers
    docno: Text = field(repr=False)  # n_pairs strings

    @property
    def n_pairs(self) -> int:
        return self.topic.size

    def total(self, value: Floats) -> Floats:
        """The sum of (n_entries,) over the entries of each pair, small values first: any order of runs gives it."""
        order = np.lexsort((value, self.pair))
        return np.bincount(self.pair[order], weights=value[order], minlength=self.n_pairs).astype(np.float64)

    def count(self) -> Ints:
        """How many runs have each pair."""
        return np.bincount(self.pair, minlength=self.n_pairs)


def entries_of(runs: Sequence[PackedRun]) -> Entries:
    """All rows of all runs. Raises `ValueError` for fewer than two runs."""
    if len(runs) < 2:
        raise ValueError("a fusion needs two runs")
    numbers = tuple(sorted({number for run in runs for number in run.numbers}, key=str.encode))
    topic_by_number = {number: at for at, number in enumerate(numbers)}
    topic_of_list = np.concatenate([[topic_by_number[number] for number in run.numbers] for run in runs]).astype(
        np.int64
    )
    length = np.concatenate([np.diff(run.start) for run in runs])
    of_list = np.repeat(np.arange(length.size), length)
    topic, docno = topic_of_list[of_list], Text.concat([run.docno for run in runs])
    order, new = grouped_pairs(topic, docno)
    pair = np.empty(topic.size, np.int64)
    pair[order] = np.cumsum(new) - 1
    first = order[new]
    return Entries(
        numbers=numbers,
        n_runs=len(runs),
        pair=pair,
        rank=np.arange(1, topic.size + 1) - np.repeat(np.cumsum(length) - length, length),
        score=np.concatenate([run.score for run in runs]),
        of_list=of_list,
        length=length,
        topic=topic[first],
        docno=docno.take(first),
    )
