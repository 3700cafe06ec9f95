"""A qualification round: begin it, answer a pair, read what is right and why; at the end, how it went."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.api.desk_serializers import CardDocumentSerializer, ScaleStepSerializer
from annotation.judging.api.judge import JudgeAddress
from annotation.judging.forms import AnswerForm
from annotation.judging.read.card_documents import DocumentOptions, card_document
from annotation.judging.read.qualifying import (
    GradeResult,
    RoundProgress,
    Tried,
    answer_to,
    answers_in,
    is_right,
    last_attempt,
    next_pair,
    results_by_grade,
    round_progress,
)
from annotation.judging.steps.qualifying import answer_pair, begin_attempt
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.api.page import validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange, cleaned
from annotation.models import Participation, Qualification, QualificationAnswer, QualificationItem


class TriedRoundSerializer(serializers.Serializer[Tried]):
    number = serializers.IntegerField()
    n_answered = serializers.IntegerField()
    n_right = serializers.IntegerField()
    passed = serializers.BooleanField(allow_null=True, help_text="null while it is under way.")


class OwnRoundProgressSerializer(serializers.Serializer[RoundProgress]):
    n_pairs = serializers.IntegerField()
    n_needed = serializers.IntegerField(help_text="First answers that have to be right.")
    tries = TriedRoundSerializer(many=True)
    tries_left = serializers.IntegerField(allow_null=True, help_text="null: as often as you like.")
    is_open = serializers.BooleanField()
    is_running = serializers.BooleanField()
    may_begin = serializers.BooleanField()
    has_passed = serializers.BooleanField()


class TrainingPairSerializer(serializers.Serializer[QualificationItem]):
    item = serializers.CharField(source="token", help_text="Goes with the answer.")
    topic_number = serializers.CharField(source="topic_version.topic.number")
    topic_title = serializers.CharField(source="topic_version.title")
    topic_description = serializers.CharField(source="topic_version.description")
    topic_narrative = serializers.CharField(source="topic_version.narrative")
    document = serializers.SerializerMethodField()
    hint = serializers.CharField()

    @extend_schema_field(CardDocumentSerializer)
    def get_document(self, item: QualificationItem) -> dict[str, Any]:
        """All of it."""
        whole = DocumentOptions(is_whole=True)
        return dict(CardDocumentSerializer(card_document(item.topic_version, item.document_version, whole)).data)


class GivenAnswerSerializer(serializers.Serializer[QualificationAnswer]):
    """An answer, and what is right and why."""

    item = serializers.CharField(source="item.token")
    grade = serializers.IntegerField()
    is_right = serializers.SerializerMethodField()
    accepted = serializers.ListField(source="item.accepted", child=serializers.IntegerField())
    explanation = serializers.CharField(source="item.explanation")

    def get_is_right(self, answer: QualificationAnswer) -> bool:
        return is_right(answer)


class GradeResultSerializer(serializers.Serializer[GradeResult]):
    accepted = serializers.ListField(child=serializers.IntegerField())
    n = serializers.IntegerField()
    n_right = serializers.IntegerField()


@dataclass(frozen=True)
class Round:
    """Where a person is in the round that their batch asks for."""

    qualification: Qualification
    progress: RoundProgress
    pair: QualificationItem | None
    answers: list[QualificationAnswer]
    by_grade: list[GradeResult]


class OwnRoundSerializer(serializers.Serializer[Round]):
    name = serializers.CharField(source="qualification.name")
    scale = ScaleStepSerializer(source="qualification.scale.grades", many=True)
    progress = OwnRoundProgressSerializer()
    pair = TrainingPairSerializer(allow_null=True, help_text="The next one, of an attempt under way.")
    answers = GivenAnswerSerializer(many=True, help_text="Of the last attempt, so far.")
    by_grade = GradeResultSerializer(many=True, help_text="Of an attempt that is over: by the grades that are right.")


class PairGradeSerializer(serializers.Serializer[None]):
    grade = serializers.IntegerField()


class JudgeQualification(JudgeAddress):
    serializer_class = OwnRoundSerializer

    @extend_schema(responses=OwnRoundSerializer)
    def get(self, request: Request, token: str) -> Response:
        """Where you are in the round before the first card: the next pair, or how it went. 404 without a round."""
        return self.one(_round(*_participation_in_round(self, token)))


class JudgeQualificationBegin(JudgeAddress):
    serializer_class = OwnRoundSerializer

    @extend_schema(request=None, responses={200: OwnRoundSerializer, 409: NOTHING})
    def post(self, request: Request, token: str) -> Response:
        """Begin an attempt, or go on with the one under way. 409 where none may be begun."""
        participation, qualification = _participation_in_round(self, token)
        if begin_attempt(participation, moment=clock.now()) is None:
            raise NothingToChange("No attempt may be begun now.")
        return self.one(_round(participation, qualification))


class JudgeQualificationPair(JudgeAddress):
    serializer_class = GivenAnswerSerializer

    @extend_schema(responses=GivenAnswerSerializer)
    def get(self, request: Request, token: str, item: str) -> Response:
        """What is right of a pair and why, once you have answered it."""
        participation, qualification = _participation_in_round(self, token)
        attempt = last_attempt(qualification, participation.annotator_id)
        answer = answer_to(attempt, item) if attempt else None
        if answer is None:
            raise Http404("You have not answered this pair.")
        return self.one(answer)

    @extend_schema(request=PairGradeSerializer, responses=GivenAnswerSerializer)
    def post(self, request: Request, token: str, item: str) -> Response:
        """Answer a pair; the first answer holds. Says what is right and why."""
        participation, qualification = _participation_in_round(self, token)
        sent = validated_data(PairGradeSerializer(data=request.data))
        grade = cleaned(AnswerForm(sent, scale=qualification.scale))
        try:
            answer = answer_pair(participation, token=item, **grade, moment=clock.now())
        except QualificationItem.DoesNotExist as unknown:
            raise Http404("No such pair.") from unknown
        return self.one(answer)


def _participation_in_round(address: JudgeAddress, token: str) -> tuple[Participation, Qualification]:
    participation = participation_for(address.person, token)
    if participation.batch.qualification is None:
        raise Http404("This batch asks for no round.")
    return participation, participation.batch.qualification


def _round(participation: Participation, qualification: Qualification) -> Round:
    attempt = last_attempt(qualification, participation.annotator_id)
    answers = answers_in(attempt) if attempt else []
    is_over = attempt is not None and attempt.passed is not None
    return Round(
        qualification=qualification,
        progress=round_progress(qualification, participation.annotator_id),
        pair=None if attempt is None or is_over else next_pair(attempt),
        answers=answers,
        by_grade=results_by_grade(answers) if is_over else [],
    )
