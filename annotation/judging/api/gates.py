"""What stands before or beside a card: the text to agree to, the guideline, the document in full."""

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.read.guidelines import GuidelineContent
from annotation.judging.api.desk_serializers import CardDocumentSerializer, DeskSerializer
from annotation.judging.api.judge import JudgeAddress, JudgeDeed
from annotation.judging.forms import ViewForm
from annotation.judging.pages.desk import MOVED, MOVED_ON, own_card
from annotation.judging.pages.guidance import (
    InformationShown,
    guideline_changed,
    guideline_shown,
    information_shown,
)
from annotation.judging.read.card_documents import card_of, document_of
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.gates import acknowledge_guideline, gate_before, give_consent
from annotation.kernel import clock
from annotation.kernel.access import participation_for
from annotation.kernel.api.form_fields import serializer_of_fields
from annotation.kernel.api.page import validated_data
from annotation.kernel.api.refusals import cleaned
from annotation.kernel.forms import ShownVersionForm
from annotation.models import JudgingChoices, Participation

ShownVersionSerializer = serializer_of_fields(
    "ShownVersion", {}, others={"number": serializers.IntegerField(min_value=1, help_text="Of the version read.")}
)
WantedDocumentSerializer = serializer_of_fields("WantedDocument", ViewForm.base_fields)


class MovedOn(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = MOVED_ON


MOVED_ON_ANSWER = OpenApiResponse(OpenApiTypes.OBJECT, "Another version has come into force meanwhile.")


class TextChangeSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="`same`, `removed` or `added`.")
    text = serializers.CharField()


class ChangedSectionSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    changes = TextChangeSerializer(many=True)


class InformationToReadSerializer(serializers.Serializer[InformationShown]):
    number = serializers.IntegerField(source="information.number", help_text="Send it back to agree.")
    text = serializers.CharField(source="information.text", help_text="Markdown.")
    html = serializers.CharField(source="text")
    agreed_before = serializers.IntegerField(
        source="agreed_before.information.number",
        allow_null=True,
        default=None,
        help_text="The version you agreed to last, or null.",
    )
    changed = TextChangeSerializer(many=True, help_text="Since that version.")


class WorkedCaseSerializer(serializers.Serializer[Any]):
    topic = serializers.CharField()
    document = serializers.CharField()
    grade = serializers.IntegerField()
    name = serializers.CharField()
    reason = serializers.CharField()


class ReadGuidelineSerializer(serializers.Serializer[GuidelineContent]):
    number = serializers.IntegerField(help_text="Send it back to acknowledge it.")
    introduction_html = serializers.CharField()
    examples_html = serializers.CharField()
    edge_cases_html = serializers.CharField()
    cases = WorkedCaseSerializer(many=True, help_text="Worked examples to read first.")
    further = WorkedCaseSerializer(many=True)


class ShownGuidelineSerializer(serializers.Serializer[Any]):
    guideline = ReadGuidelineSerializer(allow_null=True, help_text="null where the collection has none.")
    changed = ChangedSectionSerializer(
        many=True, help_text="Before a card, if it changed since the version you know: what did."
    )


class OptionalCardSerializer(serializers.Serializer[None]):
    token = serializers.CharField(required=False, help_text="Of a card: the guideline that a grade of it will carry.")


class JudgeInformation(JudgeAddress):
    serializer_class = InformationToReadSerializer

    @extend_schema(responses=InformationToReadSerializer)
    def get(self, request: Request, token: str) -> Response:
        """The text to agree to before the first card. 404 where the batch asks for none."""
        participation = participation_for(self.person, token)
        if participation.batch.information is None:
            raise Http404("This batch asks for no consent.")
        return self.one(information_shown(participation))


class JudgeConsent(JudgeDeed):
    @extend_schema(request=ShownVersionSerializer, responses={200: DeskSerializer, 409: MOVED_ON_ANSWER})
    def post(self, request: Request, token: str) -> Response:
        """Agree to the version that was shown; 409 where another is asked for by now."""
        participation = participation_for(self.person, token)
        answer = cleaned(ShownVersionForm(self.sent(ShownVersionSerializer)))
        if not give_consent(participation, **answer, moment=clock.now()):
            raise MovedOn
        return self.go_on(participation, MOVED)


class JudgeDecline(JudgeDeed):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, token: str) -> Response:
        """Say that you do not agree. Nothing is written down, and no card is handed out."""
        participation_for(self.person, token)
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeGuideline(JudgeAddress):
    serializer_class = ShownGuidelineSerializer

    @extend_schema(parameters=[OptionalCardSerializer], responses=ShownGuidelineSerializer)
    def get(self, request: Request, token: str) -> Response:
        """The guideline of a card or, without one, the one in force, with what changed of it."""
        participation = participation_for(self.person, token)
        card = validated_data(OptionalCardSerializer(data=request.query_params.dict())).get("token")
        return self.one(_of_card(participation, card) if card else _in_force(participation))


class JudgeAcknowledge(JudgeDeed):
    @extend_schema(request=ShownVersionSerializer, responses={200: DeskSerializer, 409: MOVED_ON_ANSWER})
    def post(self, request: Request, token: str) -> Response:
        """Take note of the version of the guideline that was shown, and get the next card."""
        participation = participation_for(self.person, token)
        answer = cleaned(ShownVersionForm(self.sent(ShownVersionSerializer)))
        if not acknowledge_guideline(participation, **answer, moment=clock.now()):
            raise MovedOn
        claim_next(participation, moment=clock.now())
        return self.go_on(participation, MOVED)


class JudgeDocument(JudgeAddress):
    serializer_class = CardDocumentSerializer

    @extend_schema(parameters=[WantedDocumentSerializer], responses=CardDocumentSerializer)
    def get(self, request: Request, token: str) -> Response:
        """The document of a card: the passage to read first or, with `view=whole`, all of it."""
        participation = participation_for(self.person, token, though_left=True)
        asked = cleaned(ViewForm(validated_data(WantedDocumentSerializer(data=request.query_params.dict()))))
        with own_card():
            card = card_of(participation, asked["token"])
        return self.one(document_of(card, whole=asked["view"] == JudgingChoices.Reading.WHOLE))


def _of_card(participation: Participation, token: str) -> dict[str, Any]:
    with own_card():
        card = card_of(participation, token)
    return {"guideline": guideline_shown(participation, card, topic=card.assignment.item.topic.number), "changed": []}


def _in_force(participation: Participation) -> dict[str, Any]:
    if gate_before(participation) == "guideline":
        return vars(guideline_changed(participation))
    return {"guideline": guideline_shown(participation, None), "changed": []}
