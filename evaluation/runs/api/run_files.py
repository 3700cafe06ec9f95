"""Runs on their way out."""

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from evaluation.runs.read.exports import RUN_FORMS, outgoing_run
from evaluation.runs.read.runs import runs_of

KINDS = ("text/plain", "application/gzip", "application/x-ndjson")


class RunFormSerializer(serializers.Serializer[None]):
    form = serializers.ChoiceField(choices=RUN_FORMS, default="trec")


class RunFile(Address):
    @extend_schema(parameters=[RunFormSerializer], responses={(200, kind): OpenApiTypes.BINARY for kind in KINDS})
    def get(self, request: Request, slug: str, tag: str) -> StreamingHttpResponse:
        """A run as a file: TREC, plain or gzip, or JSONL. Streamed."""
        collection = collection_for(self.person, slug, RESEARCH)
        asked = RunFormSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        found = None if "\0" in tag else runs_of(collection).filter(tag=tag).first()
        if found is None:
            raise Http404("No such run.")
        file = outgoing_run(found, asked.validated_data["form"])
        headers = {"Content-Disposition": f'attachment; filename="{file.filename}"'}
        return StreamingHttpResponse(file.pieces, content_type=file.content_type, headers=headers)
