"""Handing an annotator no new cards for a while, and letting them go on."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.read import current_pause, is_excluded
from annotation.kernel.api.refusals import NOTHING
from annotation.models import Annotator
from annotation.trust.api.annotators import Deed, ReasonSerializer
from annotation.trust.steps.pausing import pause_annotator, resume_annotator


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
        return current_pause(annotator) is not None

    def get_excluded(self, annotator: Annotator) -> bool:
        return is_excluded(annotator)


class AnnotatorPause(Deed):
    serializer_class = PausedSerializer
    asks = PauseSerializer

    @extend_schema(request=PauseSerializer, responses={200: PausedSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Hand an annotator no new cards, with a reason. Their judgments count as before. For admins."""
        return self.changed(slug, pseudonym, pause_annotator)


class AnnotatorResume(Deed):
    serializer_class = PausedSerializer

    @extend_schema(request=ReasonSerializer, responses={200: PausedSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Let a paused annotator go on; one who is excluded gets no cards all the same. For admins."""
        return self.changed(slug, pseudonym, resume_annotator)
