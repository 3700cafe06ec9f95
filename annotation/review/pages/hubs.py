"""The page of a topic and that of a document: what was judged of it, how far people agree, and who they are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from annotation.kernel.tables import natural_order
from annotation.models.scale import Grade
from annotation.review.read.judged_pairs import HubJudgment, JudgedPair

FAR = 2  # steps between the lowest and the highest grade of a pair that people see differently
MOST_PEOPLE = 20
NONE = "none"  # the filter for pairs without a grade


@dataclass(frozen=True)
class GradeCount:
    """How many pairs have a grade; `key`: its filter in the address."""

    key: str
    name: str
    n: int


@dataclass(frozen=True)
class PersonRow:
    """`n_same` of `n_compared`: of the times somebody else graded the same pair, how often the grade was the same."""

    pseudonym: str
    n: int
    n_same: int
    n_compared: int
    last: datetime

    @property
    def percent(self) -> int | None:
        return round(100 * self.n_same / self.n_compared) if self.n_compared else None


@dataclass(frozen=True)
class Hub:
    """The pairs of a topic or a document, and the grades of the scale."""

    pairs: Sequence[JudgedPair]
    grades: Sequence[Grade]

    @cached_property
    def judged(self) -> list[JudgedPair]:
        return [pair for pair in self.pairs if pair.judgments]

    @property
    def n_judgments(self) -> int:
        return sum(len(pair.judgments) for pair in self.pairs)

    @property
    def n_gold(self) -> int:
        return sum(pair.gold is not None for pair in self.pairs)

    @property
    def n_decided(self) -> int:
        return sum(pair.decided is not None for pair in self.pairs)

    @property
    def n_kept(self) -> int:
        return sum(pair.is_kept for pair in self.pairs)

    @cached_property
    def n_compared(self) -> int:
        """Pairs that two people or more have graded, as far as the reader may see."""
        return sum(pair.steps is not None for pair in self.pairs)

    @property
    def n_far(self) -> int:
        return sum(pair.steps is not None and pair.steps >= FAR for pair in self.pairs)

    @cached_property
    def by_grade(self) -> list[GradeCount]:
        """Grades that occur, the highest first, then pairs without one."""
        counts = Counter(pair.grade for pair in self.pairs)
        names = {int(each["grade"]): each["name"] for each in self.grades}
        grades = sorted((grade for grade in counts if grade is not None), reverse=True)
        rows = [
            GradeCount(str(grade), f"{grade} · {names.get(grade, 'not on the scale')}", counts[grade])
            for grade in grades
        ]
        return [*rows, *([GradeCount(NONE, "no grade", counts[None])] if counts[None] else [])]

    @cached_property
    def people(self) -> list[PersonRow]:
        """Whoever judged, those with the most judgments first."""
        by_person: dict[str, list[tuple[JudgedPair, HubJudgment]]] = {}
        for pair in self.pairs:
            for each in pair.judgments:
                by_person.setdefault(each.pseudonym, []).append((pair, each))
        rows = [_person(name, theirs) for name, theirs in by_person.items()]
        return sorted(rows, key=lambda row: (-row.n, row.pseudonym))

    @property
    def ordered(self) -> list[JudgedPair]:
        """The highest grade first, those without one last."""
        pairs = sorted(self.pairs, key=lambda pair: (natural_order(pair.number), pair.docno))
        return sorted(pairs, key=lambda pair: (pair.grade is None, -(pair.grade or 0)))


def _person(pseudonym: str, theirs: Iterable[tuple[JudgedPair, HubJudgment]]) -> PersonRow:
    rows = list(theirs)
    others = [
        each.grade == own.grade
        for pair, own in rows
        for each in pair.judgments
        if each is not own and not each.aside and not own.aside and own.grade is not None
    ]
    return PersonRow(pseudonym, len(rows), sum(others), len(others), max(own.at for _, own in rows))


def grade_key(pair: JudgedPair) -> str:
    return NONE if pair.grade is None else str(pair.grade)
