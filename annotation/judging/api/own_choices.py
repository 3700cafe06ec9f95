"""How a person likes to judge: excerpt or whole document, marks, keys; and words of their own to mark."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.api.desk_serializers import CardDocumentSerializer
from annotation.judging.api.judge import JudgeAddress
from annotation.judging.forms import KeysForm, ReadingForm, WordsForm
from annotation.judging.pages.desk import own_card
from annotation.judging.read.card_documents import card_of, document_of
from annotation.judging.read.scales import grades_of
from annotation.judging.steps.choices import choices_of, choose_keys, choose_reading, choose_words
from annotation.kernel.access import participation_for
from annotation.kernel.api.page import validated_data
from annotation.kernel.api.refusals import cleaned
from annotation.models import JudgingChoices


class JudgingChoicesSerializer(serializers.Serializer[JudgingChoices]):
    reading = serializers.ChoiceField(JudgingChoices.Reading.choices, help_text="What of a long document comes first.")
    marks = serializers.BooleanField(help_text="Whether the words to look for are marked.")
    keys = serializers.DictField(source="bindings", child=serializers.CharField(), help_text="Deed: letter.")


class ChangedJudgingChoicesSerializer(serializers.Serializer[None]):
    """What is left out stays as it is."""

    reading = serializers.ChoiceField(JudgingChoices.Reading.choices, required=False)
    marks = serializers.BooleanField(required=False)
    keys = serializers.DictField(
        child=serializers.CharField(max_length=1, allow_blank=True),
        required=False,
        allow_null=True,
        help_text="Deed: letter, or empty for none. null brings the usual keys back.",
    )


class MarkedWordsSerializer(serializers.Serializer[None]):
    token = serializers.CharField(max_length=22, help_text="Of a card: its topic is meant.")
    words = serializers.ListField(child=serializers.CharField(max_length=100), help_text="None takes all away.")


class JudgeChoices(JudgeAddress):
    serializer_class = JudgingChoicesSerializer

    @extend_schema(responses=JudgingChoicesSerializer)
    def get(self, request: Request) -> Response:
        """How you like to judge: your keys, what you read first."""
        return self.one(choices_of(self.person))

    @extend_schema(request=ChangedJudgingChoicesSerializer, responses=JudgingChoicesSerializer)
    def patch(self, request: Request) -> Response:
        """Choose how you like to judge."""
        sent = validated_data(ChangedJudgingChoicesSerializer(data=request.data))
        keys = self._keys(sent["keys"]) if "keys" in sent else None
        marks = {True: "on", False: "off", None: ""}[sent.get("marks")]
        reading = cleaned(ReadingForm({"reading": sent.get("reading", ""), "marks": marks}))
        choose_reading(self.person, **reading)
        if keys is not None:
            choose_keys(self.person, keys=keys)
        return self.one(choices_of(self.person))

    def _keys(self, sent: dict[str, str] | None) -> dict[str, str]:
        if sent is None:
            return {}
        choices = choices_of(self.person)
        return cleaned(KeysForm({**choices.bindings, **sent}, choices=choices, grades=grades_of(self.person)))


class JudgeTerms(JudgeAddress):
    serializer_class = CardDocumentSerializer

    @extend_schema(request=MarkedWordsSerializer, responses=CardDocumentSerializer)
    def post(self, request: Request, token: str) -> Response:
        """Choose the words that are marked for you in all documents of a card's topic."""
        participation = participation_for(self.person, token, though_left=True)
        sent: dict[str, Any] = validated_data(MarkedWordsSerializer(data=request.data))
        answer = cleaned(WordsForm({"token": sent["token"], "words": " ".join(sent["words"])}))
        with own_card():
            card = card_of(participation, answer["token"])
        choose_words(participation.annotator, card.assignment.item.topic, words=answer["words"])
        return self.one(document_of(card, whole=False))
