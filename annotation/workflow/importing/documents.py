"""Documents, in any form that `annotation.formats.documents` knows."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from django.db.models import QuerySet

from annotation.formats.documents import DocumentRow, read_documents
from annotation.formats.forms import Columns, Form
from annotation.formats.problems import Problems
from annotation.models import Document, DocumentVersion
from annotation.queries.texts import visible_documents, with_current_text
from annotation.workflow.importing.reading import read_as
from annotation.workflow.importing.texts import Text, TextImporter, cut, text_of


def _read(stream: BinaryIO, problems: Problems, _columns: Columns) -> Iterator[DocumentRow]:
    return read_documents(stream, problems)


FORMS = (Form("jsonl", "JSON lines", lambda _head: True, _read),)


class DocumentImporter(TextImporter):
    noun = "document"
    columns = ("docno", "title", "text", "further fields")
    meanings = ("docno", "title", "text")
    owner = "document_id"

    @staticmethod
    def forms() -> Sequence[Form[Iterator[DocumentRow]]]:
        return FORMS

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMS, stream, problems):
            yield text_of(row.docno, {"title": row.title, "text": row.text, "fields": dict(row.metadata)}, row.line)

    def shown(self, text: Text) -> list[str]:
        further = ", ".join(text.columns["fields"])
        return [text.key, cut(text.columns["title"]), cut(text.columns["text"]), cut(further)]

    def current(self, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        found = visible_documents(self.collection).filter(docno__in=keys)
        rows = with_current_text(found).values_list("docno", "pk", "current__sha256")
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
