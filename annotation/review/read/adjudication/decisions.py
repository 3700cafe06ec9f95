"""How those who decide have decided: as figures, as a list, as a file."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from annotation.models import Adjudication, Collection
from annotation.quality.blind_grades import BlindGrades, blind_grades
from annotation.quality.purpose import CRITERION
from annotation.quality.wilson import Share
from annotation.review.read.adjudication.contested import ContestedPairs

RECENT = 20


@dataclass(frozen=True)
class Figures:
    """`grades` is of the decisions with a grade that was given blind, `n_unblind` are the others, `n_withdrawn` those
    taken back. Times in seconds, medians; None where none is known."""

    grades: BlindGrades
    n_blind: int
    n_unblind: int
    n_withdrawn: int
    blind_s: float | None
    decide_s: float | None

    @property
    def n_decisions(self) -> int:
        return self.n_blind + self.n_unblind

    @property
    def shares(self) -> list[tuple[str, Share]]:
        """In words, one line each."""
        return [
            ("Mind changed after seeing the others’ grades", self.grades.changed),
            ("The blind grade is the median of reliable people", self.grades.same),
            ("It is the median or one step away", self.grades.near),
            ("Of minds changed: towards that median", self.grades.towards),
        ]

    @property
    def blind_in_words(self) -> str:
        return "" if self.blind_s is None else _in_words(self.blind_s)

    @property
    def decide_in_words(self) -> str:
        return "" if self.decide_s is None else _in_words(self.decide_s)


@dataclass(frozen=True)
class Decision:
    """`adjudicator`: a number in place of a name; `holds`: whether it counts now."""

    row: Adjudication
    adjudicator: int
    holds: bool


def figures_of(collection: Collection, contested: ContestedPairs, criterion: str = CRITERION) -> Figures:
    """Of every decision ever made on grades of this scale, also of those since revised or withdrawn. One query."""
    decisions = Adjudication.objects.filter(collection=collection, criterion=criterion).order_by("pk")
    columns = ("topic__number", "document__docno", "grade", "blind_grade", "knew", "blind_ms", "decide_ms")
    rows = list(decisions.values_list(*columns))
    grades = contested.scale.grades
    blind = [row for row in rows if row[3] in grades and row[2] in grades and not row[4]]
    n_decided = sum(row[2] is not None for row in rows)
    median = [contested.medians.get((row[0], row[1]), np.nan) for row in blind]
    before, after = (np.array([row[at] for row in blind], dtype=np.int64) for at in (3, 2))
    return Figures(
        grades=blind_grades(before, after, np.array(median, dtype=np.float64), contested.scale),
        n_blind=len(blind),
        n_unblind=n_decided - len(blind),
        n_withdrawn=len(rows) - n_decided,
        blind_s=_middle([row[5] for row in rows]),
        decide_s=_middle([row[6] for row in rows]),
    )


def recent_decisions(collection: Collection, criterion: str = CRITERION) -> list[Adjudication]:
    """The newest first."""
    rows = Adjudication.objects.filter(collection=collection, criterion=criterion)
    return list(rows.select_related("topic", "document", "created_by").order_by("-pk")[:RECENT])


def decisions_of(collection: Collection) -> Iterator[Decision]:
    """Every decision ever made, the earlier first. Who decided goes by a number, in the order of first decisions."""
    rows = list(Adjudication.objects.filter(collection=collection).select_related("topic", "document").order_by("pk"))
    last = {(row.topic_id, row.document_id, row.criterion): row.pk for row in rows}
    people: dict[int, int] = {}
    for row in rows:
        adjudicator = people.setdefault(row.created_by_id, len(people) + 1)
        holds = last[row.topic_id, row.document_id, row.criterion] == row.pk and row.grade is not None
        yield Decision(row, adjudicator, holds)


def _in_words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _middle(milliseconds: list[int | None]) -> float | None:
    values = [each for each in milliseconds if each is not None]
    return float(np.median(values)) / 1000 if values else None
