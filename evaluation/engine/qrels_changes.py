"""What became of judged pairs from one qrels to another."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluation.engine.qrels import Qrels


@dataclass(frozen=True)
class PairChange:
    """`before` and `after` are grades, None where the pair is not in the qrels; below 0 it is pooled and not judged."""

    number: str
    docno: str
    before: int | None
    after: int | None


@dataclass(frozen=True)
class QrelsChanges:
    """`changes` by topic and docno, as bytes; `n_same` pairs have the same grade in both."""

    changes: Sequence[PairChange]
    n_same: int

    @property
    def n_added(self) -> int:
        return sum(each.before is None for each in self.changes)

    @property
    def n_removed(self) -> int:
        return sum(each.after is None for each in self.changes)

    @property
    def n_regraded(self) -> int:
        return len(self.changes) - self.n_added - self.n_removed

    @cached_property
    def by_grades(self) -> list[tuple[int | None, int | None, int]]:
        """`(before, after, n)` of the pairs that changed: added ones first, removed ones last; higher grades first."""
        counts = Counter((each.before, each.after) for each in self.changes)
        rows = [(before, after, n) for (before, after), n in counts.items()]
        return sorted(rows, key=lambda row: (row[0] is not None, row[1] is None, -(row[0] or 0), -(row[1] or 0)))


def qrels_changes(before: Qrels, after: Qrels) -> QrelsChanges:
    """Pairs that are in one alone, and those of another grade."""
    old, new = before.grade_by_pair(), after.grade_by_pair()
    changed = [pair for pair in old.keys() | new.keys() if old.get(pair) != new.get(pair)]
    rows = [PairChange(*pair, old.get(pair), new.get(pair)) for pair in changed]
    rows.sort(key=lambda row: (row.number.encode(), row.docno.encode()))
    return QrelsChanges(
        rows, n_same=len(old.keys() & new.keys()) - sum(pair in old and pair in new for pair in changed)
    )
