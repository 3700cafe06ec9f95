"""Documents, in any format that `annotation.formats.documents` knows."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.exchange.steps.importing.importer import read_as
from annotation.exchange.steps.importing.texts import DOCUMENTS, Text, TextImporter, cut, text_of
from annotation.formats.documents import COLUMNS, FORMATS
from annotation.formats.documents.rows import document_content
from annotation.formats.problems import Problems


class DocumentImporter(TextImporter):
    kind = DOCUMENTS
    columns = (*COLUMNS, "further fields")
    file_formats = FORMATS
    meanings = COLUMNS

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMATS, stream, problems):
            yield text_of(row.docno, document_content(row), row.line)

    def shown(self, text: Text) -> list[str]:
        further = ", ".join(text.columns["fields"])
        return [text.key, *(cut(text.columns.get(name, "")) for name in COLUMNS[1:]), cut(further)]
