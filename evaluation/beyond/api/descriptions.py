"""Descriptions listed, read and deleted by programs."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.page import Address, or_404
from annotation.kernel.api.refusals import NOTHING, conflicts
from evaluation.beyond.read import description_named, descriptions_of
from evaluation.beyond.steps.deletion import DescriptionUsedError, delete_description
from evaluation.models import Description


class DescriptionLineSerializer(serializers.Serializer[Description]):
    key = serializers.CharField(help_text="The hash of what was asked.")
    kind = serializers.ChoiceField(Description.Kind.choices)
    asked = serializers.DictField(help_text="`sources` by the part they play, with their hashes, and `options`.")
    made_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, description: Description) -> str:
        slug = self.context["view"].kwargs["slug"]
        return reverse("api_description", args=[slug, description.key], request=self.context["request"])


class DescriptionSerializer(DescriptionLineSerializer):
    figures = serializers.DictField(help_text="As the command of the kind has them with `--json`.")
    drawing = serializers.DictField(help_text="What the page draws: curves as `x` and `y`, shares in bins.")


class Descriptions(Address):
    serializer_class = DescriptionLineSerializer

    @extend_schema(responses=DescriptionLineSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """What was described of lists, alarms, drift and interleaving, the newest first. For admins and researchers."""
        return self.page_of(descriptions_of(collection_for(self.person, slug, RESEARCH)))


class OneDescription(Address):
    serializer_class = DescriptionSerializer

    @extend_schema(responses=DescriptionSerializer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        """One description, with all its figures and sentences. For admins and researchers."""
        return self.one(or_404(description_named(collection_for(self.person, slug, RESEARCH), key), "description"))

    @extend_schema(responses={204: None, 409: NOTHING})
    def delete(self, request: Request, slug: str, key: str) -> Response:
        """Delete a description; it can be asked again. 409 while a job describes it. For admins."""
        description = or_404(description_named(collection_for(self.person, slug, ADMIN), key), "description")
        with conflicts(DescriptionUsedError):
            delete_description(description, actor=self.person)
        return Response(status=status.HTTP_204_NO_CONTENT)
