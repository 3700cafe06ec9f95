"""Every two people side by side: how far they agree, who stands close and who far."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotation.kernel.results.recipes import BatchChoice, Parameters, Recipe, worked_out
from annotation.kernel.tables import Column, Kind, Table
from annotation.models import Batch, Collection
from annotation.quality.agreement import Weights, agreement_votes
from annotation.quality.agreement.cohen import cohen_values
from annotation.quality.agreement.couples import Couples, couples_of
from annotation.quality.agreement.two import LEAST_SHARED
from annotation.quality.arrays import Floats, Ints, divided, or_none
from annotation.quality.inputs import Inputs
from annotation.quality.purpose import CRITERION
from annotation.quality.wilson import Share
from annotation.trust.read.judgments import kept_inputs
from annotation.trust.read.results import result_of
from annotation.trust.read.withheld import usual_choices

MOST_IN_TABLE = 20  # people; more take a page wider than 1280 px
LISTED = 20


@dataclass(frozen=True)
class CoupleRow:
    """Two people by pseudonym; κ None where it is undefined. `low`, `high`: Wilson (95 %), of the share alike."""

    first: str
    second: str
    n: int
    same: float
    low: float
    high: float
    kappa: float | None
    weighted: float | None


@dataclass(frozen=True)
class Cell:
    """`tenth` shades it, from 0 to 10; None where there is no κ or too little to rest it on."""

    kappa: float | None
    n: int
    tenth: int | None


@dataclass(frozen=True)
class PersonLine:
    """A person's row of the table; None on the diagonal. `mean`: of their κ, by shared pairs."""

    number: int
    pseudonym: str
    mean: float | None
    cells: list[Cell | None]


@dataclass(frozen=True, eq=False)
class CouplesReport:
    """`names` by the couples' codes; coefficients in the order of the couples, NaN where undefined."""

    names: Sequence[str]
    couples: Couples
    same: Floats
    kappa: Floats
    weighted: Floats

    @cached_property
    def people(self) -> list[int]:
        """Who shares a pair with anybody."""
        return [int(code) for code in np.union1d(self.couples.first, self.couples.second)]

    @property
    def n_couples(self) -> int:
        return len(self.couples)

    @cached_property
    def ranked(self) -> Ints:
        """Couples that share enough to be told apart from chance, the closest first."""
        met = (self.couples.n_items >= LEAST_SHARED) & ~np.isnan(self.kappa)
        order = np.lexsort((-self.couples.n_items, -self.kappa))
        return order[met[order]]

    @property
    def n_ranked(self) -> int:
        return len(self.ranked)

    @property
    def fits(self) -> bool:
        return len(self.people) <= MOST_IN_TABLE

    @cached_property
    def closest(self) -> list[CoupleRow]:
        """All where there are few, else as many as are farthest, or one more."""
        n = self.n_ranked if self.n_ranked <= LISTED else min(LISTED, (self.n_ranked + 1) // 2)
        return [self._row(c) for c in self.ranked[:n].tolist()]

    @cached_property
    def farthest(self) -> list[CoupleRow]:
        """Never one that is among the closest."""
        far = self.ranked[max(len(self.closest), self.n_ranked - LISTED) :]
        return [self._row(c) for c in far[::-1].tolist()]

    @cached_property
    def table(self) -> list[PersonLine]:
        """Of people who fit in one, those who agree most with the others first."""
        if not self.fits:
            return []
        kappa, shared = self.couples.matrix(self.kappa), self.couples.shared
        mean = self._means
        order = sorted(self.people, key=lambda i: (np.isnan(mean[i]), -np.nan_to_num(mean[i]), self.names[i]))
        return [
            PersonLine(
                number,
                self.names[i],
                or_none(mean[i]),
                [None if i == j else _cell(float(kappa[i, j]), int(shared[i, j])) for j in order],
            )
            for number, i in enumerate(order, start=1)
        ]

    @property
    def every(self) -> list[CoupleRow]:
        """All couples, by pseudonym."""
        return [self._row(c) for c in range(self.n_couples)]

    @cached_property
    def _means(self) -> Floats:
        """(n_annotators,): mean κ over those who share enough, by the pairs shared; NaN where there is nobody."""
        n = len(self.names)
        at = self.ranked
        weight, value = self.couples.n_items[at].astype(np.float64), self.kappa[at]
        ends = np.concatenate([self.couples.first[at], self.couples.second[at]])
        total = np.bincount(ends, weights=np.tile(weight, 2), minlength=n)
        summed = np.bincount(ends, weights=np.tile(weight * value, 2), minlength=n)
        return divided(summed, total)

    def _row(self, c: int) -> CoupleRow:
        n, same = int(self.couples.n_items[c]), float(self.same[c])
        low, high = Share(round(same * n), n).interval
        names = (self.names[int(self.couples.first[c])], self.names[int(self.couples.second[c])])
        figures = (or_none(self.kappa[c]), or_none(self.weighted[c]))
        return CoupleRow(*names, n, same, low, high, *figures)


COUPLES: Table[CouplesReport, CoupleRow] = Table(
    (
        Column("first", lambda couple: couple.first),
        Column("second", lambda couple: couple.second),
        Column("shared", lambda couple: couple.n, Kind.WHOLE),
        Column("same", lambda couple: couple.same, Kind.NUMBER),
        Column("kappa", lambda couple: couple.kappa, Kind.NUMBER),
        Column("kappa_quadratic", lambda couple: couple.weighted, Kind.NUMBER),
    ),
    lambda report: report.every,
)


def couples_report(collection: Collection, batches: Sequence[Batch], criterion: str = CRITERION) -> CouplesReport:
    """On ordinary pairs, of people who are not excluded, no machines. `ValueError` as of `policy_inputs`."""

    return result_of(ALL_COUPLES, BatchChoice(collection, batches, criterion), {})


def _make(choice: BatchChoice, _parameters: Parameters) -> CouplesReport:
    return _couples_in(kept_inputs(choice.collection, choice.batches, choice.criterion))


def _settle(report: CouplesReport) -> None:
    for name in worked_out(CouplesReport):
        getattr(report, name)


def _usual(collection: Collection) -> list[tuple[BatchChoice, Parameters]]:
    return [(choice, {}) for choice in usual_choices(collection)]


ALL_COUPLES = Recipe("couples", _make, _settle, usual=_usual)


def _couples_in(inputs: Inputs) -> CouplesReport:
    names, values = inputs.table.annotators, inputs.scale.values
    couples = couples_of(inputs.once(agreement_votes)[0], inputs.scale, len(names))
    return CouplesReport(
        names,
        couples,
        same=couples.each(lambda tables: np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))),
        kappa=couples.each(lambda tables: cohen_values(tables, values)),
        weighted=couples.each(lambda tables: cohen_values(tables, values, weights=Weights.QUADRATIC)),
    )


def _cell(kappa: float, n: int) -> Cell:
    is_sure = n >= LEAST_SHARED and not np.isnan(kappa)
    return Cell(or_none(kappa), n, max(0, round(10 * kappa)) if is_sure else None)
