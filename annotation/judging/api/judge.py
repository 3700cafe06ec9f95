"""Judging by a program: the next card, a grade, and what else one does with a card. As the page does it.

Every deed is answered with the desk: its cards, or why there is none. The token of a card goes with
each deed on it; sent again, it is answered as the first time.
"""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.api.desk_serializers import (
    ConflictSerializer,
    DeskSerializer,
    OwnBatchSerializer,
    ShownDesk,
    WholeDeskSerializer,
)
from annotation.judging.forms import CardForm, GradeForm, ReleaseForm, SkipForm, UndoForm
from annotation.judging.pages.desk import (
    MOVED,
    PAGE_NAME,
    PUT_OFF,
    SKIPPED,
    DeedResult,
    contents_of,
    named_grade,
    own_card,
    pause_context,
    result_of_grade,
    result_of_keep,
    result_of_undo,
)
from annotation.judging.read.card_documents import evidence_fits
from annotation.judging.read.recent import RecentJudgment, recent_judgments
from annotation.judging.read.remaining import waiting_batches
from annotation.judging.steps.claiming import MOST_AHEAD, claim_next
from annotation.judging.steps.desk import Desk, desk_at, desk_of
from annotation.judging.steps.grading import Conflict, record_judgment
from annotation.judging.steps.leases import release_ahead, renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.undo import keep_grade, reopen
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.api.form_fields import Field, serializer_of_fields
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import cleaned, refused
from annotation.kernel.problem_details import CONTENT_TYPE, problem_details
from annotation.models import Participation


class AheadField(serializers.IntegerField):
    """A program of before says `true` for one card."""

    def to_internal_value(self, data: float | str) -> int:
        return int(super().to_internal_value(int(data) if isinstance(data, bool) else data))


AHEAD: dict[str, Field] = {
    "ahead": AheadField(
        default=0,
        min_value=0,
        max_value=MOST_AHEAD,
        help_text="Also so many cards after it, or as many as there may be now, to show at once later.",
    ),
    "page": serializers.RegexField(
        f"^({PAGE_NAME.pattern})?$", default="", allow_blank=True, help_text="The name of who holds it; for `release`."
    ),
}
AheadSerializer = type("AheadSerializer", (serializers.Serializer,), dict(AHEAD))
GradedCardSerializer = serializer_of_fields(
    "GradedCard", GradeForm.base_fields, others={**AHEAD, "grade": serializers.IntegerField()}
)
SkippedCardSerializer = serializer_of_fields("SkippedCard", SkipForm.base_fields, others=AHEAD)
LaterCardSerializer = serializer_of_fields("LaterCard", CardForm.base_fields, others=AHEAD)
UndoneCardSerializer = serializer_of_fields("UndoneCard", UndoForm.base_fields)
HeldCardSerializer = serializer_of_fields("HeldCard", CardForm.base_fields)
ReleasedCardSerializer = serializer_of_fields("ReleasedCard", ReleaseForm.base_fields)


class GoneError(APIException):
    status_code = status.HTTP_410_GONE
    default_detail = "This card has gone to someone else."


GONE = OpenApiResponse(OpenApiTypes.OBJECT, "It has gone to someone else.")


class RecentSerializer(serializers.Serializer[RecentJudgment]):
    token = serializers.CharField(help_text="Of the card; with it, `undo` opens it again.")
    topic_number = serializers.CharField()
    topic_title = serializers.CharField()
    title = serializers.CharField()
    grade = serializers.IntegerField()
    grade_name = serializers.CharField()
    may_change = serializers.BooleanField()


class JudgeAddress(Address):
    """What a person who judges does by a program of theirs."""

    token_scope = "judge"  # noqa: S105 -- what a token may do, no secret
    serializer_class: type[serializers.Serializer[Any]] = DeskSerializer


