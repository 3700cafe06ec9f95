"""Topic–document pairs as columns, and finding them among others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotation.quality.arrays import Bools, Ints, distinct, frozen_column
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True, eq=False)
class Pairs:
    """Distinct pairs, (n,) each, sorted by topic code and then document code. Raises `ValueError` if they are not."""

    topic: Ints
    document: Ints

    def __post_init__(self) -> None:
        object.__setattr__(self, "topic", frozen_column(self.topic, np.int64, "topic"))
        object.__setattr__(self, "document", frozen_column(self.document, np.int64, "document", len(self.topic)))
        step = np.diff(self.topic)
        if ((step < 0) | ((step == 0) & (np.diff(self.document) <= 0))).any():
            raise ValueError("pairs must be sorted by topic and document, each pair once")

    def __len__(self) -> int:
        return len(self.topic)

    def check(self, table: JudgmentTable) -> None:
        """Raise `ValueError` if a code points outside the table's id lists."""
        for codes, ids in ((self.topic, table.numbers), (self.document, table.docnos)):
            if len(codes) and (codes.min() < 0 or codes.max() >= len(ids)):
                raise ValueError("a pair points outside the id lists of the judgment table")


def known_pairs(table: JudgmentTable, number: Sequence[str], docno: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """External ids → `(topic, document, row)`, sorted, of those pairs whose two ids the table knows.

    `row` says which of the given pairs each one is. Pairs that the table has never heard of cannot matter to it.
    """
    topics, documents = _index_by_id(table.numbers), _index_by_id(table.docnos)
    pairs = zip(number, docno, strict=True)
    rows = sorted((topics[n], documents[d], i) for i, (n, d) in enumerate(pairs) if n in topics and d in documents)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3)  # (n, topic document row)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def laid_pairs(table: JudgmentTable, number: Sequence[str], docno: Sequence[str]) -> Pairs:
    """The pairs of a layout, those without a judgment included; repeated ones are taken once."""
    topic, document, _ = known_pairs(table, number, docno)
    return Pairs(*table.split_key(distinct(table.pair_key(topic, document))))


def find(key: Ints, among: Ints) -> tuple[Ints, Bools]:
    """`(place, is_there)`, (n,) each: where a key stands in the sorted `among`, and whether it does."""
    if not len(among):
        return np.zeros(len(key), dtype=np.int64), np.zeros(len(key), dtype=np.bool_)
    index = np.minimum(np.searchsorted(among, key), len(among) - 1).astype(np.int64)
    return index, among[index] == key


def _index_by_id(ids: Sequence[str]) -> dict[str, int]:
    return {name: code for code, name in enumerate(ids)}
