"""Topics as TREC writes them: SGML in which only `<top>` is closed, and sometimes not even that.

`<num> Number: 301`, `<title>`, `<desc> Description:`, `<narr> Narrative:`: a part ends where the
next tag begins. A tag counts where it is one of these, or where it begins a line; any other `<…>`
is text. Wrapped lines are joined.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotation.formats.fields import WHITE
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.lines import read_lines
from annotation.formats.mapping import find_columns
from annotation.formats.markup import unescaped
from annotation.formats.problems import Problems
from annotation.formats.topics.elements import MOST, Elements, Making
from annotation.formats.topics.rows import MEANINGS, TopicRow, whole

_KNOWN = "top|num|number|title|desc|description|narr|narrative|query|question"
_TAG = re.compile(rf"(?:^\s*<(/?)([A-Za-z][\w.-]{{0,40}})(?:\s[^<>]*)?>|<(/?)({_KNOWN})(?:\s[^<>]*)?>)", re.IGNORECASE)
_FIRST = re.compile(rb"(?>\s+|<!--.*?-->)*+<top(?:\s[^<>]*)?>", re.IGNORECASE | re.DOTALL)
_INTRODUCTION = {
    "number": re.compile(r"\s*(?:number|topic)\s*:", re.IGNORECASE),
    "title": re.compile(r"\s*(?:topic|title|description|narrative)\s*:", re.IGNORECASE),
    "description": re.compile(r"\s*(?:description|narrative)\s*:", re.IGNORECASE),
    "narrative": re.compile(r"\s*(?:description|narrative)\s*:", re.IGNORECASE),
}


@dataclass
class _Reading:
    """Where in the file the reading is: in which topic, in which of its parts."""

    making: Making
    topic: Elements | None = None
    part: str = ""
    are_closed: bool = False  # some topic before was
    strayed: bool = False  # text between topics was reported

    def tag(self, name: str, line: int, *, closes: bool) -> Iterator[TopicRow]:
        if name == "top":
            self.are_closed |= closes and self.topic is not None
            self._refuse_unclosed(line, closes=closes)
            yield from self.finished()
            self.topic = None if closes else Elements(line)
            self.strayed = False
        elif self.topic is not None:
            self.part = "" if closes else name
            if not closes:
                self.topic.begin(name)

    def text(self, text: str, line: int) -> None:
        if self.topic is None:
            if text.strip(WHITE) and not self.strayed:
                self.making.problems.add(line, "text outside of <top> … </top>")
                self.strayed = True
            return
        if self.part:
            self.topic.add(self.part, text)
        if self.topic.length > MOST:
            raise self.making.problems.stop(self.topic.line, f"this topic is longer than {MOST} characters")

    def finished(self) -> Iterator[TopicRow]:
        row = self.making.row(self.topic, _without_introduction) if self.topic is not None else None
        self.part = ""
        if row:
            yield row

    def _refuse_unclosed(self, line: int, *, closes: bool) -> None:
        """Where topics are closed at all, each one is: else a file cut short would go unnoticed."""
        if self.topic is not None and not closes and self.are_closed:
            self.making.problems.add(self.topic.line, f"this <top> is not closed before line {line}")

    def end(self) -> Iterator[TopicRow]:
        if self.topic is not None and self.are_closed:
            self.making.problems.add(self.topic.line, "this <top> is not closed: is the file cut short?")
        yield from self.finished()
        self.making.end()


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[TopicRow]:
    reading = _Reading(Making(problems, columns))
    for line, text in read_lines(stream, problems):
        offset = 0
        for tag in _TAG.finditer(text):
            reading.text(text[offset : tag.start()], line)
            name = (tag[2] or tag[4]).lower()
            yield from reading.tag(name, line, closes=bool(tag[1] or tag[3]))
            offset = tag.end()
        reading.text(text[offset:] + "\n", line)
    yield from reading.end()


def _without_introduction(meaning: str, text: str) -> str:
    introduction = _INTRODUCTION[meaning].match(text)
    return unescaped(text[introduction.end() :] if introduction else text)


def _columns(head: bytes) -> list[tuple[str, str]]:
    tags = (tag for line in head.decode(errors="replace").splitlines() for tag in _TAG.finditer(line))
    names = [(tag[2] or tag[4]).lower() for tag in tags if not (tag[1] or tag[3])]
    elements = [name for name in dict.fromkeys(names) if name != "top"]
    return find_columns(elements, MEANINGS, {}).meanings_of(elements)


FORMAT: FileFormat[Iterator[TopicRow]] = FileFormat(
    "sgml",
    "TREC topics (SGML)",
    lambda head: bool(_FIRST.match(head)),
    whole(_read),
    _columns,
    mapped=True,
    upload_help="TREC SGML",
)
