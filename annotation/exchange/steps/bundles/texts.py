"""Topics and documents, and every version of their texts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from annotation.corpus.read import visible_documents, visible_topics
from annotation.exchange.read.bundles import paged
from annotation.exchange.steps.bundles import primary_keys as places
from annotation.exchange.steps.bundles.part import TablePart, create, keys_of
from annotation.exchange.steps.bundles.rules import check_identity
from annotation.formats.bundle import RowRefused
from annotation.formats.bundle.rows import DocumentRow, DocumentVersionRow, TopicRow, TopicVersionRow
from annotation.formats.documents.html import sanitised_again
from annotation.formats.identity import sha256_of
from annotation.kernel.visible import published
from annotation.models import Collection, Document, DocumentVersion, Topic, TopicVersion

AT_ONCE = 100  # documents read at a time: some are long
OF_A_TOPIC = ("sha256", "title", "description", "narrative", "is_current")
OF_A_DOCUMENT = ("sha256", "title", "text", "form", "fields", "is_current")


class Topics(TablePart[TopicRow]):
    name, row = "topics", TopicRow

    def rows(self) -> Iterator[TopicRow]:
        return (TopicRow(*values) for values in paged(visible_topics(self.collection), "number"))

    def store(self, rows: Sequence[TopicRow]) -> None:
        create(Topic, rows, ["number"], collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Topic]":
        return Topic.objects.filter(collection=collection)


class TopicVersions(TablePart[TopicVersionRow]):
    name, row = "topic_versions", TopicVersionRow
    shown = ("number", "title", "description", "narrative")

    def rows(self) -> Iterator[TopicVersionRow]:
        found = self.stored(self.collection).filter(published(), published("topic__"))
        return (TopicVersionRow(*values) for values in paged(found, "topic__number", *OF_A_TOPIC))

    def store(self, rows: Sequence[TopicVersionRow]) -> None:
        for place, row in enumerate(rows):
            text = {name: getattr(row, name) for name in ("title", "description", "narrative")}
            check_identity(place, row.sha256, text)
        numbers = [row.number for row in rows]
        owners = keys_of(numbers, places.topics(self.collection, numbers), "topic")
        create(TopicVersion, rows, OF_A_TOPIC, collection=self.collection, topic_id=owners)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[TopicVersion]":
        return TopicVersion.objects.filter(collection=collection)


class Documents(TablePart[DocumentRow]):
    name, row = "documents", DocumentRow

    def rows(self) -> Iterator[DocumentRow]:
        return (DocumentRow(*values) for values in paged(visible_documents(self.collection), "docno"))

    def store(self, rows: Sequence[DocumentRow]) -> None:
        create(Document, rows, ["docno"], collection=self.collection)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[Document]":
        return Document.objects.filter(collection=collection)


class DocumentVersions(TablePart[DocumentVersionRow]):
    name, row = "document_versions", DocumentVersionRow
    shown = ("docno", "title", "text")

    def rows(self) -> Iterator[DocumentVersionRow]:
        found = self.stored(self.collection).filter(published(), published("document__"))
        columns = paged(found, "document__docno", *OF_A_DOCUMENT, portion=AT_ONCE)
        return (DocumentVersionRow(*values) for values in columns)

    def store(self, rows: Sequence[DocumentVersionRow]) -> None:
        """Plain texts stay as they are, HTML as it is once sanitised: another text has its own hash."""
        for place, row in enumerate(rows):
            check_identity(place, row.sha256, _content(row))
        kept = [_sanitised(place, row) for place, row in enumerate(rows)]
        told = zip(rows, kept, strict=True)
        self.transfer.sanitised.update({(row.docno, row.sha256): new.sha256 for row, new in told if new is not row})
        docnos = [row.docno for row in rows]
        owners = keys_of(docnos, places.documents(self.collection, docnos), "document")
        create(DocumentVersion, kept, OF_A_DOCUMENT, collection=self.collection, document_id=owners)

    @staticmethod
    def stored(collection: Collection) -> "QuerySet[DocumentVersion]":
        return DocumentVersion.objects.filter(collection=collection)


def _content(row: DocumentVersionRow) -> dict[str, Any]:
    """What the hash of a text is that of."""
    form = {} if row.form == DocumentVersion.Form.TEXT else {"form": row.form}
    return {"title": row.title, "text": row.text, "fields": row.fields, **form}


def _sanitised(place: int, row: DocumentVersionRow) -> DocumentVersionRow:
    """The row itself, unless sanitising changes its text. Raises `RowRefused` as an import of the document would."""
    if row.form == DocumentVersion.Form.TEXT:
        return row
    try:
        text = sanitised_again(row.text)
    except ValueError as fault:
        raise RowRefused(place, f"document {row.docno}: {fault}") from fault
    if text == row.text:
        return row
    new = replace(row, text=text)
    return replace(new, sha256=sha256_of(_content(new)))
