"""What annotators object to of the gold they were told, and the answers."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, appeal_for, collection_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.api.refusals import NOTHING, NothingToChange
from annotation.models import Appeal
from annotation.review.api.effects import EffectSerializer, require_freed
from annotation.review.forms.appeals import CORRECT, DECLINE, SETTLED, WITHDRAW, change_of
from annotation.review.read.appeals import AppealFile, appeal_file, appeals_of
from annotation.review.steps.appeals import AnswerError, decline_appeal, settle_appeal, uphold_appeal
from annotation.trust.read.gold_effect import Effect, effect_of


class ObjectionSerializer(serializers.Serializer[Appeal]):
    token = serializers.CharField()
    annotator = serializers.CharField(source="annotator.pseudonym")
    number = serializers.CharField(source="topic.number")
    docno = serializers.CharField(source="document.docno")
    state = serializers.CharField(help_text="`open`, `upheld` or `declined`.")
    told_grade = serializers.IntegerField(help_text="The grade that they object to.")
    reason = serializers.CharField()
    answer = serializers.CharField(help_text="Empty while it is open.")
    answered_by = serializers.CharField(source="answered_by.username", allow_null=True, default=None)
    answered_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class WholeObjectionSerializer(ObjectionSerializer):
    """With what the answer needs."""

    own_grade = serializers.SerializerMethodField(help_text="What the person gave.")
    comment = serializers.SerializerMethodField()
    gold_now = serializers.SerializerMethodField(help_text="The grade that holds now; null where it is gold no more.")
    accepted_now = serializers.SerializerMethodField()
    has_changed = serializers.SerializerMethodField(help_text="Whether gold has changed since the person objected.")
    n_others = serializers.SerializerMethodField(help_text="Other open objections to the pair.")

    def to_representation(self, appeal: Appeal) -> dict[str, Any]:
        assert appeal.collection.scale is not None
        self.file: AppealFile = appeal_file(appeal, appeal.collection.scale)
        return super().to_representation(appeal)

    def get_own_grade(self, appeal: Appeal) -> int:
        return self.file.own_grade

    def get_comment(self, appeal: Appeal) -> str:
        return self.file.comment

    def get_gold_now(self, appeal: Appeal) -> int | None:
        gold = self.file.gold
        return gold.grade if gold else None

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_accepted_now(self, appeal: Appeal) -> list[int]:
        gold = self.file.gold
        return list(gold.accepted) if gold else []

    def get_has_changed(self, appeal: Appeal) -> bool:
        return self.file.has_changed

    def get_n_others(self, appeal: Appeal) -> int:
        return self.file.n_others


class AnswerSerializer(serializers.Serializer[None]):
    decision = serializers.ChoiceField([DECLINE, CORRECT, WITHDRAW, SETTLED])
    answer = serializers.CharField(max_length=2000, help_text="The person reads it beside their objection.")
    grade = serializers.IntegerField(required=False, help_text="Of `correct`: what the gold is to be.")
    accepted = serializers.ListField(child=serializers.IntegerField(), required=False, default=list)
    explanation = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)
    all_of_pair = serializers.BooleanField(default=False, help_text="The same answer to all who object to the pair.")
    seen = serializers.IntegerField(required=False, help_text="Confirms a change of gold, as the effect gave it.")
    bring_back = serializers.ListField(child=serializers.CharField(), required=False, default=list)

    def validate(self, answers: dict[str, Any]) -> dict[str, Any]:
        grades = {each["grade"] for each in self.context["scale"].grades}
        if answers["decision"] == CORRECT and answers.get("grade") not in grades:
            raise serializers.ValidationError({"grade": ["Choose a grade of the scale."]})
        if not set(answers["accepted"]) <= grades:
            raise serializers.ValidationError({"accepted": ["They are not all grades of the scale."]})
        return answers


class Objections(Address):
    serializer_class = ObjectionSerializer

    @extend_schema(responses=ObjectionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What people object to, the open ones first, the oldest of them on top. For admins."""
        return self.page_of(appeals_of(collection_for(self.person, slug, ADMIN)))


class OneObjection(Address):
    serializer_class = WholeObjectionSerializer

    @extend_schema(responses=WholeObjectionSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        """An objection with all that the answer needs. For admins."""
        return self.one(appeal_for(self.person, slug, token))

    @extend_schema(
        request=AnswerSerializer,
        responses={
            200: WholeObjectionSerializer,
            202: OpenApiResponse(EffectSerializer, "Nothing was done: whom the change of gold would touch."),
            409: NOTHING,
        },
    )
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Answer an objection: `decline`, `settled` by a change made since, `correct` or `withdraw` gold. For admins.

        A change of gold is answered 202 with whom it touches, until `seen` of that answer comes along.
        """
        appeal = appeal_for(self.person, slug, token)
        scale = {"scale": appeal.collection.scale}
        answers = validated_data(AnswerSerializer(data=request.data, context=scale))
        try:
            effect = self._answered(appeal, answers)
        except AnswerError as error:
            raise NothingToChange(str(error)) from error
        if effect is not None:
            return Response(EffectSerializer(effect).data, status=202)
        return self.one(appeal_for(self.person, slug, token))

    def _answered(self, appeal: Appeal, answers: dict[str, Any]) -> Effect | None:
        """The effect that is to be confirmed first, if any."""
        if answers["decision"] in (DECLINE, SETTLED):
            deed = decline_appeal if answers["decision"] == DECLINE else settle_appeal
            deed(appeal, answer=answers["answer"], actor=self.person)
            return None
        if appeal.is_answered:
            raise AnswerError("Somebody has answered this objection already.")
        change = change_of(appeal, answers)
        effect = effect_of(appeal.collection, change)
        if "seen" not in answers:
            return effect
        require_freed(effect, answers["bring_back"])
        uphold_appeal(
            appeal,
            answer=answers["answer"],
            change=change,
            effect=effect,
            seen=answers["seen"],
            bring_back=answers["bring_back"],
            all_of_pair=answers["all_of_pair"],
            actor=self.person,
        )
        return None
