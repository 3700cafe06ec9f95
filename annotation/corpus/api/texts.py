"""Topics and documents: found by words, and one with its texts."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.corpus.read.document_page import ListedDocuments
from annotation.corpus.read.texts import (
    document_versions,
    found_topics,
    topic_versions,
    visible_documents,
    visible_topics,
)
from annotation.kernel.access import RESEARCH, collection_for
from annotation.kernel.api.page import Address, or_404, validated_data
from annotation.models import Collection, Document, DocumentVersion, Topic, TopicVersion


class TopicSerializer(serializers.Serializer[TopicVersion]):
    number = serializers.CharField(source="topic.number")
    title = serializers.CharField()
    description = serializers.CharField()
    narrative = serializers.CharField()


class TopicVersionSerializer(serializers.Serializer[Any]):
    is_current = serializers.BooleanField()
    sha256 = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    narrative = serializers.CharField()
    created_at = serializers.DateTimeField()


class WholeTopicSerializer(serializers.Serializer[Topic]):
    number = serializers.CharField()
    versions = serializers.SerializerMethodField(
        help_text="Its texts, the newest first; none for one that came with judgments or qrels alone."
    )

    @extend_schema_field(TopicVersionSerializer(many=True))
    def get_versions(self, topic: Topic) -> object:
        return TopicVersionSerializer(topic_versions(topic), many=True).data


class DocumentSerializer(serializers.Serializer[DocumentVersion]):
    docno = serializers.CharField(source="document.docno")
    title = serializers.CharField()


class DocumentVersionSerializer(serializers.Serializer[Any]):
    is_current = serializers.BooleanField()
    sha256 = serializers.CharField()
    title = serializers.CharField()
    text = serializers.CharField()
    form = serializers.ChoiceField(DocumentVersion.Form.choices, help_text="What the text is; HTML is sanitised.")
    further_fields = serializers.DictField(source="fields", help_text="What else the file said of it.")
    created_at = serializers.DateTimeField()


class WholeDocumentSerializer(serializers.Serializer[Document]):
    docno = serializers.CharField()
    versions = serializers.SerializerMethodField(
        help_text="Its texts, the newest first; none for one that came with judgments or qrels alone."
    )

    @extend_schema_field(DocumentVersionSerializer(many=True))
    def get_versions(self, document: Document) -> object:
        return DocumentVersionSerializer(document_versions(document), many=True).data


class SearchSerializer(serializers.Serializer[None]):
    q = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Only those with each of these words: in documents it begins a word, in topics it stands anywhere.",
    )


class _Found(Address):
    def page_of_matches(self, slug: str, search: Callable[[Collection, str], Any]) -> Response:
        collection = collection_for(self.person, slug, RESEARCH)
        asked = validated_data(SearchSerializer(data=self.request.query_params.dict()))
        return self.page_of(search(collection, asked.get("q", "")))


class Topics(_Found):
    serializer_class = TopicSerializer

    @extend_schema(parameters=[SearchSerializer], responses=TopicSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The current text of each topic, in the order they came in. For admins and researchers."""
        return self.page_of_matches(slug, found_topics)


class OneTopic(Address):
    serializer_class = WholeTopicSerializer

    @extend_schema(responses=WholeTopicSerializer)
    def get(self, request: Request, slug: str, number: str) -> Response:
        """A topic with every text it had. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.one(or_404(visible_topics(collection).filter(number=number).first(), "topic"))


class Documents(_Found):
    serializer_class = DocumentSerializer

    @extend_schema(parameters=[SearchSerializer], responses=DocumentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The documents that have a text, by docno and title, in the order they came in. For admins and researchers."""
        return self.page_of_matches(slug, ListedDocuments)


class OneDocument(Address):
    serializer_class = WholeDocumentSerializer

    @extend_schema(responses=WholeDocumentSerializer)
    def get(self, request: Request, slug: str, docno: str) -> Response:
        """A document with every text it had. For admins and researchers."""
        collection = collection_for(self.person, slug, RESEARCH)
        return self.one(or_404(visible_documents(collection).filter(docno=docno).first(), "document"))
