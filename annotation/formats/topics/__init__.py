"""Topics in every format they come in → rows. A format is a sibling of `tsv`."""

from collections.abc import Iterator

from annotation.formats.file_formats import FileFormat
from annotation.formats.topics import doc, jsonl, sgml, tsv, xml
from annotation.formats.topics.rows import COLUMNS, TopicRow

FORMATS: tuple[FileFormat[Iterator[TopicRow]], ...] = (
    tsv.FORMAT,
    jsonl.FORMAT,
    jsonl.BEIR,
    sgml.FORMAT,
    doc.FORMAT,
    xml.FORMAT,
)

__all__ = ["COLUMNS", "FORMATS", "TopicRow"]
