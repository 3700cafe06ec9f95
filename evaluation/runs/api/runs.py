"""Runs: the list, one run, the upload, the file."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.exchange.read.imports import job_of
from annotation.exchange.steps.importing import start_import
from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.faults import TooLarge
from annotation.kernel.api.page import Address, job_address, known_by, or_404
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.kernel.files import download
from annotation.kernel.uploads import too_large
from annotation.models import Collection, Import
from evaluation.models import Run
from evaluation.runs.read import RUN_FORMS, outgoing_run, runs_of
from evaluation.runs.steps.deletion import RunUsedError, delete_run
from evaluation.runs.steps.importing import LONGEST_TAG

KINDS = ("text/plain", "application/gzip", "application/x-ndjson")


class RunSerializer(serializers.Serializer[Run]):
    tag = serializers.CharField()
    description = serializers.CharField()
    n_topics = serializers.IntegerField()
    n_rows = serializers.IntegerField()
    n_tied = serializers.IntegerField(help_text="Rows that share their score with another of their topic.")
    filename = serializers.CharField()
    origin = serializers.JSONField(
        help_text="Of a fused run: method, parameters, depth and runs, each with tag and sha256. Of one searched with "
        "vectors: model, similarity, depth, exclude_self, `sample` where some of the queries were drawn, and queries "
        "and documents, each with sha256. Else empty."
    )
    sha256 = serializers.CharField(help_text="Of the packed run.")
    created_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, run: Run) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_run", args=[slug, run.tag], request=self.context["request"])


class UploadSerializer(serializers.Serializer[None]):
    """A run, plain or gzip."""

    file = serializers.FileField(max_length=255)
    tag = serializers.RegexField(
        r"\A\S+\Z",
        required=False,
        allow_blank=True,
        max_length=LONGEST_TAG,
        error_messages={"invalid": "A tag has no white space."},
        help_text="What the run is called; without one, the tag in the file.",
    )
    description = serializers.CharField(required=False, allow_blank=True)
    format = serializers.CharField(required=False, default="trec", help_text="What the file is read as.")

    def validate_file(self, file: "UploadedFile[Any]") -> "UploadedFile[Any]":
        if (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
            raise TooLarge(too_large(file.name or ""))
        return file


class UploadedSerializer(serializers.Serializer[dict[str, str]]):
    import_url = serializers.URLField(help_text="Ask here until its state is published, or refused with problems.")
    job_url = serializers.URLField(help_text="The job that checks the file.")


TOO_LARGE = OpenApiResponse(OpenApiTypes.OBJECT, "The file is over the limit.")


class Runs(Address):
    serializer_class = RunSerializer
    parser_classes = [MultiPartParser]

    @extend_schema(responses=RunSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The runs of a collection, by tag. For admins and researchers."""
        return self.page_of(runs_of(collection_for(self.person, slug, RESEARCH)))

    @extend_schema(request=UploadSerializer, responses={202: UploadedSerializer, 413: TOO_LARGE})
    def post(self, request: Request, slug: str) -> Response:
        """Upload a run. A worker checks the file and publishes the run if it has no problem; else nothing is stored."""
        collection = collection_for(self.person, slug, RESEARCH)
        upload = UploadSerializer(data=request.data)
        upload.is_valid(raise_exception=True)
        file = upload.validated_data.pop("file")
        record = start_import(
            collection,
            kind=Import.Kind.RUN,
            stream=file.file,
            filename=file.name,
            created_by=self.person,
            publish=True,
            **{"tag": "", "description": "", **upload.validated_data},
        )
        answer = {
            "import_url": reverse("api_import", args=[slug, record.pk], request=request),
            "job_url": job_address(request, job_of(record)),
        }
        return self.queued(answer)


class OneRun(Address):
    serializer_class = RunSerializer

    @extend_schema(responses=RunSerializer)
    def get(self, request: Request, slug: str, tag: str) -> Response:
        """A run by its tag."""
        return self.one(_run_of(collection_for(self.person, slug, RESEARCH), tag))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, tag: str) -> Response:
        """Delete a run. 409 where something was made with it: an evaluation, a pool, an accounting. For admins."""
        run = _run_of(collection_for(self.person, slug, ADMIN), tag)
        with conflicts(RunUsedError):
            delete_run(run, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RunFormSerializer(serializers.Serializer[None]):
    form = serializers.ChoiceField(choices=RUN_FORMS, default="trec")


class RunFile(Address):
    @extend_schema(parameters=[RunFormSerializer], responses={(200, kind): OpenApiTypes.BINARY for kind in KINDS})
    def get(self, request: Request, slug: str, tag: str) -> HttpResponseBase:
        """A run as a file: TREC, plain or gzip, or JSONL. Streamed; a run never changes, and has an ETag."""
        collection = collection_for(self.person, slug, RESEARCH)
        serializer = RunFormSerializer(data=request.query_params.dict())
        serializer.is_valid(raise_exception=True)
        run, form = _run_of(collection, tag), serializer.validated_data["form"]
        return known_by(request, f'W/"{run.sha256}-{form}"', lambda: download(outgoing_run(run, form)))


def _run_of(collection: Collection, tag: str) -> Run:
    return or_404(None if "\0" in tag else runs_of(collection).filter(tag=tag).first(), "run")