class JudgeDeed(JudgeAddress):
    """A deed on the person's desk; the answer is the desk after it."""

    def desk(
        self, participation: Participation, result: DeedResult | None = None, *, desk: Desk | None = None
    ) -> Response:
        moment = clock.now()
        desk = desk or desk_of(participation, moment=moment)
        cards = contents_of(participation, desk.cards, moment=moment, more=desk.more)
        pause = pause_context(participation, desk) or None
        return self.one(ShownDesk(result, desk.state, cards, desk.progress, desk.session, pause, participation))

    def go_on(self, participation: Participation, result: DeedResult) -> Response:
        """After a step that has changed the row of the participation."""
        return self.desk(participation_for(self.person, participation.batch.token, though_left=True), result)

    def sent(self, serializer_type: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        return dict(validated_data(serializer_type(data=self.request.data)))


class Judging(JudgeAddress):
    serializer_class = OwnBatchSerializer

    @extend_schema(responses=OwnBatchSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The open and paused batches in which you may judge, those with work left first."""
        return self.page_of(waiting_batches(self.person).select_related("batch__collection", "batch__scale"))


class Judge(JudgeDeed):
    serializer_class = WholeDeskSerializer

    @extend_schema(responses=WholeDeskSerializer)
    def get(self, request: Request, token: str) -> Response:
        """What lies in front of you in a batch. Claims nothing: `next` does."""
        return self.desk(participation_for(self.person, token))


class JudgeNext(JudgeDeed):
    @extend_schema(request=AheadSerializer, responses=DeskSerializer)
    def post(self, request: Request, token: str) -> Response:
        """The next card: the one you hold, else a new one for ten minutes. The session begins with the first."""
        participation, ahead = participation_for(self.person, token), self.sent(AheadSerializer)
        claim_next(participation, moment=clock.now(), **ahead)
        return self.go_on(participation, MOVED)


class JudgeGrade(JudgeDeed):
    @extend_schema(
        request=GradedCardSerializer,
        responses={200: DeskSerializer, 409: OpenApiResponse(ConflictSerializer, "It has another grade already.")},
    )
    def post(self, request: Request, token: str) -> Response:
        """Grade a card and get the next. The same grade with the same token again is answered as the first time.

        Another grade with it changes nothing: 409 says which stands, and with which token it is changed.
        """
        participation, sent = participation_for(self.person, token, though_left=True), self.sent(GradedCardSerializer)
        answers, ahead = _apart(sent)
        form = GradeForm(answers, scale=participation.batch.scale)
        answer = cleaned(form)
        with own_card():
            if not evidence_fits(participation, answer["token"], answer["evidence_end"]):
                raise refused({"evidence_end": ["The document ends before."]})
            outcome, workspace = record_judgment(participation, **answer, moment=clock.now(), **ahead)
        if isinstance(outcome, Conflict):
            return self.ask(participation, outcome, asked=answer["grade"])
        result = result_of_grade(participation, outcome, answer["token"])
        return self.desk(participation, result, desk=desk_at(workspace))

    def ask(self, participation: Participation, conflict: Conflict, *, asked: int) -> Response:
        """409: the card was answered with another grade before; the person chooses which stands."""
        (card,) = contents_of(participation, [conflict.card], moment=clock.now())
        earlier, other = named_grade(participation, conflict.judgment.grade), named_grade(participation, asked)
        detail = f"You graded this {earlier.grade} ({earlier.name}). Change it to {other.grade} ({other.name})?"
        body = {
            **problem_details(status.HTTP_409_CONFLICT, detail),
            "token": conflict.card.token,
            "given": earlier,
            "asked": other,
            "card": card,
        }
        return Response(ConflictSerializer(body).data, status.HTTP_409_CONFLICT, content_type=CONTENT_TYPE)


class JudgeSkip(JudgeDeed):
    @extend_schema(request=SkippedCardSerializer, responses=DeskSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Give a card back for good, with the reason, and get the next."""
        participation, (answers, ahead) = (
            participation_for(self.person, token),
            _apart(self.sent(SkippedCardSerializer)),
        )
        answer = cleaned(SkipForm(answers))
        with own_card():
            skip_item(participation, **answer, moment=clock.now(), **ahead)
        return self.go_on(participation, DeedResult(about=answer["token"], text=SKIPPED))


class JudgeLater(JudgeDeed):
    @extend_schema(request=LaterCardSerializer, responses=DeskSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Put a card to the end of its topic, and get the next."""
        participation, (answers, ahead) = participation_for(self.person, token), _apart(self.sent(LaterCardSerializer))
        answer = cleaned(CardForm(answers))
        with own_card():
            put_off(participation, **answer, moment=clock.now(), **ahead)
        return self.go_on(participation, DeedResult(about=answer["token"], text=PUT_OFF))


class JudgeUndo(JudgeDeed):
    @extend_schema(request=UndoneCardSerializer, responses=DeskSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Open the card judged last again, or the one of a token. Its grade stands until another is saved."""
        participation = participation_for(self.person, token)
        about = cleaned(UndoForm(self.sent(UndoneCardSerializer)))["token"]
        with own_card():
            card = reopen(participation, token=about, moment=clock.now())
        return self.go_on(participation, result_of_undo(card, about))


class JudgeKeep(JudgeDeed):
    @extend_schema(request=None, responses=DeskSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Leave the card that was opened again as it was, and go on."""
        participation = participation_for(self.person, token)
        return self.go_on(participation, result_of_keep(participation, keep_grade(participation)))


class JudgeHeartbeat(JudgeDeed):
    @extend_schema(request=HeldCardSerializer, responses={204: None, 410: GONE})
    def post(self, request: Request, token: str) -> Response:
        """Go on holding your cards, for ten minutes from now. 410 when this one has gone to someone else."""
        participation = participation_for(self.person, token)
        answer = cleaned(CardForm(self.sent(HeldCardSerializer)))
        if not renew_lease(participation, **answer, moment=clock.now()):
            raise GoneError
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeRelease(JudgeDeed):
    @extend_schema(request=ReleasedCardSerializer, responses={204: None})
    def post(self, request: Request, token: str) -> Response:
        """Give back cards that were fetched ahead and never shown."""
        participation = participation_for(self.person, token, though_left=True)
        answer = cleaned(ReleaseForm(self.sent(ReleasedCardSerializer)))
        with own_card():
            release_ahead(participation, tokens=answer["token"], page=answer["page"], moment=clock.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeRecent(JudgeAddress):
    serializer_class = RecentSerializer

    @extend_schema(responses=RecentSerializer(many=True))
    def get(self, request: Request, token: str) -> Response:
        """Your last twenty judgments in the batch, the latest first."""
        return self.page_of(recent_judgments(participation_for(self.person, token)))


def _apart(sent: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """`(what the form judges, how the next card is claimed)`."""
    answers = {name: value for name, value in sent.items() if name not in AHEAD}
    return answers, {name: sent[name] for name in AHEAD}
