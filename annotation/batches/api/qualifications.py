"""Qualification rounds: listed, read with how people fared, made, changed, opened, closed, taken back, deleted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.batches.forms.qualifications import NAME_TAKEN, QualificationForm
from annotation.batches.read.qualifications import (
    PairResult,
    PersonResult,
    asking_batches,
    pair_results,
    person_results,
    round_rows,
)
from annotation.batches.steps import qualifications as flow
from annotation.judging.read.qualifying import Tried
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, qualification_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, conflicts, refused
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Qualification


class RoundSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(source="qualification.token")
    name = serializers.CharField(source="qualification.name")
    state = serializers.ChoiceField(Qualification.State.choices, source="qualification.state")
    pass_mark = serializers.FloatField(
        source="qualification.pass_mark", help_text="The share of first answers that have to be right."
    )
    most_attempts = serializers.IntegerField(
        source="qualification.most_attempts", help_text="How often a person may try; 0: without end."
    )
    created_at = serializers.DateTimeField(source="qualification.created_at")


class RoundRowSerializer(RoundSerializer):
    n_pairs = serializers.IntegerField()
    n_people = serializers.IntegerField(help_text="People who have begun it.")
    n_passed = serializers.IntegerField()


class RoundPairSerializer(serializers.Serializer[PairResult]):
    token = serializers.CharField(source="item.token")
    number = serializers.CharField(source="item.topic_version.topic.number")
    docno = serializers.CharField(source="item.document_version.document.docno")
    accepted = serializers.ListField(source="item.accepted", child=serializers.IntegerField())
    hint = serializers.CharField(source="item.hint")
    explanation = serializers.CharField(source="item.explanation")
    n_answers = serializers.IntegerField(source="n", help_text="First answers to it.")
    n_right = serializers.IntegerField()


class TriedSerializer(serializers.Serializer[Tried]):
    number = serializers.IntegerField()
    n_right = serializers.IntegerField()
    n_answers = serializers.IntegerField(source="n_answered")
    passed = serializers.BooleanField(allow_null=True, help_text="null while it is under way.")


class RoundPersonSerializer(serializers.Serializer[PersonResult]):
    annotator = serializers.CharField(source="annotator.pseudonym")
    tries = TriedSerializer(many=True)
    tries_left = serializers.IntegerField(allow_null=True, help_text="null: as many as they like.")
    has_passed = serializers.BooleanField()
    last_at = serializers.DateTimeField(allow_null=True)


@dataclass(frozen=True)
class WholeRound:
    qualification: Qualification
    pairs: list[PairResult]
    people: list[PersonResult]
    batches: list[str]


class WholeRoundSerializer(RoundSerializer):
    """A round with its pairs in their order, and how people fared."""

    pairs = RoundPairSerializer(many=True)
    people = RoundPersonSerializer(many=True, help_text="By pseudonym.")
    batches = serializers.ListField(child=serializers.CharField(), help_text="Names of those that ask for it.")


RoundEntries = serializer_of_form(
    "RoundEntries",
    QualificationForm,
    pass_mark=serializers.FloatField(
        required=False, min_value=0, max_value=1, help_text="Of the first answers, so large a share right; 0.7."
    ),
)


class RoundAddress(Address):
    """Answers with a round as it is now."""

    serializer_class: type[serializers.Serializer[Any]] = WholeRoundSerializer

    def whole(self, qualification: Qualification, code: int = status.HTTP_200_OK) -> Response:
        qualification.refresh_from_db()
        people, batches = person_results(qualification), asking_batches(qualification)
        row = WholeRound(qualification, pair_results(qualification), people, [batch.name for batch in batches])
        return Response(WholeRoundSerializer(row).data, code)

    def entered_settings(
        self, collection: Collection, qualification: Qualification | None = None
    ) -> flow.QualificationSettings:
        """Those sent; of a round that is there, the others as they are."""
        names = ("name", "pass_mark", "most_attempts")
        current = {name: getattr(qualification, name) for name in names} if qualification else {}
        values = {**current, **sent_entries(RoundEntries, self.request.data, partial=qualification is not None)}
        if "pass_mark" in values:
            values["pass_mark"] = round(values["pass_mark"] * 100, 6)  # the form asks for percent
        form = checked_form(QualificationForm, values, collection=collection, qualification=qualification)
        return flow.QualificationSettings(**form.cleaned_data)


class Qualifications(RoundAddress):
    serializer_class = RoundRowSerializer

    @extend_schema(responses=RoundRowSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The qualification rounds of a collection, the newest first. For admins and researchers."""
        return self.page_of(round_rows(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=RoundEntries, responses={201: WholeRoundSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Make a round: a draft without pairs. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        settings = self.entered_settings(collection)
        try:
            qualification = flow.create_qualification(collection, settings=settings, actor=self.person)
        except TakenError as error:
            raise refused({"name": [NAME_TAKEN]}) from error
        return self.whole(qualification, status.HTTP_201_CREATED)


class OneQualification(RoundAddress):
    @extend_schema(responses=WholeRoundSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        """A round with its pairs and how people fared. For admins and researchers."""
        return self.whole(qualification_for(self.person, slug, token, RESEARCH))

    @extend_schema(request=RoundEntries, responses=WholeRoundSerializer)
    def patch(self, request: Request, slug: str, token: str) -> Response:
        """Change the settings of a round at any time: who has passed has passed. For admins."""
        qualification = qualification_for(self.person, slug, token, ADMIN)
        settings = self.entered_settings(qualification.collection, qualification)
        try:
            flow.change_qualification(qualification, settings=settings, actor=self.person)
        except TakenError as error:
            raise refused({"name": [NAME_TAKEN]}) from error
        return self.whole(qualification)

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, token: str) -> Response:
        """Delete a draft that no batch asks for; else 409. For admins."""
        qualification = qualification_for(self.person, slug, token, ADMIN)
        with conflicts(flow.QualificationError):
            flow.delete_qualification(qualification, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class _Step(RoundAddress):
    def taken(self, slug: str, token: str, step: Callable[..., None]) -> Response:
        qualification = qualification_for(self.person, slug, token, ADMIN)
        with conflicts(flow.QualificationError):
            step(qualification, actor=self.person)
        return self.whole(qualification)


class QualificationOpen(_Step):
    @extend_schema(request=None, responses={200: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Let people begin a round: its pairs stand still from now on. For admins."""
        return self.taken(slug, token, flow.open_qualification)


class QualificationClose(_Step):
    @extend_schema(request=None, responses={200: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Let nobody begin any more; who is in the middle of it may end it. For admins."""
        return self.taken(slug, token, flow.close_qualification)


class QualificationRedraft(_Step):
    @extend_schema(request=None, responses={200: WholeRoundSerializer, 409: NOTHING})
    def post(self, request: Request, slug: str, token: str) -> Response:
        """Make a round a draft again, unless somebody has begun it or a batch was laid out without its pairs.

        For admins.
        """
        return self.taken(slug, token, flow.redraft_qualification)
