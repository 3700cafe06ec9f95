"""The judgments of machine judges, apart from those of people."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from annotation.quality.arrays import Bools
from annotation.quality.table import JudgmentTable


@dataclass(frozen=True, eq=False)
class Machines:
    """A table of its own, with the `numbers` and `docnos` of the people's, so that codes of pairs are the same.

    `excluded`: codes into the table's annotators. Raises `ValueError` for a code that is nobody's.
    """

    table: JudgmentTable
    excluded: frozenset[int] = field(default_factory=frozenset)

    def __post_init__(self) -> None:
        if not self.excluded <= set(range(len(self.table.annotators))):
            raise ValueError("an excluded code is no machine of the table")

    def check(self, people: JudgmentTable) -> None:
        """Raise `ValueError` unless pairs have the same codes here and there, and nobody is both."""
        if (self.table.numbers, self.table.docnos) != (people.numbers, people.docnos):
            raise ValueError("the tables of people and of machines have other topics or documents")
        if set(self.table.annotators) & set(people.annotators):
            raise ValueError("somebody is a person and a machine")


def parted(table: JudgmentTable, machines: Collection[str]) -> tuple[JudgmentTable, JudgmentTable | None]:
    """The judgments of people and those of the machines named; None where none of them is in the table."""
    named = set(machines)
    is_machine = np.array([name in named for name in table.annotators], dtype=np.bool_)
    if not is_machine.any():
        return table, None
    return _of(table, ~is_machine), _of(table, is_machine)


def _of(table: JudgmentTable, chosen: Bools) -> JudgmentTable:
    """The annotators chosen, (n_annotators,), numbered anew in the same order, and their judgments."""
    theirs = table.of(chosen[table.annotator])
    names = tuple(name for name, wanted in zip(table.annotators, chosen.tolist(), strict=True) if wanted)
    return replace(theirs, annotator=(np.cumsum(chosen) - 1)[theirs.annotator], annotators=names)
