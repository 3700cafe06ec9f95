"""How a person's grades compare with known ones, as was told to them, and their objections.

Reads what was copied for the person, and nothing of anybody else's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from annotation.models import Appeal, Batch, DocumentVersion, Feedback, Judgment, Participation, TopicVersion, User


class Verdict(StrEnum):
    """How far a grade is from the nearest accepted one, in steps of the scale."""

    RIGHT = "right"
    ONE_OFF = "one off"
    FAR_OFF = "far off"
    WITHDRAWN = "withdrawn"


TONES = {Verdict.RIGHT: "ok", Verdict.ONE_OFF: "warn", Verdict.FAR_OFF: "bad", Verdict.WITHDRAWN: ""}


@dataclass(frozen=True)
class NamedGrade:
    """A grade with its name on the batch's scale."""

    grade: int
    name: str


@dataclass(frozen=True)
class Result:
    """One judgment and what was told of it. `token` is of the judgment; `appeal`, the person's last objection."""

    token: str
    number: str
    topic: TopicVersion
    document: DocumentVersion
    mine: NamedGrade
    known: NamedGrade
    also_accepted: list[NamedGrade]
    explanation: str
    comment: str
    judged_at: datetime
    is_new: bool
    verdict: Verdict
    above: int  # steps above the nearest accepted grade, below 0 where it lies below
    appeal: Appeal | None = None

    @property
    def tone(self) -> str:
        return TONES[self.verdict]

    @property
    def can_object(self) -> bool:
        """Where the person was told to be off, and has not had an answer about this very grade."""
        off = self.verdict in (Verdict.ONE_OFF, Verdict.FAR_OFF)
        return off and (self.appeal is None or (self.appeal.is_answered and self.appeal.told_grade != self.known.grade))


@dataclass(frozen=True)
class OwnResults:
    """Everything told to a person in a batch, the latest judgment first."""

    results: Sequence[Result]

    @cached_property
    def counts(self) -> dict[str, int]:
        return {each.value: sum(result.verdict is each for result in self.results) for each in Verdict}

    @property
    def n_right(self) -> int:
        return self.counts[Verdict.RIGHT]

    @property
    def n_one_off(self) -> int:
        return self.counts[Verdict.ONE_OFF]

    @property
    def n_far_off(self) -> int:
        return self.counts[Verdict.FAR_OFF]

    @property
    def n_counted(self) -> int:
        """All but those whose known grade was withdrawn."""
        return len(self.results) - self.counts[Verdict.WITHDRAWN]

    @property
    def n_above(self) -> int:
        return sum(result.above > 0 for result in self.results)

    @property
    def n_below(self) -> int:
        return sum(result.above < 0 for result in self.results)

    @property
    def n_new(self) -> int:
        return sum(result.is_new for result in self.results)

    def of(self, verdict: str) -> list[Result]:
        """Those of a verdict; all, where there is none of that name."""
        if verdict not in list(Verdict):
            return list(self.results)
        return [result for result in self.results if result.verdict == verdict]


def results_of(participation: Participation) -> OwnResults:
    """Two queries. Documents come without their texts."""
    rows = _with_judgment(participation).defer("assignment__item__document_version__text")
    appeals = _appeals(participation)
    return OwnResults([_result(row, participation.batch, appeals.get(row.pk)) for row in rows])


def result_of(participation: Participation, token: str) -> Result | None:
    """The one of the judgment with this token."""
    row = _with_judgment(participation).filter(token=token).first()
    return _result(row, participation.batch, _appeals(participation).get(row.pk)) if row else None


def feedback_of(participation: Participation, token: str) -> Feedback | None:
    """What was told of the person's judgment with this token."""
    return own_feedback(participation).filter(assignment__judgments__token=token).first()


def own_feedback(participation: Participation) -> QuerySet[Feedback]:
    """What was told to the person in the batch."""
    return Feedback.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)


def own_appeals(participation: Participation) -> QuerySet[Appeal]:
    """What the person has objected to in the batch."""
    return Appeal.objects.filter(annotator=participation.annotator_id, feedback__batch=participation.batch_id)


def batches_with_news(person: User) -> list[tuple[Batch, int]]:
    """Where something was told that the person has not marked as read, and how much. One query."""
    new = Feedback.objects.filter(annotator__user=person, seen_at__isnull=True).select_related("batch")
    return list(Counter(row.batch for row in new.order_by("batch").defer("explanation")).items())


def batches_with_answers(person: User) -> list[tuple[Batch, int]]:
    """Where objections were answered and the answer is not marked as read, and how many. One query."""
    appeals = Appeal.objects.filter(annotator__user=person, seen_at__isnull=True)
    answered = appeals.exclude(state=Appeal.State.OPEN).select_related("feedback__batch")
    return list(Counter(appeal.feedback.batch for appeal in answered.order_by("feedback__batch")).items())


def _appeals(participation: Participation) -> dict[int, Appeal]:
    """The last objection to each row that was told, by the row's id. One query."""
    return {appeal.feedback_id: appeal for appeal in own_appeals(participation).order_by("pk")}


def _with_judgment(participation: Participation) -> "QuerySet[Any]":
    """What was told, each row with the judgment that it is about: the last one saved before."""
    judgment = Judgment.objects.filter(
        assignment=OuterRef("assignment"), created_at__lte=OuterRef("created_at")
    ).order_by("-revision")
    texts = ("assignment__item__topic", "assignment__item__topic_version", "assignment__item__document_version")
    return (
        own_feedback(participation)
        .annotate(
            token=Subquery(judgment.values("token")[:1]),
            mine=Subquery(judgment.values("grade")[:1]),
            comment=Subquery(judgment.values("comment")[:1]),
        )
        .select_related(*texts)
        .order_by("-assignment__ended_at", "-pk")
    )


def _result(row: Any, batch: Batch, appeal: Appeal | None) -> Result:
    item, scale = row.assignment.item, batch.scale
    topic, document = item.texts
    rank = {each["grade"]: at for at, each in enumerate(scale.grades)}
    above = _steps(rank, row.mine, row.accepted)
    return Result(
        token=row.token,
        number=item.topic.number,
        topic=topic,
        document=document,
        mine=NamedGrade(row.mine, scale.name_of(row.mine)),
        known=NamedGrade(row.grade, scale.name_of(row.grade)),
        also_accepted=[NamedGrade(each, scale.name_of(each)) for each in row.accepted if each != row.grade],
        explanation=row.explanation,
        comment=row.comment,
        judged_at=row.assignment.ended_at,
        is_new=row.seen_at is None or bool(appeal and appeal.is_unread),
        verdict=_verdict(row.accepted, above),
        above=above,
        appeal=appeal,
    )


def _steps(rank: dict[int, int], mine: int, accepted: Sequence[int]) -> int:
    """From the nearest accepted grade, in steps of the scale."""
    return min((rank[mine] - rank[each] for each in accepted), key=abs, default=0)


def _verdict(accepted: Sequence[int], above: int) -> Verdict:
    if not accepted:
        return Verdict.WITHDRAWN
    return (Verdict.RIGHT, Verdict.ONE_OFF)[abs(above)] if abs(above) < 2 else Verdict.FAR_OFF
