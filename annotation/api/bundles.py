"""Whole collections: out as a bundle, in as a new collection."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.access import ADMIN, collection_for, packing_for, require_may_create_collections
from annotation.api.page import Address, stored_file
from annotation.forms.imports import too_large
from annotation.models import Collection
from annotation.workflow import bundles


class PackedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that packs the collection.")
    file_url = serializers.URLField(help_text="The bundle, for a day once the job is done.")


class NewCollectionSerializer(serializers.Serializer[None]):
    """A bundle, or a BEIR folder in a zip or tar."""

    file = serializers.FileField(max_length=255)
    slug = serializers.SlugField(max_length=60, help_text="The short name of the new collection.")

    def validate_file(self, file: "UploadedFile[Any]") -> "UploadedFile[Any]":
        if (file.size or 0) > settings.TOUCHSTONE_UPLOAD_LIMIT:
            raise serializers.ValidationError(too_large(file.name or ""))
        return file

    def validate_slug(self, slug: str) -> str:
        if Collection.objects.filter(slug=slug).exists():
            raise serializers.ValidationError(f"There is a collection {slug} already.")
        return slug


class NewlyBroughtSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that brings it in; its error says what is wrong.")
    collection_url = serializers.URLField(help_text="The collection, once the job is done.")


class Bundles(Address):
    serializer_class = PackedSerializer

    @extend_schema(request=None, responses={202: PackedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Pack the whole collection into a bundle. While that is under way, the same job is answered. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        job = bundles.start_export(collection, created_by=self.person)
        answer = {
            "job_url": reverse("api_job", args=[job.token], request=request),
            "file_url": reverse("api_bundle", args=[slug, job.token], request=request),
        }
        return Response(answer, status=status.HTTP_202_ACCEPTED)


class OneBundle(Address):
    serializer_class = PackedSerializer

    @extend_schema(
        responses={(200, "application/zip"): OpenApiTypes.BINARY, 404: OpenApiResponse(OpenApiTypes.OBJECT, "Not yet.")}
    )
    def get(self, request: Request, slug: str, token: str) -> HttpResponseBase:
        """The bundle that a job has packed. 404 until the job is done, and a day later. For admins."""
        path = bundles.bundle_file(packing_for(self.person, slug, token))
        if path is None:
            raise Http404("This bundle is not made yet, or its day is over.")
        return stored_file(request, path, content_type="application/zip", filename=f"{slug}-bundle.zip")


class NewCollection(Address):
    serializer_class = NewlyBroughtSerializer
    parser_classes = [MultiPartParser]

    @extend_schema(request=NewCollectionSerializer, responses={202: NewlyBroughtSerializer})
    def post(self, request: Request) -> Response:
        """Bring in a collection, of which you become the admin: from a bundle, or a BEIR folder in a zip or tar."""
        person = require_may_create_collections(self.person)
        given = NewCollectionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        file, slug = given.validated_data["file"], given.validated_data["slug"]
        job = bundles.start_bringing(file.file, filename=file.name, slug=slug, created_by=person)
        answer = {
            "job_url": reverse("api_job", args=[job.token], request=request),
            "collection_url": reverse("api_collection", args=[slug], request=request),
        }
        return Response(answer, status=status.HTTP_202_ACCEPTED)
