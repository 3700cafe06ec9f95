"""Whole collections, in: looked through, shown, published as a new collection."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.exchange.api.imports import TOO_LATE, ProblemSerializer, preview_for_programs, refusals_as_conflicts
from annotation.exchange.steps import bundles
from annotation.exchange.steps.bundles import Arrival
from annotation.kernel.access import arrival_for, require_may_create_collections
from annotation.kernel.api.page import Address, job_address, validated_data
from annotation.kernel.api.parsers import FilesInParts, StrictJson
from annotation.kernel.uploads import require_grade_map, too_large
from annotation.models import Collection, Import


def require_free(slug: str) -> None:
    if Collection.objects.filter(slug=slug).exists():
        raise serializers.ValidationError(f"There is a collection {slug} already.")


class NewCollectionSerializer(serializers.Serializer[None]):
    """A bundle, or a BEIR folder in a zip or tar."""

    file = serializers.FileField(max_length=255)
    slug = serializers.SlugField(
        max_length=60, validators=[require_free], help_text="The short name of the new collection."
    )
    publish = serializers.BooleanField(
        required=False, default=False, help_text="Bring it in at once, without showing what it would bring."
    )
    grades = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1000,
        validators=[require_grade_map],
        help_text="Of a BEIR folder: what its grades are from 0 to 4: `2=1, 4=2, 8=3, 16=4`.",
    )

    def validate_file(self, file: "UploadedFile[Any]") -> "UploadedFile[Any]":
        if (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
            raise serializers.ValidationError(too_large(file.name or ""))
        return file


class NewlyBroughtSerializer(serializers.Serializer[dict[str, str]]):
    arrival_url = serializers.URLField(allow_null=True, help_text="What it would bring, and every problem.")
    job_url = serializers.URLField(help_text="The job that works on it.")
    collection_url = serializers.URLField(help_text="The collection, once it is published.")


class PublishedSerializer(serializers.Serializer[None]):
    slug = serializers.SlugField(
        max_length=60,
        required=False,
        validators=[require_free],
        help_text="Another short name than before.",
    )


class ArrivalSerializer(serializers.Serializer[Arrival]):
    """A collection on its way in."""

    state = serializers.ChoiceField(Import.State.choices)
    slug = serializers.CharField(help_text="The short name it is to get.")
    filename = serializers.CharField()
    preview = serializers.SerializerMethodField(
        help_text="What would be stored: `format`, `counts`, `tables` with the first rows of each file."
    )
    notes = serializers.SerializerMethodField(help_text="What is changed or left aside on the way in.")
    n_problems = serializers.IntegerField()
    problems = ProblemSerializer(many=True, help_text="The first 10,000.")
    error = serializers.CharField(source="job.error", help_text="Why the last job did not end well.")
    job_url = serializers.SerializerMethodField(help_text="The job that works on it, or did so last.")
    collection_url = serializers.SerializerMethodField(help_text="The collection, once it is published.")

    def get_preview(self, arrival: Arrival) -> dict[str, Any]:
        return preview_for_programs(arrival.preview)

    def get_notes(self, arrival: Arrival) -> list[str]:
        return list(arrival.preview.get("notes", []))

    def get_job_url(self, arrival: Arrival) -> str:
        return reverse("api_job", args=[arrival.job.token], request=self.context["request"])

    def get_collection_url(self, arrival: Arrival) -> str | None:
        if not arrival.slug:
            return None
        return reverse("api_collection", args=[arrival.slug], request=self.context["request"])


class NewCollection(Address):
    serializer_class = NewlyBroughtSerializer
    parser_classes = [FilesInParts]

    @extend_schema(request=NewCollectionSerializer, responses={202: NewlyBroughtSerializer})
    def post(self, request: Request) -> Response:
        """Bring in a collection, of which you become the admin: from a bundle, or a BEIR folder in a zip or tar.

        It is looked through first; publish it then, or ask for that at once.
        """
        person = require_may_create_collections(self.person)
        answers = validated_data(NewCollectionSerializer(data=request.data))
        file, slug, publish = (answers[name] for name in ("file", "slug", "publish"))
        options = {"slug": slug, "publish": publish, "grades": answers["grades"]}
        job = bundles.start_arrival(file.file, filename=file.name, created_by=person, **options)
        answer = {
            "arrival_url": None if publish else reverse("api_arrival", args=[job.token], request=request),
            "job_url": job_address(request, job),
            "collection_url": reverse("api_collection", args=[slug], request=request),
        }
        return self.queued(answer)


class OneArrival(Address):
    serializer_class = ArrivalSerializer

    @extend_schema(responses=ArrivalSerializer)
    def get(self, request: Request, token: str) -> Response:
        """How a collection on its way in stands: its state, what it would bring, and every problem."""
        return self.one(bundles.arrival_of(arrival_for(self.person, token)))


class ArrivalPublish(Address):
    serializer_class = ArrivalSerializer
    parser_classes = [StrictJson, FormParser, MultiPartParser]

    @extend_schema(request=PublishedSerializer, responses={202: ArrivalSerializer, 409: TOO_LATE})
    def post(self, request: Request, token: str) -> Response:
        """Bring in what was looked through, all at once. A second request gets the first one's job."""
        person, check = require_may_create_collections(self.person), arrival_for(self.person, token)
        answers = validated_data(PublishedSerializer(data=request.data))
        slug = answers.get("slug") or bundles.arrival_of(check).slug
        with refusals_as_conflicts():
            bundles.publish_arrival(check, slug=slug, actor=person)
        return self.queued(self.get_serializer(bundles.arrival_of(check)).data)


class ArrivalDiscard(Address):
    serializer_class = ArrivalSerializer

    @extend_schema(request=None, responses={204: None, 409: TOO_LATE})
    def post(self, request: Request, token: str) -> Response:
        """Forget what was looked through and not brought in: nothing of it is left, the file least of all."""
        with refusals_as_conflicts():
            bundles.discard_arrival(arrival_for(self.person, token), actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)
