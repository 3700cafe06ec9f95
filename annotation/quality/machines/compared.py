"""How a machine judge compares with people: on the pairs whose grade people decided, with single people, and on gold.

Nothing here is part of agreement among people. The grade of people never counts a machine, whatever
the policy says, so that no machine is compared with itself; on gold, people are decided with that
gold hidden (`crossfit`).
"""

from dataclasses import dataclass, replace

import numpy as np

from annotation.quality.accuracy import gold_scored
from annotation.quality.apply import apply_policy
from annotation.quality.arrays import Bools, Floats, Ints, crosstab
from annotation.quality.counted import counted_rows
from annotation.quality.crossfit import CrossFit, cross_fit
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome, Source
from annotation.quality.pairs import find
from annotation.quality.policy import Policy
from annotation.quality.votes import grade_counts, votes_of_rows


@dataclass(frozen=True, eq=False)
class MachineCompared:
    """One machine. `table`: (n_grades, n_grades), pairs by people's grade (rows) and the machine's (columns)."""

    name: str
    n_judged: int  # pairs it gave a grade of the scale
    n_undecided: int  # of these, pairs on which people came to no grade; gold apart
    table: Ints
    n_met: int  # pairs that two people or more judged, too; gold apart
    with_people: float  # share of single people with its grade, over these pairs; NaN without
    among_people: float  # share of two people with the same grade, over the same pairs; NaN without
    n_gold: int
    n_right: int
    n_both: int  # of the gold pairs it judged: those that people's judgments decide, that gold hidden
    n_people_right: int  # of these
    n_machine_right: int  # of these

    @property
    def n_compared(self) -> int:
        return int(self.table.sum())

    @property
    def n_same(self) -> int:
        return int(np.trace(self.table))


def compare_machines(inputs: Inputs, policy: Policy) -> list[MachineCompared]:
    """By pseudonym, those excluded, too. Applies the policy once, and where machines judged gold once a fold more."""
    if inputs.machines is None:
        return []
    people = replace(policy, count_machines=False)
    outcome = apply_policy(inputs, people)
    table, scale = inputs.machines.table, inputs.scale
    row = counted_rows(table, scale=scale)
    scored = gold_scored(table, inputs.gold, scale)
    held_out = cross_fit(inputs, people) if len(scored.row) else None
    votes = _single_people(inputs)
    return [
        MachineCompared(
            name,
            *_decided(inputs, outcome, row[table.annotator[row] == code]),
            *_single(inputs, votes, row[table.annotator[row] == code]),
            *_on_gold(inputs, held_out, scored.row[mine], scored.right[mine]),
        )
        for code, name in enumerate(table.annotators)
        for mine in [table.annotator[scored.row] == code]
    ]


def _decided(inputs: Inputs, outcome: Outcome, row: Ints) -> tuple[int, int, Ints]:
    """Pairs judged, those undecided, and the table of both grades on those that people decided."""
    assert inputs.machines is not None
    table, scale = inputs.machines.table, inputs.scale
    index, has_outcome = find(table.pair[row], inputs.table.keys_of(outcome))
    by_people = outcome.kept & (outcome.source != Source.EXPERT) & ~outcome.gold
    gold = find(table.pair[row], inputs.table.keys_of(inputs.gold))[1]
    met = has_outcome.copy()
    met[has_outcome] = by_people[index[has_outcome]]
    theirs, its_own = scale.index_of(outcome.grade[index[met]]), scale.index_of(table.grade[row[met]])
    counts = crosstab(theirs, its_own, len(scale.grades), len(scale.grades))
    return len(row), int((~gold & ~met).sum()), counts


def _single_people(inputs: Inputs) -> tuple[Ints, Ints]:
    """`(key, counts)`: pairs with two judgments of people or more, gold apart, and how often each got each grade."""
    table, scale = inputs.table, inputs.scale
    row = counted_rows(table, scale=scale, excluded=inputs.excluded)
    gold = find(table.pair[row], table.keys_of(inputs.gold))[1]
    row = row[~gold]
    votes, key = votes_of_rows(table, row)
    counts = grade_counts(votes, scale)
    shared = counts.sum(axis=1) >= 2
    return key[shared], counts[shared]


def _single(inputs: Inputs, people: tuple[Ints, Ints], row: Ints) -> tuple[int, float, float]:
    """Pairs met, agreement with single people on them, and that of people among each other on the same pairs."""
    assert inputs.machines is not None
    table, (key, counts) = inputs.machines.table, people
    index, met = find(table.pair[row], key)
    if not met.any():
        return 0, float("nan"), float("nan")
    counts, step = counts[index[met]], inputs.scale.index_of(table.grade[row[met]])
    n: Floats = counts.sum(axis=1).astype(np.float64)
    alike = np.take_along_axis(counts, step[:, None], axis=1)[:, 0] / n
    among = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    return int(met.sum()), float(alike.mean()), float(among.mean())


def _on_gold(inputs: Inputs, people: CrossFit | None, row: Ints, right: Bools) -> tuple[int, int, int, int, int]:
    """Gold judged and right; and on what people decided with that gold hidden: pairs, people right, machine right."""
    assert inputs.machines is not None
    if people is None or not len(people):
        return len(row), int(right.sum()), 0, 0, 0
    key = inputs.table.keys_of(people)
    order = np.argsort(key)
    index, is_decided = find(inputs.machines.table.pair[row], key[order])
    both = is_decided & people.kept[order][index]
    at = order[index[both]]
    return len(row), int(right.sum()), int(both.sum()), int(people.right[at].sum()), int(right[both].sum())
