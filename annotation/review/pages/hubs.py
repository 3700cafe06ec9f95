"""The page of a topic and that of a document: what was judged of it, how far people agree, and who they are."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby

from annotation.kernel.tables import natural_order
from annotation.models.scale import Grade
from annotation.review.read.judged_pairs import JudgedPair, Said

FAR = 2  # steps between the lowest and the highest grade of a pair that people see differently
NAMED = 8  # people whose grades stand in a row of the table
MOST_PEOPLE = 20
NONE = "none"  # the filter for pairs without a grade

_Order = Callable[[JudgedPair], tuple[int, int]]
_ORDERS: Mapping[str, _Order] = {
    "grade": lambda pair: _known(pair.grade),
    "steps": lambda pair: _known(pair.steps),
    "judgments": lambda pair: (1, len(pair.said)),
}
SORTS = (*(f"-{key}" for key in _ORDERS), *_ORDERS)  # the first one unless another is wanted


@dataclass(frozen=True)
class PairRow:
    """A pair in the table. `title`: of what it has besides the page's own."""

    pair: JudgedPair
    title: str

    @property
    def by_grade(self) -> list[tuple[int | None, list[Said]]]:
        """Who gave which grade, the highest first, the first so many people; None where grades are not shown."""
        said = sorted(self.pair.said, key=lambda each: -1 if each.grade is None else each.grade, reverse=True)
        return [(grade, list(group)) for grade, group in groupby(said[:NAMED], key=lambda each: each.grade)]

    @property
    def n_more(self) -> int:
        return len(self.pair.said[NAMED:])


@dataclass(frozen=True)
class GradeChip:
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
        return [pair for pair in self.pairs if pair.said]

    @property
    def n_judgments(self) -> int:
        return sum(len(pair.said) for pair in self.pairs)

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
    def chips(self) -> list[GradeChip]:
        """Grades that occur, the highest first, then pairs without one."""
        counts = Counter(pair.grade for pair in self.pairs)
        names = {int(each["grade"]): each["name"] for each in self.grades}
        known = sorted((grade for grade in counts if grade is not None), reverse=True)
        chips = [
            GradeChip(str(grade), f"{grade} · {names.get(grade, 'not on the scale')}", counts[grade]) for grade in known
        ]
        return [*chips, *([GradeChip(NONE, "no grade", counts[None])] if counts[None] else [])]

    @cached_property
    def people(self) -> list[PersonRow]:
        """Whoever judged, those with the most judgments first."""
        said: dict[str, list[tuple[JudgedPair, Said]]] = {}
        for pair in self.pairs:
            for each in pair.said:
                said.setdefault(each.pseudonym, []).append((pair, each))
        rows = [_person(name, theirs) for name, theirs in said.items()]
        return sorted(rows, key=lambda row: (-row.n, row.pseudonym))

    def chosen(self, *, grade: str, sort: str) -> list[JudgedPair]:
        """Of a grade, if wanted, in an order of `SORTS`."""
        pairs = [pair for pair in self.pairs if grade in ("", _key(pair))]
        pairs.sort(key=lambda pair: (natural_order(pair.number), pair.docno))
        pairs.sort(key=_ORDERS[sort.removeprefix("-")], reverse=sort.startswith("-"))
        return pairs


def _person(pseudonym: str, theirs: Iterable[tuple[JudgedPair, Said]]) -> PersonRow:
    rows = list(theirs)
    others = [
        each.grade == own.grade
        for pair, own in rows
        for each in pair.said
        if each is not own and not each.aside and not own.aside and own.grade is not None
    ]
    return PersonRow(pseudonym, len(rows), sum(others), len(others), max(own.at for _, own in rows))


def _key(pair: JudgedPair) -> str:
    return NONE if pair.grade is None else str(pair.grade)


def _known(value: int | None) -> tuple[int, int]:
    """Below all others where there is none."""
    return (0, 0) if value is None else (1, value)
