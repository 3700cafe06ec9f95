"""Qualification rounds, and how people went through them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import Case, Exists, OuterRef, QuerySet, When

from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import (
    ANNOTATOR,
    DOCUMENT_VERSION,
    QUALIFICATION,
    SCALE,
    TOPIC_VERSION,
    Reference,
)
from annotation.exchange.steps.bundles.parts.texts import with_sanitised_texts
from annotation.formats.bundle.training_rows import AnswerRow, AttemptRow, QualificationPairRow, QualificationRow
from annotation.models import Qualification, QualificationAnswer, QualificationAttempt, QualificationItem

_ATTEMPT = {"qualification": "qualification__name", "annotator": "annotator__pseudonym", "attempt": "number"}
_PAIR = {"qualification": "qualification__name", "position": "position"}


class Qualifications(Part[QualificationRow]):
    name, row, model = "qualifications", QualificationRow, Qualification
    references = (SCALE,)
    since = 2


class QualificationPairs(Part[QualificationPairRow]):
    name, row, model = "qualification_pairs", QualificationPairRow, QualificationItem
    references = (QUALIFICATION, TOPIC_VERSION, DOCUMENT_VERSION)
    since = 2

    def insert(self, rows: Sequence[QualificationPairRow]) -> list[Any]:
        return super().insert(with_sanitised_texts(rows, self.transfer.sanitised))


class QualificationAttempts(Part[AttemptRow]):
    """One that was ended by an answer which does not go along has not ended yet."""

    name, row, model = "qualification_attempts", AttemptRow, QualificationAttempt
    references = (QUALIFICATION, ANNOTATOR)
    paths = {"ended_at": "bundle_ended_at", "passed": "bundle_passed"}
    since = 2

    def outgoing(self) -> "QuerySet[QualificationAttempt]":
        later = Exists(QualificationAnswer.objects.filter(attempt=OuterRef("pk"), pk__gt=self.transfer.last_answer))
        return QualificationAttempt.objects.filter(qualification__collection=self.collection).annotate(
            bundle_ended_at=Case(When(later, then=None), default="ended_at"),
            bundle_passed=Case(When(later, then=None), default="passed"),
        )

    def fault(self, row: AttemptRow) -> str:
        if (row.ended_at is None) != (row.passed is None):
            return "an attempt that has ended was passed or not, any other is open"
        return ""


class QualificationAnswers(Part[AnswerRow]):
    name, row, model = "qualification_answers", AnswerRow, QualificationAnswer
    references = (
        Reference("attempt", QualificationAttempt, _ATTEMPT, "attempt"),
        Reference("item", QualificationItem, _PAIR, "pair of the round"),
    )
    since = 2

    def outgoing(self) -> "QuerySet[QualificationAnswer]":
        return self.table(self.collection).filter(pk__lte=self.transfer.last_answer)
