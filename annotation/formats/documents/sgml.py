"""Documents as TREC's disks have them: `<DOC>` … `</DOC>`, many a file, in an SGML that is half HTML.

`<DOCNO>` (or an attribute `id` of `<DOC>`) is the docno, `<TEXT>` the text, `<HEADLINE>` and its
like the title; every other element is kept as metadata. Where there is no `<TEXT>`, as on the web
disks, it is all that remains. Tags in the text go, those that begin a block begin a paragraph;
wrapped lines are joined.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from annotation.formats.documents.rows import MEANINGS, TEXT, DocumentRow, checked, whole
from annotation.formats.fields import WHITE
from annotation.formats.file_formats import Columns, FileFormat
from annotation.formats.lines import DEFAULT_LIMITS, read_lines
from annotation.formats.mapping import find_columns
from annotation.formats.markup import unescaped, unwrapped
from annotation.formats.problems import Problems

MOST = DEFAULT_LIMITS.line  # characters of a document
BESIDE = "(rest)"  # what stands in no element
TITLES = ("title", "headline", "hl", "head", "doctitle", "ti")
NAMES = {"docno": ("docno",), "title": TITLES, "text": (TEXT.names[0], BESIDE)}  # of elements
SGML = tuple(replace(each, names=NAMES.get(each.name, each.names)) for each in MEANINGS)

_DOC = re.compile(r"<(/?)DOC(\s[^<>]*)?>", re.IGNORECASE)
_FIRST = re.compile(
    rb"(?>\s+|<!--.*?-->|<[?!][^<>]*>|<(?!doc[\s>])[a-z][\w.-]*>)*+<doc(?:\s[^<>]*)?>", re.IGNORECASE | re.DOTALL
)
_ID = re.compile(r"""\b(?:id|docno)\s*=\s*["']?([^\s"'<>]+)""", re.IGNORECASE)
_UNREAD = re.compile(r"<(!--|script\b|style\b)", re.IGNORECASE)
_ENDS = {
    "!--": re.compile("-->"),
    "script": re.compile(r"</script\s{0,9}>", re.IGNORECASE),
    "style": re.compile(r"</style\s{0,9}>", re.IGNORECASE),
}
_TAG = re.compile(r"<(/?)([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,2000})?/?>|<[!?][^<>]{0,2000}>")
_INLINE = frozenset(
    {"a", "abbr", "b", "big", "code", "em", "f", "font", "i", "s", "small", "span", "strong", "sub", "sup", "tt", "u"}
)
# Of a document without <TEXT>, as on the web disks, these are no parts but its text.
_HTML = _INLINE | {
    *(
        "html",
        "head",
        "body",
        "p",
        "div",
        "center",
        "table",
        "thead",
        "tbody",
        "tr",
        "td",
        "th",
        "ul",
        "ol",
        "li",
        "dl",
    ),
    *("dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "form", "address", "section", "article"),
}


@dataclass
class _Open:
    """A document that is not over."""

    line: int
    attributes: str
    parts: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, text: str) -> None:
        self.length += len(text)
        if self.length <= MOST:
            self.parts.append(text)


@dataclass
class _Reading:
    """Where in the file the reading is: in which document, if in any."""

    problems: Problems
    document: _Open | None = None
    strayed: bool = False  # text between documents was reported

    def text(self, text: str, line: int) -> None:
        if self.document:
            self.document.add(text)
        elif not self.strayed and _TAG.sub("", text).strip(WHITE):
            self.problems.add(line, "text outside of <DOC> … </DOC>")
            self.strayed = True

    def tag(self, line: int, attributes: str, *, closes: bool) -> _Open | None:
        """The document that is over with this tag."""
        before, self.strayed = self.document, False
        self.document = None if closes else _Open(line, attributes)
        if before and not closes:
            self.problems.add(before.line, f"this <DOC> is not closed before line {line}")
        return before if closes else None


def _read(stream: BinaryIO, problems: Problems, columns: Columns) -> Iterator[DocumentRow]:
    reading = _Reading(problems)
    for line, text in read_lines(stream, problems):
        offset = 0
        for tag in _DOC.finditer(text) if "<" in text else ():
            reading.text(text[offset : tag.start()], line)
            over = reading.tag(line, tag[2] or "", closes=bool(tag[1]))
            row = _row(over, columns, problems) if over else None
            if row:
                yield row
            offset = tag.end()
        reading.text(text[offset:] + "\n", line)
    if reading.document:
        problems.add(reading.document.line, "this <DOC> is not closed: is the file cut short?")


def _row(document: _Open, columns: Columns, problems: Problems) -> DocumentRow | None:
    if document.length > MOST:
        problems.add(document.line, f"the document is longer than the limit of {MOST} characters")
        return None
    parts = _elements(_read_part("".join(document.parts)))
    identifier = _ID.search(document.attributes)
    if identifier and "docno" not in map(str.lower, parts):
        parts["DOCNO"] = identifier[1]
    mapping = find_columns(list(parts), SGML, columns)
    if not mapping.has("docno"):
        problems.add(document.line, "this <DOC> has no <DOCNO>")
        return None
    if "title" not in mapping.column:
        _take_out_title(parts)
        mapping = find_columns(list(parts), SGML, columns)
    column = mapping.column
    values = {**mapping.constant, **{meaning: _plain(parts[name], meaning) for meaning, name in column.items()}}
    further = {name: _plain(text, name) for name, text in parts.items() if name not in {*column.values(), BESIDE}}
    return checked(values, {name: text for name, text in further.items() if text}, document.line, problems)


def _read_part(text: str) -> str:
    """Without comments, scripts and styles; one that is never closed stays."""
    pieces, offset = [], 0
    endless: set[str] = set()
    for start in _UNREAD.finditer(text):
        kind = start[1].lower()
        if start.start() < offset or kind in endless:
            continue
        end = _ENDS[kind].search(text, start.end())
        if end is None:
            endless.add(kind)
            continue
        pieces += [text[offset : start.start()], " "]
        offset = end.end()
    return "".join([*pieces, text[offset:]])


def _elements(text: str) -> dict[str, str]:
    """The elements side by side and what stands outside of them. One twice has its contents one after the other.

    A tag that is never closed is none: it stays where it stands, and what follows it too.
    """
    tags = [tag for tag in _TAG.finditer(text) if tag[2]]
    closing: dict[str, list[re.Match[str]]] = defaultdict(list)
    for tag in tags:
        if tag[1]:
            closing[tag[2].lower()].append(tag)
    passed = _INLINE if "text" in closing else _HTML
    starts = {name: [tag.start() for tag in those] for name, those in closing.items()}
    parts: dict[str, list[str]] = defaultdict(list)
    offset = 0
    for tag in tags:
        name = tag[2].lower()
        at = bisect_right(starts.get(name, []), tag.start())
        if tag[1] or tag.start() < offset or name in passed or at >= len(starts.get(name, [])):
            continue
        parts[BESIDE].append(text[offset : tag.start()])
        parts[_spelled(parts, tag[2])].append(text[tag.end() : closing[name][at].start()])
        offset = closing[name][at].end()
    parts[BESIDE].append(text[offset:])
    parts[BESIDE] = parts.pop(BESIDE)  # named last
    return {name: "\n\n".join(those) for name, those in parts.items()}


def _spelled(parts: dict[str, list[str]], name: str) -> str:
    """The name as it was first written in this document."""
    return next((spelling for spelling in parts if spelling.lower() == name.lower()), name)


def _take_out_title(parts: dict[str, str]) -> None:
    """A title inside of another element, as in `<HEADER>`, becomes an element of its own."""
    for outer, text in parts.items():
        tag = next((tag for tag in _TAG.finditer(text) if not tag[1] and (tag[2] or "").lower() in TITLES), None)
        if tag is not None and outer.lower() not in NAMES["text"]:
            inner = re.split(rf"</{tag[2]}\s{{0,9}}>", text[tag.end() :], maxsplit=1, flags=re.IGNORECASE)
            parts[tag[2]] = inner[0]
            parts[outer] = text[: tag.start()] + "".join(inner[1:])
            return


def _plain(text: str, meaning: str) -> str:
    """Text without tags, in paragraphs; on one line for a docno or a title."""
    stripped = unescaped(_TAG.sub(lambda tag: "" if (tag[2] or "").lower() in _INLINE else "\n\n", text))
    return unwrapped(stripped, indents=True) if meaning not in ("docno", "title") else " ".join(stripped.split())


def _columns(head: bytes) -> list[tuple[str, str]]:
    """Of the first documents that the head has whole."""
    _, *documents = _DOC.split(head.decode(errors="replace"))  # what stands between tags, each by three
    whole_ones = [text for closes, text in zip(documents[::3], documents[2::3], strict=True) if not closes][:20]
    names = list(dict.fromkeys(name for one in whole_ones for name in _elements(_read_part(one))))
    meanings = find_columns(names, SGML, {}).meanings_of(names)
    return [(name, meaning or "metadata") for name, meaning in meanings if meaning or name != BESIDE]


FORMAT: FileFormat[Iterator[DocumentRow]] = FileFormat(
    "sgml",
    "TREC documents (SGML, <DOC>)",
    lambda head: bool(_FIRST.match(head)),
    whole(_read),
    _columns,
    mapped=True,
    upload_help="TREC SGML",
)
