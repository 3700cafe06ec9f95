"""Annotators as a policy sees them; excluding and pausing them, and saying which are machines."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.judging.read.pauses import current_pause, is_excluded
from annotation.kernel.access import RESEARCH, annotator_for, collection_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, NothingToChange
from annotation.kernel.api.tables import serializer_of
from annotation.models import Annotator, Rule
from annotation.people.steps.annotator_kind import KindError, set_kind
from annotation.trust.pages.api_choice import CHOICE, quality_in_query
from annotation.trust.pages.people_columns import COLUMNS, sorted_people
from annotation.trust.steps.exclusions import ExclusionError, exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import PauseError, pause_annotator, resume_annotator

AnnotatorSerializer = serializer_of(
    "Annotator",
    COLUMNS,
    "Shares lie in 0 to 1, times are seconds; null where nothing is known, or too little to tell it from.",
)


class ReasonSerializer(serializers.Serializer[None]):
    reason = serializers.CharField(max_length=500, help_text="Stays in the record.")


class ByRuleSerializer(ReasonSerializer):
    rule = serializers.ChoiceField(
        Rule.choices, default="", allow_blank=True, help_text="The rule that proposed it; empty: by hand."
    )


class KindSerializer(ReasonSerializer):
    is_machine = serializers.BooleanField()

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """As `set_kind` takes them."""
        kind = Annotator.Kind.MACHINE if values.pop("is_machine") else Annotator.Kind.PERSON
        return {**values, "kind": kind}


class StandingSerializer(serializers.Serializer[Annotator]):
    annotator = serializers.CharField(source="pseudonym")
    is_machine = serializers.BooleanField()
    excluded = serializers.SerializerMethodField()

    def get_excluded(self, annotator: Annotator) -> bool:
        return is_excluded(annotator)


class PauseSerializer(ByRuleSerializer):
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


class Annotators(Address):
    serializer_class = AnnotatorSerializer

    @extend_schema(parameters=CHOICE, responses=AnnotatorSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The people of the batches, by pseudonym, as a policy sees them. For admins and researchers.

        Machine judges are not among them: they stand beside people, in `/quality`.
        """
        collection = collection_for(self.person, slug, RESEARCH)
        _, report = quality_in_query(request, collection)
        return self.page_of(sorted_people(report.people, "name"))


class Deed(Address):
    """A change of one annotator; 409 with the reason where there is nothing to change."""

    serializer_class: type[serializers.Serializer[Annotator]] = StandingSerializer
    asks: type[ReasonSerializer] = ReasonSerializer

    def changed(self, slug: str, pseudonym: str, change: Callable[..., object]) -> Response:
        annotator = annotator_for(self.person, slug, pseudonym)
        entries = self.asks(data=self.request.data)
        entries.is_valid(raise_exception=True)
        try:
            change(annotator, **entries.validated_data, actor=self.person)
        except (ExclusionError, KindError, PauseError) as error:
            raise NothingToChange(str(error)) from error
        return self.one(annotator_for(self.person, slug, pseudonym))


class AnnotatorExclude(Deed):
    asks = ByRuleSerializer

    @extend_schema(request=ByRuleSerializer, responses={200: StandingSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Take an annotator out of the count, with a reason. Nothing is deleted. For admins."""
        return self.changed(slug, pseudonym, exclude_annotator)


class AnnotatorReinstate(Deed):
    @extend_schema(request=ReasonSerializer, responses={200: StandingSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Bring an excluded annotator's judgments back. For admins."""
        return self.changed(slug, pseudonym, reinstate_annotator)


class AnnotatorKind(Deed):
    asks = KindSerializer

    @extend_schema(request=KindSerializer, responses={200: StandingSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, pseudonym: str) -> Response:
        """Say that an annotator is a machine judge, or a person after all. For admins."""
        return self.changed(slug, pseudonym, set_kind)


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
