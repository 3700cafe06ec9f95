"""Topics and documents as everybody may see them: a row is visible once the import that brought it is published."""

from typing import Any

from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet

from annotation.corpus.read.document_search import searched
from annotation.kernel.visible import published
from annotation.models import Collection, Document, DocumentVersion, Import, Topic, TopicVersion


def visible_topics(collection: Collection) -> QuerySet[Topic]:
    """The collection's topics, without those of an import under way."""
    return Topic.objects.filter(published(), collection=collection)


def visible_documents(collection: Collection) -> QuerySet[Document]:
    """The collection's documents, without those of an import under way."""
    return Document.objects.filter(published(), collection=collection)


def topics_with_text(collection: Collection) -> QuerySet[Topic]:
    """The visible topics that can be judged. Judgments made elsewhere bring topics by their numbers alone."""
    current = TopicVersion.objects.filter(published(), topic=OuterRef("pk"), is_current=True)
    return visible_topics(collection).filter(Exists(current))


def documents_with_text(collection: Collection) -> QuerySet[Document]:
    """The visible documents that can be judged, as `topics_with_text`. An empty text is a text."""
    current = DocumentVersion.objects.filter(published(), document=OuterRef("pk"), is_current=True)
    return visible_documents(collection).filter(Exists(current))


def n_without_text(rows: "QuerySet[Any]") -> int:
    """How many of the topics or documents have no text.

    Only judgments made elsewhere bring such rows, by themselves or with a whole collection.
    """
    suspects = rows.filter(brought_by__kind__in=[Import.Kind.JUDGMENTS, Import.Kind.COLLECTION])
    return with_current_text(suspects).filter(current__isnull=True).count()


def with_current_text(rows: "QuerySet[Any]") -> "QuerySet[Any]":
    """Topics or documents joined with their current text, if they have one, as `current`."""
    joined: QuerySet[Any] = rows.annotate(current=FilteredRelation("versions", condition=Q(versions__is_current=True)))
    return joined


def current_topic_versions(collection: Collection) -> QuerySet[TopicVersion]:
    """The current text of each visible topic, `topic` joined, in the order they came in."""
    current = TopicVersion.objects.filter(published("topic__"), collection=collection, is_current=True)
    return current.select_related("topic").order_by("topic_id")


def current_document_versions(collection: Collection) -> QuerySet[DocumentVersion]:
    """The current text of each visible document, `document` joined, in the order they came in."""
    current = DocumentVersion.objects.filter(published("document__"), collection=collection, is_current=True)
    return current.select_related("document").order_by("document_id")


def found_topics(collection: Collection, words: str) -> QuerySet[TopicVersion]:
    """Current texts of topics in which every one of the words stands: number, title, description or narrative."""
    versions = current_topic_versions(collection)
    for word in words.split():
        versions = versions.filter(
            Q(topic__number__icontains=word)
            | Q(title__icontains=word)
            | Q(description__icontains=word)
            | Q(narrative__icontains=word)
        )
    return versions


def found_documents(collection: Collection, words: str) -> QuerySet[DocumentVersion]:
    """Current texts of documents in which each of the words begins one: docno, title or text. Texts are not loaded."""
    return searched(current_document_versions(collection).defer("text", "fields"), collection, words)


def topic_versions(topic: Topic) -> QuerySet[TopicVersion]:
    """Every published text of a topic, the newest first."""
    return TopicVersion.objects.filter(published(), topic=topic).order_by("-pk")


def document_versions(document: Document) -> QuerySet[DocumentVersion]:
    """Every published text of a document, the newest first."""
    return DocumentVersion.objects.filter(published(), document=document).order_by("-pk")
