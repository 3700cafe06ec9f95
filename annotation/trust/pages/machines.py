"""Machine judges as a page shows them: beside people, each figure with what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.models import Annotator, Batch
from annotation.quality.agreement import Agreement, Weights
from annotation.quality.agreement.cohen import cohen_kappa
from annotation.quality.inputs import Inputs
from annotation.quality.machines.compared import MachineCompared, compare_machines
from annotation.quality.policy import Policy as Parameters
from annotation.quality.wilson import Share
from annotation.trust.pages.grade_shares import GradeShare, shares_of
from annotation.trust.read.judgments import policy_inputs

CLOSE = 0.02  # a difference of shares below this is none worth a word


@dataclass(frozen=True)
class BiasRow:
    """Where people came to a grade: how the machine graded these pairs, and how far above (+) or below on average."""

    grade: int
    n: int
    shares: list[GradeShare]
    bias: float | None


@dataclass(frozen=True, eq=False)
class MachineRow:
    """`grades`: of the scale."""

    compared: MachineCompared
    grades: Sequence[int]
    excluded: bool

    @property
    def name(self) -> str:
        return self.compared.name

    @property
    def same(self) -> Share:
        """As the grade that people came to."""
        return Share(self.compared.n_same, self.compared.n_compared)

    @property
    def gold(self) -> Share:
        return Share(self.compared.n_right, self.compared.n_gold)

    @property
    def people_on_gold(self) -> Share:
        """People together on gold that both decided, that gold hidden."""
        return Share(self.compared.n_people_right, self.compared.n_both)

    @property
    def beside_people_on_gold(self) -> Share:
        """The machine on the same gold."""
        return Share(self.compared.n_machine_right, self.compared.n_both)

    @cached_property
    def kappa(self) -> Agreement:
        return cohen_kappa(self.compared.table, values=self.grades)

    @cached_property
    def weighted(self) -> Agreement:
        return cohen_kappa(self.compared.table, values=self.grades, weights=Weights.QUADRATIC)

    @cached_property
    def bias(self) -> list[BiasRow]:
        """By the grade of people; those that people gave to none of its pairs are left out."""
        values, table = np.array(self.grades), self.compared.table
        return [
            BiasRow(grade, n, shares_of(self.grades, row), float((row * (values - grade)).sum() / n) if n else None)
            for grade, row in zip(self.grades, table, strict=True)
            for n in [int(row.sum())]
            if n
        ]

    @property
    def mean_bias(self) -> float | None:
        if not self.compared.n_compared:
            return None
        values = np.array(self.grades)
        steps = values[None, :] - values[:, None]
        return float((self.compared.table * steps).sum() / self.compared.n_compared)

    @property
    def reading(self) -> list[str]:
        """What a careful reader would conclude, a sentence each."""
        return [*self._to_people(), *self._leaning(), *self._to_gold()]

    def _to_people(self) -> list[str]:
        found = self.compared
        if not found.n_compared:
            return ["People came to a grade on none of the pairs that it judged: there is nothing to compare it with."]
        if not found.n_met:
            return []
        alike = (
            f"With single people it agrees on {100 * found.with_people:.0f} % of {found.n_met} pairs, people with each "
        )
        alike += f"other on {100 * found.among_people:.0f} % of the same pairs"
        difference = found.with_people - found.among_people
        if abs(difference) < CLOSE:
            return [f"{alike}: it stands as close to people as they stand to each other."]
        return [f"{alike}: {'closer' if difference > 0 else 'farther'} than people to each other."]

    def _leaning(self) -> list[str]:
        mean = self.mean_bias
        if mean is None or abs(mean) < CLOSE:
            return []
        return [f"It grades {abs(mean):.2f} steps {'higher' if mean > 0 else 'lower'} than people on average."]

    def _to_gold(self) -> list[str]:
        both = self.compared.n_both
        if not both:
            return []
        machine, people = self.beside_people_on_gold.n_yes, self.people_on_gold.n_yes
        told = (
            f"Of {both} gold pairs that both decided, the machine is right on {machine}, people together on {people}; "
        )
        return [f"{told}people were asked with that gold hidden."]


def machine_report(annotator: Annotator, batches: Sequence[Batch], parameters: Parameters) -> list[MachineRow]:
    """The one row of a machine that judged in the batches; else none. `ValueError` as of `policy_inputs`."""
    rows = machine_rows(policy_inputs(annotator.collection, batches), parameters)
    return [row for row in rows if row.name == annotator.pseudonym]


def machine_rows(inputs: Inputs, parameters: Parameters) -> list[MachineRow]:
    """By pseudonym. Applies the policy to people some times more, where there are machines."""
    excluded = inputs.machines.excluded if inputs.machines else frozenset()
    return [
        MachineRow(found, inputs.scale.grades, code in excluded)
        for code, found in enumerate(compare_machines(inputs, parameters))
    ]
