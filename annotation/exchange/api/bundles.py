"""Whole collections, out: packed into a bundle."""

from django.http import Http404
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.exchange.steps import bundles
from annotation.kernel.access import ADMIN, collection_for, packing_for
from annotation.kernel.api.page import Address, job_address, stored_file


class PackedSerializer(serializers.Serializer[dict[str, str]]):
    job_url = serializers.URLField(help_text="The job that packs the collection.")
    file_url = serializers.URLField(help_text="The bundle, for a day once the job is done.")


class Bundles(Address):
    serializer_class = PackedSerializer

    @extend_schema(request=None, responses={202: PackedSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Pack the whole collection into a bundle. While that is under way, the same job is answered. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        job = bundles.start_export(collection, created_by=self.person)
        answer = {
            "job_url": job_address(request, job),
            "file_url": reverse("api_bundle", args=[slug, job.token], request=request),
        }
        return self.queued(answer)


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
