"""Topics in the form of documents, as the CACM collection has them: `<DOC><DOCNO>1</DOCNO> What is asked. </DOC>`.

Read as documents of that form are (`annotation.formats.documents.sgml`). What stands in no element
is the title; where an element is one (`<TITLE>`), the rest is the description.
"""

from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.documents import sgml
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.problems import Problems
from annotation.formats.topics.rows import TopicRow, checked, note_aside, whole


def _fits(head: bytes) -> bool:
    """Documents of TREC's disks have their text in an element, or are HTML."""
    lower = head.lower()
    return sgml.FORMAT.fits(head) and not any(tag in lower for tag in (b"<text", b"<html", b"<body", b"<dochdr"))


def _read(stream: BinaryIO, problems: Problems, _columns: Columns) -> Iterator[TopicRow]:
    aside: set[str] = set()
    for row in sgml.FORMAT.read(stream, problems, {}):
        aside |= row.fields.keys()
        title, text = " ".join(row.title.split()), row.text
        values = {"number": row.docno, "title": title or " ".join(text.split()), "description": text if title else ""}
        topic = checked(values, row.line, problems)
        if topic:
            yield topic
    note_aside(list(aside), "elements", problems)


FORMAT: FileFormat[Iterator[TopicRow]] = FileFormat(
    "doc",
    "Topics as <DOC> (SGML, as of CACM)",
    _fits,
    whole(_read),
    lambda _head: [("DOCNO", "number"), ("the rest", "title")],
    upload_help="SGML as of CACM",
)
