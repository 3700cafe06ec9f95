"""A person's collections."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.home.read.collection import Counts, collection_counts
from annotation.home.read.start_page import OwnCollection, own_collections
from annotation.kernel.access import RESEARCH, collection_for, roles_in
from annotation.kernel.api.page import Address
from annotation.models import Role
from annotation.models.scale import Grade


class PlaceSerializer(serializers.Serializer[OwnCollection]):  # "Place" is what the schema calls it
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
class CollectionOverview(OwnCollection):
    """With what the first page of the collection says of it."""

    counts: Counts


class CollectionSerializer(PlaceSerializer):
    grades = GradeSerializer(source="collection.scale.grades", many=True, help_text="The scale, from bottom to top.")
    counts = CountsSerializer()


class Collections(Address):
    serializer_class = PlaceSerializer

    @extend_schema(responses=PlaceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The collections in which you have a role, by name."""
        return self.page_of(own_collections(self.person))


class OneCollection(Address):
    serializer_class = CollectionSerializer

    @extend_schema(responses=CollectionSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A collection, its scale and how much it holds. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        roles = sorted(roles_in(self.person, collection))
        return self.one(CollectionOverview(collection, roles, collection_counts(collection)))
