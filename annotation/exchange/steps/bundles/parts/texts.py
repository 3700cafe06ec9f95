"""Topics and documents, and every version of their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from django.db.models import QuerySet

from annotation.corpus.read.texts import visible_documents, visible_topics
from annotation.exchange.steps.bundles.parts.part import Part
from annotation.exchange.steps.bundles.parts.references import DOCUMENT, TOPIC
from annotation.exchange.steps.bundles.parts.rules import identity_fault
from annotation.formats.bundle import RowError
from annotation.formats.bundle.rows import DocumentRow, DocumentVersionRow, ItemRow, TopicRow, TopicVersionRow
from annotation.formats.bundle.training_rows import QualificationPairRow
from annotation.formats.documents.html import sanitised_again
from annotation.formats.documents.rows import document_content
from annotation.formats.identity import sha256_of
from annotation.kernel.visible import published
from annotation.models import Document, DocumentVersion, Topic, TopicVersion

RowWithText = TypeVar("RowWithText", ItemRow, QualificationPairRow)


class Topics(Part[TopicRow]):
    name, row, model = "topics", TopicRow, Topic

    def outgoing(self) -> "QuerySet[Topic]":
        return visible_topics(self.collection)


class TopicVersions(Part[TopicVersionRow]):
    name, row, model = "topic_versions", TopicVersionRow, TopicVersion
    references = (TOPIC,)
    preview = ("number", "title", "description", "narrative")

    def outgoing(self) -> "QuerySet[TopicVersion]":
        return self.table(self.collection).filter(published(), published("topic__"))

    def fault(self, row: TopicVersionRow) -> str:
        content = {name: getattr(row, name) for name in ("title", "description", "narrative")}
        return identity_fault(row.sha256, content)


class Documents(Part[DocumentRow]):
    name, row, model = "documents", DocumentRow, Document

    def outgoing(self) -> "QuerySet[Document]":
        return visible_documents(self.collection)


class DocumentVersions(Part[DocumentVersionRow]):
    name, row, model = "document_versions", DocumentVersionRow, DocumentVersion
    references = (DOCUMENT,)
    preview = ("docno", "title", "text")
    portion = 100  # some are long

    def outgoing(self) -> "QuerySet[DocumentVersion]":
        return self.table(self.collection).filter(published(), published("document__"))

    def fault(self, row: DocumentVersionRow) -> str:
        return identity_fault(row.sha256, document_content(row))

    def insert(self, rows: Sequence[DocumentVersionRow]) -> list[Any]:
        """Plain texts stay as they are, HTML is sanitised: another text has its own hash."""
        safe_rows = [_sanitised(index, row) for index, row in enumerate(rows)]
        for row, safe in zip(rows, safe_rows, strict=True):
            if safe is not row:
                self.transfer.sanitised[row.docno, row.sha256] = safe.sha256
        return super().insert(safe_rows)


def with_sanitised_texts(
    rows: Sequence[RowWithText], sanitised: Mapping[tuple[str, str], str]
) -> Sequence[RowWithText]:
    """The rows, with the hashes that their documents have since they were sanitised."""
    hashes = [sanitised.get((row.docno, row.document_sha256 or "")) for row in rows]
    return [replace(row, document_sha256=sha) if sha else row for row, sha in zip(rows, hashes, strict=True)]


def _sanitised(index: int, row: DocumentVersionRow) -> DocumentVersionRow:
    """The row itself, unless sanitising changes its text. Raises `RowError` as an import of the document would."""
    if row.form == DocumentVersion.Form.TEXT:
        return row
    try:
        text = sanitised_again(row.text)
    except ValueError as error:
        raise RowError(index, f"document {row.docno}: {error}") from error
    if text == row.text:
        return row
    safe = replace(row, text=text)
    return replace(safe, sha256=sha256_of(document_content(safe)))
