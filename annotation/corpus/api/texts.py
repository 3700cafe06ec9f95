"""Topics and documents, with their texts."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.read.texts import found_topics
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address
from annotation.models import TopicVersion


class TopicSerializer(serializers.Serializer[TopicVersion]):
    number = serializers.CharField(source="topic.number")
    title = serializers.CharField()
    description = serializers.CharField()
    narrative = serializers.CharField()


class SearchSerializer(serializers.Serializer[None]):
    q = serializers.CharField(
        required=False, max_length=200, help_text="Only topics in which every one of these words stands."
    )


class Topics(Address):
    serializer_class = TopicSerializer

    @extend_schema(parameters=[SearchSerializer], responses=TopicSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The current text of each topic, in the order they came in. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        search = SearchSerializer(data=request.query_params.dict())
        search.is_valid(raise_exception=True)
        return self.page_of(found_topics(collection, search.validated_data.get("q", "")))
