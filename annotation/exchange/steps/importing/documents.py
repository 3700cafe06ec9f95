"""Documents, in any format that `annotation.formats.documents` knows."""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from django.db.models import QuerySet

from annotation.corpus.read import visible_documents, with_current_text
from annotation.exchange.steps.importing.importer import read_as
from annotation.exchange.steps.importing.texts import Text, TextImporter, cut, text_of
from annotation.formats.documents import COLUMNS, FORMATS, DocumentRow
from annotation.formats.file_formats import FileFormat
from annotation.formats.problems import Problems
from annotation.models import Document, DocumentVersion


class DocumentImporter(TextImporter):
    noun = "document"
    columns = (*COLUMNS, "further fields")
    meanings = COLUMNS
    owner = "document_id"
    models = (Document, DocumentVersion)

    @staticmethod
    def formats() -> Sequence[FileFormat[Iterator[DocumentRow]]]:
        return FORMATS

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMATS, stream, problems):
            columns: dict[str, Any] = {"title": row.title, "text": row.text, "fields": dict(row.metadata)}
            if row.markup != DocumentVersion.Form.TEXT:
                columns["form"] = row.markup  # plain text keeps the identity it had before there was other markup
            yield text_of(row.docno, columns, row.line)

    def shown(self, text: Text) -> list[str]:
        further = ", ".join(text.columns["fields"])
        return [text.key, cut(text.columns["title"]), cut(text.columns["text"]), cut(further)]

    def current(self, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        documents = visible_documents(self.collection).filter(docno__in=keys)
        rows = with_current_text(documents).values_list("docno", "pk", "current__sha256")
        return {docno: (owner, sha or "") for docno, owner, sha in rows}

    def create(self, keys: Sequence[str]) -> list[int]:
        rows = [Document(collection=self.collection, docno=key, brought_by=self.record) for key in keys]
        return [row.pk for row in Document.objects.bulk_create(rows)]

    def versions(self) -> "QuerySet[DocumentVersion]":
        return DocumentVersion.objects.filter(collection=self.collection)

    def version(self, owner: int, text: Text, *, current: bool) -> DocumentVersion:
        return DocumentVersion(
            collection=self.collection,
            document_id=owner,
            sha256=text.sha256,
            is_current=current,
            brought_by=self.record,
            **text.columns,
        )
