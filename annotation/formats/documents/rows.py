"""A document as every format gives it, and the names that its parts have in files."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

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
CONTENT = (*COLUMNS[1:], "fields", "form")
AS_BEFORE = MappingProxyType({"form": "text"})  # with these values a text has the identity of before they were there


@dataclass(frozen=True)
class DocumentRow:
    """One document as a file has it; further `fields` have their names in sorted order.

    `form` says what the text is: plain `text`, or sanitised `html`.
    """

    docno: str
    title: str
    text: str
    fields: Mapping[str, str]
    line: int
    form: str = "text"


def document_content(row: object) -> dict[str, Any]:
    """What a version of a document holds, and its identity is that of; of a row that has `CONTENT`."""
    values = {name: getattr(row, name) for name in CONTENT}
    content = {name: value for name, value in values.items() if AS_BEFORE.get(name) != value}
    return {**content, "fields": dict(values["fields"])}


Read: TypeAlias = Reading[DocumentRow]


def whole(read: Read) -> Read:
    """`read`, with each docno once, and a problem where there is no document at all."""
    return each_once(read, key=lambda row: row.docno, word="document")


def checked(
    values: Mapping[str, str], further: Mapping[str, str], line: int, problems: Problems, *, form: str = "text"
) -> DocumentRow | None:
    """The document with these values by meaning, or None with the reason reported. It may be empty."""
    docno, *texts = (values.get(name, "").strip(WHITE) for name in COLUMNS)
    fault = id_fault(docno, "docno")
    for name, text in zip(COLUMNS[1:], texts, strict=True):
        fault = fault or text_fault(text, name)
    fault = fault or (f"more than {MAX_METADATA} further keys" if len(further) > MAX_METADATA else None)
    for key, value in further.items():
        fault = fault or text_fault(key, "name of a key") or text_fault(value, f"value of {key!r}")
    if fault:
        problems.add(line, fault)
        return None
    fields = MappingProxyType(dict(sorted(further.items())))
    named = dict(zip(COLUMNS[1:], texts, strict=True))
    return DocumentRow(docno, **named, fields=fields, line=line, form=form)
