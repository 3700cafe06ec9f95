"""Documents in every format they come in → rows. A format is a sibling of `jsonl`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import BinaryIO

from annotation.formats.documents import archive, jsonl, sgml, tsv
from annotation.formats.documents.rows import COLUMNS, DocumentRow
from annotation.formats.file_formats import FileFormat, recognise_format
from annotation.formats.problems import Problems

FORMATS: tuple[FileFormat[Iterator[DocumentRow]], ...] = (
    jsonl.FORMAT,
    jsonl.BEIR,
    tsv.FORMAT,
    sgml.FORMAT,
    archive.FORMAT,
)

__all__ = ["COLUMNS", "FORMATS", "DocumentRow", "read_documents"]

_NO_CHOICE: Mapping[str, str] = MappingProxyType({})


def read_documents(
    stream: BinaryIO, problems: Problems, *, name: str = "", columns: Mapping[str, str] = _NO_CHOICE
) -> Iterator[DocumentRow]:
    """The documents of a file in its order. Faulty ones and repeated docnos go to `problems` and are left out.

    The format is the one called `name`, else the one its content shows; the stream can be read twice. Raises
    `FormatError` where no format fits, and wherever reading on makes no sense.
    """
    file_format, _ = recognise_format(FORMATS, stream, problems, name=name)
    return file_format.read(stream, problems, columns)
