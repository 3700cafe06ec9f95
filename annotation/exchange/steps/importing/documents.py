"""Documents, in any format that `annotation.formats.documents` knows."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.corpus.steps.document_counts import add_documents
from annotation.corpus.steps.document_index import note_missing
from annotation.exchange.steps.importing.importer import read_as
from annotation.exchange.steps.importing.texts import DOCUMENTS, Portion, Text, TextImporter, cut, text_of
from annotation.formats.documents import COLUMNS, FORMATS
from annotation.formats.documents.rows import document_content
from annotation.formats.problems import Problems
from annotation.kernel.jobs import JobRun
from annotation.models import Import


class DocumentImporter(TextImporter):
    kind = DOCUMENTS
    columns = (*COLUMNS, "further fields")
    file_formats = FORMATS
    meanings = COLUMNS

    def __init__(self, record: Import, run: JobRun) -> None:
        super().__init__(record, run)
        self.n_documents = self.n_texts = 0  # new documents; documents that get their first text

    def publish(self) -> None:
        note_missing(self.collection)
        add_documents(self.collection, n_documents=self.n_documents, n_texts=self.n_texts)
        super().publish()

    def _write(self, portion: Portion) -> None:
        super()._write(portion)
        self.n_documents += len(portion.new)
        self.n_texts += len(portion.new) + len(portion.first)

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMATS, stream, problems):
            yield text_of(row.docno, document_content(row), row.line)

    def shown(self, text: Text) -> list[str]:
        further = ", ".join(text.columns["fields"])
        return [text.key, *(cut(text.columns.get(name, "")) for name in COLUMNS[1:]), cut(further)]
