"""A document as every format gives it, and the names that its parts have in files."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from annotation.formats.duplicates import Reading, each_once
from annotation.formats.fields import WHITE, id_fault, text_fault
from annotation.formats.mapping import Meaning
from annotation.formats.problems import Problems

MAX_METADATA = 100  # further fields a document
DOCNO = Meaning("docno", ("docno", "doc_id", "id", "_id", "docid", "document_id", "passage_id", "pid"))
TITLE = Meaning("title", ("title",), needed=False)
TEXT = Meaning("text", ("text", "body", "contents", "content", "passage"), needed=False)
MEANINGS = (DOCNO, TITLE, TEXT)
COLUMNS = tuple(meaning.name for meaning in MEANINGS)


@dataclass(frozen=True)
class DocumentRow:
    """One document as a file has it; `metadata` has its keys in sorted order.

    `markup` says what the text is: plain `text`, or sanitised `html`.
    """

    docno: str
    title: str
    text: str
    metadata: Mapping[str, str]
    line: int
    markup: str = "text"


Read: TypeAlias = Reading[DocumentRow]


def whole(read: Read) -> Read:
    """`read`, with each docno once, and a problem where there is no document at all."""
    return each_once(read, key=lambda row: row.docno, word="document")


def checked(
    values: Mapping[str, str], further: Mapping[str, str], line: int, problems: Problems, *, markup: str = "text"
) -> DocumentRow | None:
    """The document with these values by meaning, or None with the reason reported. It may be empty."""
    docno, title, text = (values.get(name, "").strip(WHITE) for name in COLUMNS)
    fault = (
        id_fault(docno, "docno")
        or text_fault(title, "title")
        or text_fault(text, "text")
        or (f"more than {MAX_METADATA} further keys" if len(further) > MAX_METADATA else None)
    )
    for key, value in further.items():
        fault = fault or text_fault(key, "name of a key") or text_fault(value, f"value of {key!r}")
    if fault:
        problems.add(line, fault)
        return None
    return DocumentRow(docno, title, text, MappingProxyType(dict(sorted(further.items()))), line, markup)
