"""Handing an annotator no new cards for a while, and letting them go on."""

from collections.abc import Callable

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import annotator_for
from annotation.api.annotators import NOTHING, NothingToChange, ReasonSerializer
from annotation.api.page import Address
from annotation.models import Annotator
from annotation.workflow.pausing import PauseRefused, is_excluded, is_paused, pause_annotator, resume_annotator


class PauseSerializer(ReasonSerializer):
    told = serializers.CharField(
        max_length=1000, required=False, allow_blank=True, help_text="What the person reads instead of the next card."
    )


class PausedSerializer(serializers.Serializer[Annotator]):
    annotator = serializers.CharField(source="pseudonym")
    paused = serializers.SerializerMethodField()
    excluded = serializers.SerializerMethodField()
    gets_cards = serializers.BooleanField(help_text="Neither paused nor excluded.")

    def get_paused(self, annotator: Annotator) -> bool:
        return is_paused(annotator)

    def get_excluded(self, annotator: Annotator) -> bool:
        return is_excluded(annotator)


class _Deed(Address):
    serializer_class = PausedSerializer
    asks: type[ReasonSerializer] = ReasonSerializer

    def changed(self, slug: str, pseudonym: str, change: Callable[..., object]) -> Response:
        annotator = annotator_for(self.person, slug, pseudonym)
        asked = self.asks(data=self.request.data)
        asked.is_valid(raise_exception=True)
        try:
            change(annotator, **asked.validated_data, actor=self.person)
        except PauseRefused as said:
            raise NothingToChange(str(said)) from said
        return self.one(annotator_for(self.person, slug, pseudonym))


class AnnotatorPause(_Deed):
    asks = PauseSerializer

    @extend_schema(request=PauseSerializer, responses={200: PausedSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Hand an annotator no new cards, with a reason. Their judgments count as before. For admins."""
        return self.changed(slug, pseudonym, pause_annotator)


class AnnotatorResume(_Deed):
    @extend_schema(request=ReasonSerializer, responses={200: PausedSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Let a paused annotator go on; one who is excluded gets no cards all the same. For admins."""
        return self.changed(slug, pseudonym, resume_annotator)
