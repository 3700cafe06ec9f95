"""Machine judges among people: for a policy that says so, and for no other."""

from dataclasses import replace

import numpy as np

from annotation.quality.arrays import Ints
from annotation.quality.inputs import Inputs
from annotation.quality.outcome import Outcome
from annotation.quality.table import COLUMNS, JudgmentTable, codes_of


def with_machines(inputs: Inputs) -> Inputs:
    """The inputs as if machines were people. Codes of topics and documents stay."""
    machines = inputs.machines
    if machines is None:
        return inputs
    names = tuple(sorted((*inputs.table.annotators, *machines.table.annotators), key=str.encode))
    people, others = codes_of(inputs.table.annotators, names), codes_of(machines.table.annotators, names)
    return replace(
        inputs,
        table=_joined(inputs.table, people, machines.table, others, names),
        excluded=frozenset(people[sorted(inputs.excluded)].tolist() + others[sorted(machines.excluded)].tolist()),
        machines=None,
    )


def of_people(outcome: Outcome, inputs: Inputs) -> Outcome:
    """An outcome that counts machines, with the standing of people alone, in the order of the people's table."""
    index = codes_of(inputs.table.annotators, outcome.table.annotators)
    return replace(outcome, people=outcome.people.of(index), table=inputs.table)


def _joined(a: JudgmentTable, of_a: Ints, b: JudgmentTable, of_b: Ints, names: tuple[str, ...]) -> JudgmentTable:
    columns = {name: np.concatenate([getattr(a, name), getattr(b, name)]) for name in COLUMNS}
    columns["annotator"] = np.concatenate([of_a[a.annotator], of_b[b.annotator]])
    return JudgmentTable(**columns, numbers=a.numbers, docnos=a.docnos, annotators=names, criterion=a.criterion)
