"""Judgments on their way out."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from annotation.exchange.read.exports import JUDGMENT_FORMATS, outgoing_judgments
from annotation.exchange.steps.exporting import note_names_taken
from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.page import Address, validated_data
from annotation.kernel.files import download

KINDS = ("text/csv", "application/x-ndjson", "application/vnd.apache.parquet")
FILES = {(200, kind): OpenApiTypes.BINARY for kind in KINDS}


class JudgmentFormSerializer(serializers.Serializer[None]):
    form = serializers.ChoiceField(choices=JUDGMENT_FORMATS, default="csv")


class Judgments(Address):
    @extend_schema(parameters=[JudgmentFormSerializer], responses=FILES)
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Every judgment of a collection, under pseudonyms: CSV, JSONL or Parquet. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        parameters = validated_data(JudgmentFormSerializer(data=request.query_params.dict()))
        return download(outgoing_judgments(collection, parameters["form"]))


class NamedJudgments(Address):
    @extend_schema(request=JudgmentFormSerializer, responses=FILES)
    def post(self, request: Request, slug: str) -> StreamingHttpResponse:
        """The same with the account beside each pseudonym. For admins; stands in the collection's record."""
        collection = collection_for(self.person, slug, ADMIN)
        form = validated_data(JudgmentFormSerializer(data=request.data))["form"]
        note_names_taken(collection, form=form, actor=self.person)
        return download(outgoing_judgments(collection, form, named=True))
