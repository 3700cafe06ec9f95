"""Topics between tabs: `number<TAB>title[<TAB>description[<TAB>narrative]]`, no quoting, or columns under a header."""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.problems import Problems
from annotation.formats.tab_separated import columns_of_tabbed, is_tabbed, read_tabbed
from annotation.formats.topics.rows import COLUMNS, MEANINGS, TopicRow, checked, note_aside, whole

PLACES = {n: COLUMNS[:n] for n in (2, 3, 4)}


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[TopicRow]:
    aside: set[str] = set()
    for row in read_tabbed(stream, problems, MEANINGS, PLACES, columns):
        aside |= row.further.keys()
        topic = checked(row.values, row.line, problems)
        if topic:
            yield topic
    note_aside(list(aside), "columns", problems)


FORMAT: FileFormat[Iterator[TopicRow]] = FileFormat(
    "tsv",
    "TSV: number, title, description, narrative",
    is_tabbed,
    whole(_read),
    lambda head: columns_of_tabbed(head, MEANINGS, PLACES),
    mapped=True,
    upload_help="TSV (number, title and, if you have them, description and narrative, without quotes)",
)
