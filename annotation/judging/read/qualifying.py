"""How a person fares in a qualification round: their attempts, what comes next, what was said of an answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import (
    Participation,
    Qualification,
    QualificationAnswer,
    QualificationAttempt,
    QualificationItem,
)

ROUNDING = 1e-9  # shares are floating point: 0.28 of 25 pairs are 7


@dataclass(frozen=True)
class Tried:
    """An attempt with how many pairs are answered, and how many of them right."""

    number: int
    n_answered: int
    n_right: int
    passed: bool | None


@dataclass(frozen=True)
class RoundProgress:
    """How far a person is in a round. `tries_left` is None where one may try as often as one likes.

    `is_open`: whether an attempt may be begun now. One that is under way may always be ended.
    """

    n_pairs: int
    n_needed: int
    tries: list[Tried]
    tries_left: int | None
    is_open: bool

    @property
    def last(self) -> Tried | None:
        return self.tries[-1] if self.tries else None

    @property
    def is_running(self) -> bool:
        return self.last is not None and self.last.passed is None

    @property
    def has_passed(self) -> bool:
        return any(tried.passed for tried in self.tries)

    @property
    def may_begin(self) -> bool:
        return self.is_open and not self.is_running and not self.has_passed and self.tries_left != 0


@dataclass(frozen=True)
class GradeResult:
    """Of the pairs with these right grades: how many there are, and how many were answered right."""

    accepted: list[int]
    n: int
    n_right: int


def needed(qualification: Qualification, n_pairs: int) -> int:
    """How many first answers have to be right."""
    return ceil(qualification.pass_mark * n_pairs - ROUNDING)


def is_right(answer: QualificationAnswer) -> bool:
    return answer.grade in answer.item.accepted


def round_progress(qualification: Qualification, annotator: int) -> RoundProgress:
    """Three queries."""
    n_pairs = QualificationItem.objects.filter(qualification=qualification).count()
    attempts = list(attempts_of(qualification, annotator))
    return _progress(qualification, n_pairs, _tries_in(attempts))


def rounds_ahead(parts: Iterable[Participation]) -> dict[int, RoundProgress]:
    """The rounds that these parts in batches ask for and their people have not passed, by part. At most 3 queries."""
    asked = [part.pk for part in parts if part.batch.qualification_id is not None]
    if not asked:
        return {}
    attempts = QualificationAttempt.objects.filter(
        annotator=OuterRef("annotator"), qualification=OuterRef("batch__qualification")
    )
    ahead = Participation.objects.filter(~Exists(attempts.filter(passed=True)), pk__in=asked)
    counted = ahead.select_related("batch__qualification").annotate(
        n_pairs=Count("batch__qualification__items"), is_begun=Exists(attempts)
    )
    rounds = [(part, part.batch.qualification) for part in counted if part.batch.qualification]
    begun = [(part.annotator_id, qualification.pk) for part, qualification in rounds if part.is_begun]
    tries = _tries_by_person(begun) if begun else {}
    return {
        part.pk: _progress(qualification, part.n_pairs, tries.get((part.annotator_id, qualification.pk), []))
        for part, qualification in rounds
    }


def _tries_by_person(begun: list[tuple[int, int]]) -> dict[tuple[int, int], list[Tried]]:
    """By annotator and round, as in `begun`. Two queries."""
    annotators, rounds = map(set, zip(*begun, strict=True))
    of_rounds = QualificationAttempt.objects.filter(annotator__in=annotators, qualification__in=rounds)
    attempts = list(of_rounds.order_by("number"))
    tries: dict[tuple[int, int], list[Tried]] = {}
    for attempt, tried in zip(attempts, _tries_in(attempts), strict=True):
        tries.setdefault((attempt.annotator_id, attempt.qualification_id), []).append(tried)
    return tries


def _tries_in(attempts: list[QualificationAttempt]) -> list[Tried]:
    """In one query."""
    right = right_by_attempt(QualificationAnswer.objects.filter(attempt__in=attempts))
    return [Tried(each.number, *right.get(each.pk, (0, 0)), each.passed) for each in attempts]


def _progress(qualification: Qualification, n_pairs: int, tries: list[Tried]) -> RoundProgress:
    most = qualification.most_attempts
    return RoundProgress(
        n_pairs=n_pairs,
        n_needed=needed(qualification, n_pairs),
        tries=tries,
        tries_left=max(0, most - len(tries)) if most else None,
        is_open=qualification.state == Qualification.State.OPEN,
    )


def attempts_of(qualification: Qualification, annotator: int) -> QuerySet[QualificationAttempt]:
    """The person's attempts, the first one first."""
    return QualificationAttempt.objects.filter(qualification=qualification, annotator=annotator).order_by("number")


def last_attempt(qualification: Qualification, annotator: int) -> QualificationAttempt | None:
    return attempts_of(qualification, annotator).last()


def pairs_in_order(attempt: QualificationAttempt) -> list[QualificationItem]:
    """The pairs as this attempt meets them: as written the first time, later shuffled, so that order is no answer."""
    items = list(QualificationItem.objects.filter(qualification=attempt.qualification_id).order_by("position"))
    if attempt.number > 1:
        items.sort(key=lambda item: sha256(f"{attempt.annotator_id} {attempt.number} {item.token}".encode()).digest())
    return items


def answers_in(attempt: QualificationAttempt) -> list[QualificationAnswer]:
    """In the order in which they were given."""
    answers = QualificationAnswer.objects.filter(attempt=attempt).order_by("pk")
    whole = answers.select_related("item__topic_version", "item__document_version")
    return list(whole.defer("item__document_version__text"))


def answer_to(attempt: QualificationAttempt, token: str) -> QualificationAnswer | None:
    """The answer to the pair with this token, with its texts."""
    answers = QualificationAnswer.objects.filter(attempt=attempt, item__token=token)
    return answers.select_related("item__topic_version__topic", "item__document_version").first()


def with_texts(item: QualificationItem) -> QualificationItem:
    return QualificationItem.objects.select_related("topic_version__topic", "document_version").get(pk=item.pk)


def next_pair(attempt: QualificationAttempt) -> QualificationItem:
    """The first pair of an attempt under way that is not answered, with its texts."""
    answered = {answer.item_id for answer in answers_in(attempt)}
    return with_texts(next(item for item in pairs_in_order(attempt) if item.pk not in answered))


def results_by_grade(answers: Iterable[QualificationAnswer]) -> list[GradeResult]:
    """By the grades that are right, the lowest first."""
    groups: dict[tuple[int, ...], list[bool]] = {}
    for answer in answers:
        groups.setdefault(tuple(answer.item.accepted), []).append(is_right(answer))
    return [GradeResult(list(accepted), len(right), sum(right)) for accepted, right in sorted(groups.items())]


def right_by_attempt(answers: QuerySet[QualificationAnswer]) -> dict[int, tuple[int, int]]:
    """How many pairs are answered in each attempt, and how many of them right. One query."""
    counts: dict[int, tuple[int, int]] = {}
    for answer in answers.select_related("item"):
        n, n_right = counts.get(answer.attempt_id, (0, 0))
        counts[answer.attempt_id] = (n + 1, n_right + is_right(answer))
    return counts
