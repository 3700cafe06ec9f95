"""A person's collections: listed, made, read, described."""

from dataclasses import dataclass

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.pages.api_collection import (
    DescriptionEntries,
    GradeSerializer,
    NewCollectionEntries,
    entered_collection,
    entered_description,
)
from annotation.corpus.steps.collections import create_collection, describe_collection
from annotation.home.read.collection import Counts, collection_counts
from annotation.home.read.start_page import OwnCollection, own_collections
from annotation.kernel.access import ADMIN, RESEARCH, collection_for, require_may_create_collections, roles_in
from annotation.kernel.api.page import Address
from annotation.kernel.api.refusals import refused
from annotation.kernel.taken import TakenError
from annotation.models import Collection, Role, User


class PlaceSerializer(serializers.Serializer[OwnCollection]):  # "Place" is what the schema calls it
    slug = serializers.SlugField(source="collection.slug")
    name = serializers.CharField(source="collection.name")
    description = serializers.CharField(source="collection.description")
    language = serializers.CharField(
        source="collection.language", help_text="Of its topics and documents, as a tag of BCP 47; empty where not told."
    )
    created_at = serializers.DateTimeField(source="collection.created_at")
    roles = serializers.ListField(child=serializers.ChoiceField(Role.choices), help_text="Your own.")


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


def overview(collection: Collection, person: User) -> CollectionOverview:
    return CollectionOverview(collection, sorted(roles_in(person, collection)), collection_counts(collection))


class Collections(Address):
    serializer_class: type[PlaceSerializer] = PlaceSerializer

    @extend_schema(responses=PlaceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The collections in which you have a role, by name."""
        return self.page_of(own_collections(self.person))

    @extend_schema(request=NewCollectionEntries, responses={201: CollectionSerializer})
    def post(self, request: Request) -> Response:
        """Make an empty collection, of which you are the admin. For who may create collections."""
        person = require_may_create_collections(self.person)
        values = entered_collection(request.data)
        try:
            collection = create_collection(**values, actor=person)
        except TakenError as error:
            raise refused({"slug": [f"“{values['slug']}” was taken just now."]}) from error
        self.serializer_class = CollectionSerializer
        return self.one(overview(collection, person), status.HTTP_201_CREATED)


class OneCollection(Address):
    serializer_class = CollectionSerializer

    @extend_schema(responses=CollectionSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A collection, its scale and how much it holds. For admins and researchers."""
        return self.one(overview(collection_for(self.person, slug, RESEARCH), self.person))

    @extend_schema(request=DescriptionEntries, responses=CollectionSerializer)
    def patch(self, request: Request, slug: str) -> Response:
        """Change name, description or language: what is not sent stays as it is. For admins."""
        collection = collection_for(self.person, slug, ADMIN)
        describe_collection(collection, **entered_description(request.data, collection), actor=self.person)
        return self.one(overview(collection, self.person))
