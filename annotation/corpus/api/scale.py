"""The scale of a collection: read, and written anew."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_collection import GradeSerializer, ScaleEntries, entered_scale
from annotation.corpus.steps.scales import ScaleFixedError, revise_scale, why_number_of_grades_is_fixed
from annotation.kernel.access import ADMIN, RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import NOTHING, conflicts
from annotation.models import Collection


class ScaleSerializer(serializers.Serializer[Collection]):
    version = serializers.IntegerField(source="scale.number")
    grades = GradeSerializer(source="scale.grades", many=True, help_text="From bottom to top.")
    number_is_fixed = serializers.SerializerMethodField(
        help_text="Why the number of grades cannot change any more; empty while it can."
    )

    def get_number_is_fixed(self, collection: Collection) -> str:
        return why_number_of_grades_is_fixed(collection)


class Scale(Address):
    serializer_class = ScaleSerializer

    @extend_schema(responses=ScaleSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The scale of a collection and what each grade means. For admins and researchers."""
        return self.one(collection_for(self.person, slug, RESEARCH))

    @extend_schema(request=ScaleEntries, responses={200: ScaleSerializer, 409: NOTHING})
    def put(self, request: Request, slug: str) -> Response:
        """Put these grades in place of the current ones. What is laid out keeps the scale it has. For admins.

        409 for another number of grades once something was graded.
        """
        collection = collection_for(self.person, slug, ADMIN)
        grades = entered_scale(request.data)
        with conflicts(ScaleFixedError):
            revise_scale(collection, grades=grades, actor=self.person)
        return self.one(collection_for(self.person, slug, ADMIN))
