"""Qualification rounds as those who lead a collection see them: the list, the pairs, who passed, what was hard."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotation.corpus.read.texts import documents_with_text, topics_with_text
from annotation.gold.read.current import gold_rows
from annotation.judging.read.qualifying import Tried, right_by_attempt
from annotation.models import (
    Annotator,
    Batch,
    Collection,
    GoldEvent,
    Participation,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)


@dataclass(frozen=True)
class RoundRow:
    """A round in the list."""

    qualification: Qualification
    n_pairs: int
    n_people: int
    n_passed: int


@dataclass(frozen=True)
class PersonResult:
    """Someone who is asked to do the round, or has begun it. `tries_left` None: as many as they like."""

    annotator: Annotator
    tries: list[Tried]
    tries_left: int | None
    last_at: datetime | None

    @property
    def has_passed(self) -> bool:
        return any(tried.passed for tried in self.tries)

    @property
    def is_out(self) -> bool:
        """Whether they have failed and cannot try again."""
        return self.tries_left == 0 and not self.has_passed and all(tried.passed is False for tried in self.tries)


@dataclass(frozen=True)
class PairResult:
    """How people met a pair the first time. `shares`: grade and how often it was given, in the order of the scale."""

    item: QualificationItem
    n: int
    n_right: int
    shares: list[tuple[int, int]]


def round_rows(collection: Collection) -> list[RoundRow]:
    """The rounds of a collection, the newest first. Two queries."""
    rounds = Qualification.objects.filter(collection=collection).annotate(pairs=Count("items")).order_by("-pk")
    attempts = QualificationAttempt.objects.filter(qualification__collection=collection).values_list("qualification")
    people = attempts.annotate(
        n=Count("annotator", distinct=True), passed=Count("annotator", distinct=True, filter=Q(passed=True))
    )
    counts = {pk: (n, n_passed) for pk, n, n_passed in people}
    return [RoundRow(each, each.pairs, *counts.get(each.pk, (0, 0))) for each in rounds]


def pairs_of(qualification: Qualification) -> QuerySet[QualificationItem]:
    """In their order, with topic and document."""
    pairs = QualificationItem.objects.filter(qualification=qualification)
    return pairs.select_related("topic_version__topic", "document_version__document").order_by("position")


def pairs_taken(qualification: Qualification) -> set[tuple[int, int]]:
    """Topics and documents of the round, by row ids."""
    pairs = QualificationItem.objects.filter(qualification=qualification)
    return set(pairs.values_list("topic_version__topic_id", "document_version__document_id"))


def gold_to_choose(qualification: Qualification, *, words: str = "", grade: int | None = None) -> QuerySet[GoldEvent]:
    """Gold on the round's scale whose texts are here to be read and that the round does not have yet."""
    collection = qualification.collection
    golds = gold_rows(collection, words=words, grade=grade).filter(
        scale=qualification.scale_id,
        topic__in=topics_with_text(collection),
        document__in=documents_with_text(collection),
    )
    same_pair = {"topic_version__topic": OuterRef("topic"), "document_version__document": OuterRef("document")}
    return golds.exclude(Exists(QualificationItem.objects.filter(qualification=qualification, **same_pair)))


def person_results(qualification: Qualification) -> list[PersonResult]:
    """Who takes part in a batch that asks for the round, or has begun it; by pseudonym. Three queries."""
    attempts: dict[int, list[QualificationAttempt]] = {}
    for attempt in QualificationAttempt.objects.filter(qualification=qualification).order_by("number"):
        attempts.setdefault(attempt.annotator_id, []).append(attempt)
    right = right_by_attempt(QualificationAnswer.objects.filter(attempt__qualification=qualification))
    asked = Participation.objects.filter(batch__qualification=qualification, is_active=True).values("annotator")
    people = Annotator.objects.filter(Q(pk__in=asked) | Q(pk__in=attempts)).order_by("pseudonym")
    most = qualification.most_attempts
    return [_person(each, attempts.get(each.pk, []), right, most) for each in people]


def pair_results(qualification: Qualification) -> list[PairResult]:
    """Each pair of the round with the answers of first attempts: later ones know what is right. Two queries."""
    firsts = QualificationAnswer.objects.filter(attempt__qualification=qualification, attempt__number=1)
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for item, grade in firsts.values_list("item_id", "grade"):
        counts[item][grade] += 1
    grades = [step["grade"] for step in qualification.scale.grades]
    return [_pair(item, counts[item.pk], grades) for item in pairs_of(qualification)]


def asking_batches(qualification: Qualification) -> QuerySet[Batch]:
    return Batch.objects.filter(qualification=qualification).order_by("name")


def _person(
    annotator: Annotator, attempts: list[QualificationAttempt], right: dict[int, tuple[int, int]], most: int
) -> PersonResult:
    tries = [Tried(each.number, *right.get(each.pk, (0, 0)), each.passed) for each in attempts]
    left = max(0, most - len(tries)) if most else None
    last = attempts[-1] if attempts else None
    return PersonResult(annotator, tries, left, (last.ended_at or last.started_at) if last else None)


def _pair(item: QualificationItem, counts: Counter[int], grades: list[int]) -> PairResult:
    n_right = sum(n for grade, n in counts.items() if grade in item.accepted)
    return PairResult(item, counts.total(), n_right, [(grade, counts[grade]) for grade in grades])
