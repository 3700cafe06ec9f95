"""Documents between tabs, no quoting: `docno<TAB>text` or `docno<TAB>title<TAB>text`, or columns under a header.

Every line has as many columns as the first: a tab in a text would else move what follows. Further
columns of a header are kept as metadata.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from annotation.formats.documents.rows import MEANINGS, TEXT, DocumentRow, checked, whole
from annotation.formats.documents.tar import is_tar
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.problems import Problems
from annotation.formats.tab_separated import columns_of_tabbed, is_tabbed, read_tabbed

PLACES = {2: ("docno", "text"), 3: ("docno", "title", "text")}
HEADED = tuple(replace(each, needed=each.needed or each is TEXT) for each in MEANINGS)  # a header names the text


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[DocumentRow]:
    for row in read_tabbed(stream, problems, HEADED, PLACES, columns, steady=True):
        document = checked(row.values, row.further, row.line, problems)
        if document:
            yield document


def _columns(head: bytes) -> list[tuple[str, str]]:
    return [(column, meaning or "metadata") for column, meaning in columns_of_tabbed(head, HEADED, PLACES)]


def _fits(head: bytes) -> bool:
    return is_tabbed(head) and not is_tar(head)


FORMAT: FileFormat[Iterator[DocumentRow]] = FileFormat(
    "tsv", "TSV: docno, title, text", _fits, whole(_read), _columns, mapped=True, upload_help="TSV"
)
