"""Topics in every format they come in → rows. A format is a sibling of `tsv`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import BinaryIO

from annotation.formats.file_formats import FileFormat, recognise_format
from annotation.formats.problems import Problems
from annotation.formats.topics import jsonl, sgml, tsv, xml
from annotation.formats.topics.rows import COLUMNS, TopicRow

FORMATS: tuple[FileFormat[Iterator[TopicRow]], ...] = (tsv.FORMAT, jsonl.FORMAT, jsonl.BEIR, sgml.FORMAT, xml.FORMAT)

__all__ = ["COLUMNS", "FORMATS", "TopicRow", "read_topics"]

_NO_CHOICE: Mapping[str, str] = MappingProxyType({})


def read_topics(
    stream: BinaryIO, problems: Problems, *, name: str = "", columns: Mapping[str, str] = _NO_CHOICE
) -> Iterator[TopicRow]:
    """The topics of a file in its order. Faulty topics and repeated numbers go to `problems` and are left out.

    The format is the one called `name`, else the one its content shows; the stream can be read twice. Raises
    `FormatError` where no format fits, and wherever reading on makes no sense.
    """
    file_format, _ = recognise_format(FORMATS, stream, problems, name=name)
    return file_format.read(stream, problems, columns)
