"""A person's collections."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.home.read.overview import Counts, collection_counts
from annotation.home.read.waiting import Place, places_of
from annotation.kernel.access import RESEARCH, collection_for, roles_in
from annotation.kernel.api.page import Address
from annotation.models import Collection, Role
from annotation.models.scale import Grade


class PlaceSerializer(serializers.Serializer[Place]):
    slug = serializers.SlugField(source="collection.slug")
    name = serializers.CharField(source="collection.name")
    description = serializers.CharField(source="collection.description")
    language = serializers.CharField(
        source="collection.language", help_text="Of its topics and documents, as a tag of BCP 47; empty where not told."
    )
    created_at = serializers.DateTimeField(source="collection.created_at")
    roles = serializers.ListField(child=serializers.ChoiceField(Role.choices), help_text="Your own.")


class GradeSerializer(serializers.Serializer[Grade]):
    grade = serializers.IntegerField()
    name = serializers.CharField()
    definition = serializers.CharField()
    example = serializers.CharField()


class CountsSerializer(serializers.Serializer[Counts]):
    topics = serializers.IntegerField()
    documents = serializers.IntegerField()
    annotators = serializers.IntegerField()
    pools = serializers.IntegerField()
    batches = serializers.IntegerField()
    judgments = serializers.IntegerField()
    snapshots = serializers.IntegerField()


@dataclass(frozen=True)
class Whole:
    """A collection with what its first page says of it."""

    collection: Collection
    roles: list[str]
    counts: Counts


class CollectionSerializer(PlaceSerializer):
    grades = GradeSerializer(source="collection.scale.grades", many=True, help_text="The scale, from bottom to top.")
    counts = CountsSerializer()


class Collections(Address):
    serializer_class = PlaceSerializer

    @extend_schema(responses=PlaceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The collections in which you have a role, by name."""
        return self.page_of(places_of(self.person))


class OneCollection(Address):
    serializer_class = CollectionSerializer

    @extend_schema(responses=CollectionSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A collection, its scale and how much it holds. For admins and researchers."""
        found = collection_for(self.person, slug, RESEARCH)
        return self.one(Whole(found, sorted(roles_in(self.person, found)), collection_counts(found)))
