"""What is known of the pairs of a topic, or of a document: who gave which grade, gold, and the last word."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import floor
from statistics import median
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from annotation.gold.read.current import current_gold
from annotation.gold.read.known_grades import Pair
from annotation.judging.read.pauses import current_exclusions
from annotation.kernel.visible import visible_judgments
from annotation.models import Adjudication, Annotator, Assignment, Collection, Document, Planting, ScaleVersion, Topic
from annotation.quality.purpose import CRITERION


def _looked_up(rows: QuerySet[Any], key: str, column: str) -> Subquery:
    """One column of the row that the judgment's `key` names: so many looks as there are judgments. A join would make
    PostgreSQL read the whole table where it is not much larger."""
    return Subquery(rows.filter(pk=OuterRef(key)).values(column))


_COLUMNS = (
    "topic__number",
    _looked_up(Document.objects.all(), "document", "docno"),
    _looked_up(Assignment.objects.all(), "assignment", "reading"),
    _looked_up(Planting.objects.all(), "item", "purpose"),
    "annotator__pseudonym",
    "grade",
    "annotator__kind",
    "blind",
    "surplus",
    "scale",
    "created_at",
)


@dataclass(frozen=True)
class HubJudgment:
    """One annotator's judgment of a pair. `aside`: why it does not count, empty where it may. `grade`: None where the
    reader may not see it."""

    pseudonym: str
    grade: int | None
    aside: str
    at: datetime


@dataclass(frozen=True)
class JudgedPair:
    """`judgments`: the last judgment of each annotator. `is_kept`: nobody's grade is here, as the reader may decide."""

    number: str
    docno: str
    judgments: tuple[HubJudgment, ...] = ()
    gold: int | None = None
    decided: int | None = None
    is_kept: bool = False

    @property
    def counted(self) -> list[int]:
        """The grades that may count, in ascending order."""
        return sorted(each.grade for each in self.judgments if each.grade is not None and not each.aside)

    @property
    def grade(self) -> int | None:
        """The last word; else the median of the counted grades, rounded down; None where there is neither."""
        if self.decided is not None:
            return self.decided
        return floor(median(self.counted)) if self.counted else None

    @property
    def steps(self) -> int | None:
        """From the lowest to the highest counted grade; None where fewer than two people graded."""
        return self.counted[-1] - self.counted[0] if len(self.counted) > 1 else None


def judged_pairs(
    collection: Collection,
    *,
    kept: Container[Pair],
    topic: Topic | None = None,
    document: Document | None = None,
    criterion: str = CRITERION,
) -> list[JudgedPair]:
    """Pairs of a topic or of a document that were judged, are gold or decided; attention checks are left out.

    Of the pairs in `kept`, unless they are gold, grades are left out. Five queries.
    """
    of: dict[str, object] = {"topic": topic} if topic else {"document": document}
    names = ("topic__number", "document__docno", "grade")
    gold = current_gold(collection, criterion, of=of)
    gold_by_pair = {(number, docno): grade for number, docno, grade in gold.values_list(*names)}
    decisions = Adjudication.objects.filter(collection=collection, criterion=criterion, **of).order_by("pk")
    last = {(number, docno): grade for number, docno, grade in decisions.values_list(*names)}
    by_pair = _by_pair_and_person(collection, of, criterion)
    pairs = dict.fromkeys((*by_pair, *gold_by_pair, *(pair for pair, grade in last.items() if grade is not None)))
    return [
        _pair(pair, by_pair.get(pair, {}).values(), gold_by_pair.get(pair), last.get(pair), is_kept=pair in kept)
        for pair in pairs
    ]


def _pair(
    pair: Pair, judgments: Iterable[HubJudgment], gold: int | None, decided: int | None, *, is_kept: bool
) -> JudgedPair:
    hidden = is_kept and gold is None and decided is None
    rows = (HubJudgment(each.pseudonym, None, each.aside, each.at) if hidden else each for each in judgments)
    return JudgedPair(*pair, tuple(sorted(rows, key=lambda each: each.pseudonym)), gold, decided, hidden)


def _by_pair_and_person(
    collection: Collection, of: dict[str, object], criterion: str
) -> dict[Pair, dict[str, HubJudgment]]:
    """By pair and pseudonym; of several judgments of one person the last, their first reading alone."""
    judgments = visible_judgments(collection).filter(criterion=criterion, **of).order_by("pk")
    excluded = current_exclusions(collection)
    scales = ScaleVersion.objects.filter(collection=collection)
    grades = {scale.pk: {int(each["grade"]) for each in scale.grades} for scale in scales}
    by_pair: dict[Pair, dict[str, HubJudgment]] = {}
    rows = judgments.values_list(*_COLUMNS)
    for number, docno, reading, purpose, name, grade, kind, blind, surplus, scale, at in rows:
        if reading != 1 or purpose == Planting.Purpose.CHECK:
            continue
        against = {
            "machine judge": kind == Annotator.Kind.MACHINE,
            "excluded": name in excluded,
            "not blind": not blind,
            "too late": surplus,
            "could not judge": grade not in grades[scale],
        }
        aside = next((words for words, holds in against.items() if holds), "")
        by_pair.setdefault((number, docno), {})[name] = HubJudgment(name, grade, aside, at)
    return by_pair
