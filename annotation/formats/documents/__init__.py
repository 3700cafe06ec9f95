"""Documents in every format they come in → rows. A format is a sibling of `jsonl`."""

from collections.abc import Iterator

from annotation.formats.documents import archive, jsonl, sgml, tsv
from annotation.formats.documents.rows import COLUMNS, DocumentRow
from annotation.formats.file_formats import FileFormat

FORMATS: tuple[FileFormat[Iterator[DocumentRow]], ...] = (
    jsonl.FORMAT,
    jsonl.BEIR,
    tsv.FORMAT,
    sgml.FORMAT,
    archive.FORMAT,
)

__all__ = ["COLUMNS", "FORMATS", "DocumentRow"]
