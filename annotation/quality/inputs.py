"""All that an outcome depends on but the policy, and its frozen form.

A snapshot stores `to_bytes()` as a content-addressed file and names it and the policy by hash.
Reading it back and applying the policy gives the same outcome, whatever has happened to gold,
exclusions and judgments since.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar, cast

import numpy as np

from annotation.quality.accuracy import Accuracy, Scored, gold_accuracy, gold_scored
from annotation.quality.adjudications import Adjudications
from annotation.quality.arrays import Bools, Ints, distinct
from annotation.quality.counted import counted_rows
from annotation.quality.gold import Gold
from annotation.quality.machines.split import Machines
from annotation.quality.packing import Column, after_size, listed, pack, sized, unpack
from annotation.quality.pairs import Pairs, find
from annotation.quality.purpose import Purpose
from annotation.quality.scale import Scale
from annotation.quality.table import JudgmentTable
from annotation.quality.votes import Spread, Votes, spread_of

Result = TypeVar("Result")

MAGIC = b"touchstone frozen inputs 1\n"
WITH_MACHINES = b"touchstone frozen inputs 2\n"  # the table of machine judges stands behind that of people
_INTS = ("gold.topic", "gold.document", "gold.grade", "adjudicated.topic", "adjudicated.document", "adjudicated.grade")


@dataclass(frozen=True, eq=False)
class Inputs:
    """Raises `ValueError` where codes or grades do not fit the table and the scale."""

    table: JudgmentTable
    scale: Scale
    gold: Gold
    adjudications: Adjudications
    excluded: frozenset[int] = field(default_factory=frozenset)  # annotator codes
    laid: Pairs | None = None  # the pairs laid out, judged or not; None: only what was judged is known
    machines: Machines | None = None  # what machine judges said, never None with an empty table of annotators
    # by `count_not_blind`, computed once, whatever the gold
    _counted: dict[bool, Ints] = field(default_factory=dict, init=False, repr=False)
    _votes: dict[bool, tuple[Votes, Spread]] = field(default_factory=dict, init=False, repr=False)
    _once: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.gold.check_scale(self.scale)
        for pairs in (self.gold, self.adjudications, self.laid):
            if pairs is not None:
                pairs.check(self.table)
        if not self.scale.holds(self.adjudications.grade).all():
            raise ValueError("an adjudicated grade is not on the scale")
        if not self.excluded <= set(range(len(self.table.annotators))):
            raise ValueError("an excluded code is no annotator of the table")
        if self.machines is not None:
            self.machines.check(self.table)

    @cached_property
    def accuracy(self) -> Accuracy:
        """Everybody's on gold, whatever the policy."""
        return gold_accuracy(self.table, self.gold, self.scale)

    @cached_property
    def scored(self) -> Scored:
        """The judgments of people that accuracy is of."""
        return gold_scored(self.table, self.gold, self.scale)

    @cached_property
    def pairs(self) -> Ints:
        """(n_pairs,), ascending keys of the table: what a policy decides on, as `apply_policy` says."""
        further = [pairs for pairs in (self.adjudications, self.laid) if pairs is not None]
        here = self.table.pair[self.table.purpose != Purpose.ELSEWHERE]
        keys = [here, *(self.table.keys_of(pairs) for pairs in further)]
        return distinct(np.concatenate(keys))

    def counted(self, *, count_not_blind: bool) -> Ints:
        """Row numbers of the judgments that count: `counted_rows`."""
        if count_not_blind not in self._counted:
            self._counted[count_not_blind] = counted_rows(
                self.table, scale=self.scale, excluded=self.excluded, count_not_blind=count_not_blind
            )
        return self._counted[count_not_blind]

    def votes(self, *, count_not_blind: bool) -> tuple[Votes, Spread]:
        """The judgments that count as votes on `pairs`, and what is read off them."""
        if count_not_blind not in self._votes:
            of_pairs, where = self.table.rows_among(self.pairs)
            index = np.full(len(self.table), -1, dtype=np.int64)
            index[of_pairs] = where
            row = self.counted(count_not_blind=count_not_blind)
            row = row[index[row] >= 0]
            votes = Votes(index[row], self.table.annotator[row], self.table.grade[row], len(self.pairs))
            self._votes[count_not_blind] = votes, spread_of(votes)
        return self._votes[count_not_blind]

    def once(self, function: Callable[..., Result], *arguments: Hashable) -> Result:
        """What the function makes of these inputs, worked out once, whoever asks. It is not written to."""
        key = (function, *arguments)
        if key not in self._once:
            self._once[key] = function(self, *arguments)
        return cast("Result", self._once[key])

    def with_gold(self, gold: Gold) -> Self:
        """The same under other gold: what does not depend on it is computed once for both."""
        other = replace(self, gold=gold)
        vars(other).update(_counted=self._counted, _votes=self._votes, pairs=self.pairs)
        return other

    def deciding(self, key: Ints) -> Self:
        """The same, where a policy decides on no pairs but those of these ascending keys."""
        other = replace(self)
        vars(other).update(_counted=self._counted, pairs=key[find(key, self.pairs)[1]])
        return other

    def to_bytes(self) -> bytes:
        """Deterministic: equal inputs, equal bytes. Without machines as it was before there were any."""
        header = {
            "scale": list(self.scale.grades),
            "excluded": sorted(int(code) for code in self.excluded),
            "laid": self.laid is not None,
        }
        if self.machines is None:
            return MAGIC + sized(self.table.to_bytes()) + pack(MAGIC, header, self._columns())
        header["excluded_machines"] = sorted(int(code) for code in self.machines.excluded)
        tables = sized(self.table.to_bytes()) + sized(self.machines.table.to_bytes())
        return WITH_MACHINES + tables + pack(WITH_MACHINES, header, self._columns())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` wrote. Raises `ValueError` for anything else."""
        magic = next((magic for magic in (MAGIC, WITH_MACHINES) if data.startswith(magic)), None)
        if magic is None:
            raise ValueError("not a file of frozen inputs")
        table, end = _table(data, len(magic))
        others, end = (None, end) if magic == MAGIC else _table(data, end)
        header, columns = unpack(magic, data[end:])
        named = {"scale", "excluded", "laid"} | ({"excluded_machines"} if others is not None else set())
        if set(header) != named or not columns.keys() >= {*_INTS, "gold.accepted"}:
            raise ValueError("the content of the file is not that of frozen inputs")
        ints = {name: _ints(column) for name, column in columns.items() if name != "gold.accepted"}
        accepted: Bools = columns["gold.accepted"].astype(np.bool_)
        return cls(
            table=table,
            scale=Scale(tuple(_codes(header["scale"]))),
            gold=Gold(ints["gold.topic"], ints["gold.document"], ints["gold.grade"], accepted),
            adjudications=Adjudications(
                ints["adjudicated.topic"], ints["adjudicated.document"], ints["adjudicated.grade"]
            ),
            excluded=frozenset(_codes(header["excluded"])),
            laid=Pairs(ints["laid.topic"], ints["laid.document"]) if header["laid"] else None,
            machines=None if others is None else Machines(others, frozenset(_codes(header["excluded_machines"]))),
        )

    def _columns(self) -> dict[str, Column]:
        columns: dict[str, Column] = {
            "gold.topic": self.gold.topic,
            "gold.document": self.gold.document,
            "gold.grade": self.gold.grade,
            "gold.accepted": self.gold.accepted,
            "adjudicated.topic": self.adjudications.topic,
            "adjudicated.document": self.adjudications.document,
            "adjudicated.grade": self.adjudications.grade,
        }
        if self.laid is not None:
            columns |= {"laid.topic": self.laid.topic, "laid.document": self.laid.document}
        return columns


def _table(data: bytes, start: int) -> tuple[JudgmentTable, int]:
    """The table whose length stands at `start`, and where it ends."""
    piece, end = after_size(data, start)
    return JudgmentTable.from_bytes(piece), end


def _ints(column: Column) -> Ints:
    return column.astype(np.int64)


def _codes(value: object) -> list[int]:
    return [int(code) for code in listed(value)]
