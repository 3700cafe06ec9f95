"""Topics, in any format that `annotation.formats.topics` knows."""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, ClassVar

from annotation.exchange.steps.importing.importer import read_as
from annotation.exchange.steps.importing.texts import TOPICS, Text, TextImporter, cut, text_of
from annotation.formats.file_formats import FileFormat
from annotation.formats.problems import Problems
from annotation.formats.topics import COLUMNS, FORMATS


class TopicImporter(TextImporter):
    kind = TOPICS
    columns: tuple[str, ...] = COLUMNS
    file_formats: ClassVar[Sequence[FileFormat[Any]]] = FORMATS
    meanings: ClassVar[tuple[str, ...]] = COLUMNS

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMATS, stream, problems):
            columns = {"title": row.title, "description": row.description, "narrative": row.narrative}
            yield text_of(row.number, columns, row.line)

    def shown(self, text: Text) -> list[str]:
        return [text.key, *(cut(text.columns[name]) for name in self.columns[1:])]
