"""Topics as XML: `<topic number="1">` (or `<top>`) with an element for each part, below any root.

An attribute is a part like an element. Comments, and a document type that only declares elements,
are skipped; declared entities are refused, nothing outside is fetched. Not well-formed XML ends the
reading: no line after it can be trusted.
"""

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ErrorString

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.lines import UTF8, Limits, read_lines
from annotation.formats.mapping import find_columns
from annotation.formats.problems import Problems
from annotation.formats.topics.elements import MOST, Elements, Making
from annotation.formats.topics.rows import MEANINGS, OWN_TEXT, TopicRow, whole

LIMITS = Limits(file=32 << 20, line=8 << 20)
STEP = 1 << 20  # characters given to the parser at once: it reads a tag that is not over from its beginning again
MAX_DEPTH = 32
MAX_ATTRIBUTES = 100
TOPICS = frozenset({"topic", "top"})

_DECLARED = re.compile(r"<\?xml\s[^>]*?encoding\s*=\s*[\"']([\w.-]+)")
_START = re.compile(rb"\s*<(?:\?xml\b|!DOCTYPE\b|!--|[A-Za-z_])", re.IGNORECASE)
_OTHERS = re.compile(rb"(?>\s+|<!--.*?-->)*+<(?:top\b|doc\b|html\b|!doctype\s+html\b)", re.IGNORECASE | re.DOTALL)
_ELEMENT = re.compile(r"<([A-Za-z_][\w.-]*)((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.-]*)\s*=")


class _Target:
    """What the parser calls. Finished topics are in `rows` until they are taken."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.rows: list[TopicRow] = []
        self.line_now: Callable[[], int] = lambda: 0  # set by the parser
        self.depth = 0
        self.top = 0  # depth of the topic that is open
        self.topic: Elements | None = None
        self.part = OWN_TEXT

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.making.problems.stop(self.line_now(), f"nested deeper than {MAX_DEPTH} levels")
        if len(attributes) > MAX_ATTRIBUTES:
            raise self.making.problems.stop(self.line_now(), f"an element has more than {MAX_ATTRIBUTES} attributes")
        name = tag.rpartition("}")[2]
        if self.topic is None and name.lower() in TOPICS:
            self._begin(attributes)
        elif self.topic is not None and self.depth == self.top + 1:
            self.part = name
            self.topic.begin(name)

    def _begin(self, attributes: dict[str, str]) -> None:
        self.topic, self.top, self.part = Elements(self.line_now()), self.depth, OWN_TEXT
        for name, value in attributes.items():
            self.topic.begin(name.rpartition("}")[2])
            self.topic.add(name.rpartition("}")[2], value)
        self.topic.begin(OWN_TEXT)

    def data(self, text: str) -> None:
        if self.topic is not None:
            self.topic.add(self.part, text)
            if self.topic.length > MOST:
                raise self.making.problems.stop(self.topic.line, f"this topic is longer than {MOST} characters")

    def end(self, _tag: str) -> None:
        if self.topic is not None and self.depth == self.top:
            row = self.making.row(self.topic, lambda _meaning, text: text)
            self.rows += [row] if row else []
            self.topic = None
        elif self.topic is not None and self.depth == self.top + 1:
            self.part = OWN_TEXT
        self.depth -= 1


class _Parser(DefusedXMLParser):  # type: ignore[misc]
    """The parser of defusedxml over text that is UTF-8 already, and which says on which line it is."""

    def __init__(self, target: _Target) -> None:
        super().__init__(target=target, encoding="utf-8", forbid_dtd=False, forbid_entities=True, forbid_external=True)
        self.parser.specified_attributes = True  # a default in the document type is no attribute of the topic
        target.line_now = self.line_now

    def line_now(self) -> int:
        return int(self.parser.CurrentLineNumber)


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[TopicRow]:
    making = Making(problems, columns)
    target = _Target(making)
    parser = _Parser(target)
    for text in _pieces(stream, problems):
        _feed(parser, text, problems)
        yield from target.rows
        target.rows.clear()
    _feed(parser, None, problems)
    yield from target.rows
    making.end()


def _pieces(stream: BinaryIO, problems: Problems) -> Iterator[str]:
    """The lines in larger pieces, with their line ends."""
    lines: list[str] = []
    length = last = 0
    for line, text in read_lines(stream, problems, LIMITS):
        if not last:
            _refuse_encoding(text, line, problems)
        lines.append("\n" * (line - last - 1) + text + "\n")  # lines that could not be read keep their place
        last, length = line, length + len(text) + 1
        if length > STEP:
            yield "".join(lines)
            lines, length = [], 0
    yield "".join(lines)


def _refuse_encoding(first: str, line: int, problems: Problems) -> None:
    declared = _DECLARED.match(first)
    if declared and declared[1].lower() not in UTF8:
        raise problems.stop(line, f"the file says that it is {declared[1]}: save it as UTF-8")


def _feed(parser: _Parser, text: str | None, problems: Problems) -> None:
    """Give the parser text, or, with None, the end."""
    try:
        if text is None:
            parser.close()
        else:
            parser.feed(text)
    except DefusedXmlException:
        raise problems.stop(parser.line_now(), "the file declares entities, which are not read") from None
    except ParseError as error:
        line, column = error.position
        reason = ErrorString(error.code) or "undefined entity"
        raise problems.stop(line, f"not well-formed XML: {reason} at character {column + 1} of the line") from None


def is_xml(head: bytes) -> bool:
    """Whether it begins as XML does, and not as TREC's SGML or HTML."""
    return bool(_START.match(head)) and not _OTHERS.match(head)


def _columns(head: bytes) -> list[tuple[str, str]]:
    names: dict[str, None] = {}
    below = False
    for name, attributes in _ELEMENT.findall(head.decode(errors="replace")):
        if name.lower() in TOPICS:
            below = True
            names.update(dict.fromkeys(_ATTRIBUTE.findall(attributes)))
        elif below:
            names[name] = None
    return find_columns(list(names), MEANINGS, {}).meanings_of(list(names))


FORMAT: FileFormat[Iterator[TopicRow]] = FileFormat(
    "xml", "TREC topics (XML)", is_xml, whole(_read), _columns, mapped=True, upload_help="XML"
)
