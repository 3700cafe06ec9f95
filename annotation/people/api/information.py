"""The information texts of a collection: listed, read, written, revised."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.kernel.access import ADMIN, RESEARCH, collection_for, information_for
from annotation.kernel.api.form_entries import checked_form, sent_entries, serializer_of_form
from annotation.kernel.api.page import Address
from annotation.models import Collection, Consent, InformationVersion
from annotation.people.forms import InformationForm
from annotation.people.read.information import VersionRow, batches_asking_for, consents_to, version_rows
from annotation.people.steps.information import revise_information


class InformationLineSerializer(serializers.Serializer[VersionRow]):
    number = serializers.IntegerField(source="version.number")
    n_agreed = serializers.IntegerField(help_text="People who have agreed to it.")
    batches = serializers.ListField(child=serializers.CharField(), help_text="Names of those that ask for it.")
    created_by = serializers.CharField(source="version.created_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField(source="version.created_at")


class ConsentSerializer(serializers.Serializer[Consent]):
    annotator = serializers.CharField(source="annotator.pseudonym")
    agreed_at = serializers.DateTimeField(source="given_at")


class InformationSerializer(serializers.Serializer[InformationVersion]):
    number = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown.")
    created_at = serializers.DateTimeField()
    batches = serializers.SerializerMethodField(help_text="Names of those that a revision would move on.")
    consents = serializers.SerializerMethodField(help_text="Who has agreed, by pseudonym.")

    def get_batches(self, version: InformationVersion) -> list[str]:
        return [batch.name for batch in batches_asking_for(version)]

    @extend_schema_field(ConsentSerializer(many=True))
    def get_consents(self, version: InformationVersion) -> list[dict[str, Any]]:
        return [dict(ConsentSerializer(each).data) for each in consents_to(version)]


InformationEntries = serializer_of_form("InformationEntries", InformationForm, without=("based_on",))


class _Written(Address):
    serializer_class: type[serializers.Serializer[Any]] = InformationSerializer

    def written(self, collection: Collection, *, based_on: int) -> Response:
        sent = sent_entries(InformationEntries, self.request.data)
        entered = checked_form(InformationForm, {**sent, "based_on": based_on}).cleaned_data
        version = revise_information(collection, **entered, actor=self.person)
        return Response(InformationSerializer(version).data, status.HTTP_201_CREATED)


class Information(_Written):
    serializer_class = InformationLineSerializer

    @extend_schema(responses=InformationLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The versions of what people are told before they take part, the newest first. For admins and researchers."""
        return self.page_of(version_rows(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=InformationEntries, responses={201: InformationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Store a text that no batch asks for yet; one that is here already keeps its number. For admins."""
        return self.written(collection_for(self.person, slug, ADMIN), based_on=0)


class OneInformation(Address):
    serializer_class = InformationSerializer

    @extend_schema(responses=InformationSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A version with its text and who has agreed to it, by pseudonym. For admins and researchers."""
        return self.one(information_for(self.person, slug, number, RESEARCH))


class InformationRevise(_Written):
    @extend_schema(request=InformationEntries, responses={201: InformationSerializer})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Put another text in the place of this version. For admins.

        The batches that ask for it ask for the new one, and whoever judges in them is asked anew; closed ones stay.
        """
        version = information_for(self.person, slug, number, ADMIN)
        return self.written(version.collection, based_on=version.number)
