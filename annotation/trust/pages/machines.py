"""Machine judges as a page shows them: beside people, each figure with what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.kernel.tables import Column, Kind
from annotation.models import Annotator, Batch
from annotation.quality.agreement import Agreement, Weights
from annotation.quality.agreement.cohen import cohen_kappa
from annotation.quality.inputs import Inputs
from annotation.quality.machines.compared import MachineCompared, compare_machines
from annotation.quality.policy import Policy as Parameters
from annotation.quality.wilson import Share
from annotation.text.counted import counted
from annotation.trust.pages.grade_shares import GradeShare, shares_of
from annotation.trust.read.judgments import kept_inputs

CLOSE = 0.02  # a difference of shares below this is none worth a word


@dataclass(frozen=True)
class BiasRow:
    """Where people came to a grade: how the machine graded these pairs, and how far above (+) or below on average."""

    grade: int
    n: int
    shares: list[GradeShare]
    bias: float | None


@dataclass(frozen=True)
class MachineCell:
    """Pairs by the grade that people came to and the machine's."""

    name: str
    people_grade: int
    machine_grade: int
    n: int


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
    def cells(self) -> list[MachineCell]:
        """Every cell of the table, those without a pair, too."""
        return [
            MachineCell(self.name, people, machine, int(n))
            for people, row in zip(self.grades, self.compared.table, strict=True)
            for machine, n in zip(self.grades, row, strict=True)
        ]

    @property
    def mean_bias(self) -> float | None:
        if not self.compared.n_compared:
            return None
        values = np.array(self.grades)
        steps = values[None, :] - values[:, None]
        return float((self.compared.table * steps).sum() / self.compared.n_compared)

    @property
    def conclusions(self) -> list[str]:
        """What a careful reader would conclude, a sentence each."""
        return [*self._to_people(), *self._leaning(), *self._to_gold()]

    def _to_people(self) -> list[str]:
        machine = self.compared
        if not machine.n_compared:
            return ["People came to a grade on none of the pairs that it judged: there is nothing to compare it with."]
        if not machine.n_met:
            return []
        alike = (
            f"With single people it agrees on {100 * machine.with_people:.0f} % of {counted(machine.n_met, 'pair')}, "
            f"people with each other on {100 * machine.among_people:.0f} % of the same pairs"
        )
        difference = machine.with_people - machine.among_people
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
        sentence = (
            f"Of {counted(both, 'gold pair')} that both decided, the machine is right on {machine}, "
            f"people together on {people}; people were asked with that gold hidden."
        )
        return [sentence]


# `met`: pairs that two people or more judged, too; `both`: gold that both decided.
MACHINES: tuple[Column[MachineRow], ...] = (
    Column("machine", lambda row: row.name),
    Column("excluded", lambda row: row.excluded, Kind.YES_NO),
    Column("judged", lambda row: row.compared.n_judged, Kind.WHOLE),
    Column("compared", lambda row: row.compared.n_compared, Kind.WHOLE),
    Column("same", lambda row: row.same.value, Kind.NUMBER),
    Column("same_low", lambda row: row.same.low, Kind.NUMBER),
    Column("same_high", lambda row: row.same.high, Kind.NUMBER),
    Column("kappa", lambda row: row.kappa.value, Kind.NUMBER),
    Column("kappa_quadratic", lambda row: row.weighted.value, Kind.NUMBER),
    Column("met", lambda row: row.compared.n_met, Kind.WHOLE),
    Column("with_people", lambda row: row.compared.with_people if row.compared.n_met else None, Kind.NUMBER),
    Column("among_people", lambda row: row.compared.among_people if row.compared.n_met else None, Kind.NUMBER),
    Column("bias", lambda row: row.mean_bias, Kind.NUMBER),
    Column("gold", lambda row: row.compared.n_gold, Kind.WHOLE),
    Column("right_on_gold", lambda row: row.gold.value, Kind.NUMBER),
    Column("right_low", lambda row: row.gold.low, Kind.NUMBER),
    Column("right_high", lambda row: row.gold.high, Kind.NUMBER),
    Column("both", lambda row: row.compared.n_both, Kind.WHOLE),
    Column("machine_right", lambda row: row.compared.n_machine_right, Kind.WHOLE),
    Column("people_right", lambda row: row.compared.n_people_right, Kind.WHOLE),
)

MACHINE_GRADES: tuple[Column[MachineCell], ...] = (
    Column("machine", lambda cell: cell.name),
    Column("people_grade", lambda cell: cell.people_grade, Kind.WHOLE),
    Column("machine_grade", lambda cell: cell.machine_grade, Kind.WHOLE),
    Column("pairs", lambda cell: cell.n, Kind.WHOLE),
)


def machine_report(annotator: Annotator, batches: Sequence[Batch], parameters: Parameters) -> list[MachineRow]:
    """The one row of a machine that judged in the batches; else none. `ValueError` as of `policy_inputs`."""
    rows = machine_rows(kept_inputs(annotator.collection, batches), parameters)
    return [row for row in rows if row.name == annotator.pseudonym]


def machine_rows(inputs: Inputs, parameters: Parameters) -> list[MachineRow]:
    """By pseudonym. Applies the policy to people some times more, where there are machines."""
    excluded = inputs.machines.excluded if inputs.machines else frozenset()
    return [
        MachineRow(compared, inputs.scale.grades, code in excluded)
        for code, compared in enumerate(compare_machines(inputs, parameters))
    ]
