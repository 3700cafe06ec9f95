"""HTML of documents → HTML to read: headings, paragraphs, lists, tables, emphasis. No links, no images, no styles.

Two steps. First the tags are put in order here, with a limit on nesting, on which sanitisers take
quadratic time: only the elements below remain, each of them closed. Then nh3 sanitises what came of
it, knowing nothing of the first step. Sanitised HTML stays as it is when it is sanitised again.
"""

import hashlib
import html
import re
from collections.abc import Mapping
from types import MappingProxyType

import nh3

from annotation.text.legible import legible
from annotation.text.safe import SafeHtml
from annotation.text.tags import Tag, pieces

MAX_NESTING = 100  # elements in one another, of those that remain

INLINE = frozenset({"strong", "b", "em", "i", "u", "s", "sub", "sup", "code", "q", "small"})
VOID = frozenset({"br", "hr"})
_HEADINGS = frozenset({"h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | {"p", "div", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd"}
_CELLS = frozenset({"td", "th", "caption"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
_PARTS = _CELLS | _ROW_GROUPS | {"tr"}  # of a table
TAGS = INLINE | VOID | _BLOCKS | _PARTS | {"table"}
ATTRIBUTES: Mapping[str, frozenset[str]] = MappingProxyType(
    {"td": frozenset({"colspan", "rowspan"}), "th": frozenset({"colspan", "rowspan"})}
)
_TO_H3 = MappingProxyType({"h1": "h3", "h2": "h3"})  # the page has the others
_AS_BLOCK = frozenset({"section", "article", "main", "header", "footer", "aside", "nav", "center", "address", "figure"})
_UNSEEN = frozenset({"title", "head", "select", "object", "svg", "math", "template", "audio", "video", "canvas"})
_BLANK_START = re.compile(r"<pre>[\r\n]+")  # a reader of HTML drops the first line end each time
_SPAN = re.compile(r"[1-9][0-9]{0,2}\Z", re.ASCII)
_REMAINS = re.compile(r'<(/?)([a-z][a-z0-9]*)(?: (?:col|row)span="[1-9][0-9]{0,2}")*>', re.ASCII)
MOST_KNOWN = 20_000  # texts, 32 bytes each and what a set needs
_STAYING = set[bytes]()

# What an opening tag ends that is still open, as far down as the element named second.
_ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = MappingProxyType(
    {
        "li": (frozenset({"li"}), frozenset({"ul", "ol", "table"})),
        "dt": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
        "dd": (frozenset({"dt", "dd"}), frozenset({"dl", "table"})),
        "tr": (frozenset({"tr", "caption"}), frozenset({"table"})),
        "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
        "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
        **dict.fromkeys(
            ("thead", "tbody", "tfoot"), (frozenset({"thead", "tbody", "tfoot", "caption"}), frozenset({"table"}))
        ),
    }
)


class NestingError(ValueError):
    """Elements are nested too deeply to be sanitised in good time."""


def sanitise(source: str) -> SafeHtml:
    """HTML to print as it stands; about a second a megabyte. Raises `NestingError`."""
    return _cleaned(_Ordered().all_of(source))


def shown(source: str) -> SafeHtml:
    """Stored HTML for a page, sanitised once more, as the database is not trusted; shown as text if that fails.

    Texts that came out unchanged are remembered by their hash, so that this process sanitises each of them once.
    """
    if _stays_known(source):
        return SafeHtml(source)
    try:
        return sanitise(source)
    except NestingError:
        return SafeHtml(html.escape(source))


def readable(source: str) -> SafeHtml:
    """As `shown`, made `legible`: for a page that does not count positions in the text."""
    return SafeHtml(legible(shown(source)))


def title_of(source: str) -> str:
    """The text of the first `<title>`, white space single; empty where there is none."""
    walk = iter(pieces(source))
    for piece in walk:
        if isinstance(piece, Tag) and piece.name == "title" and not piece.closes:
            inner = next(walk, "")
            return " ".join(html.unescape(inner).split()) if isinstance(inner, str) else ""
    return ""


def charset_of(source: str) -> str:
    """The encoding that a `<meta>` declares, as it is written there; empty where none does."""
    for piece in pieces(source):
        if isinstance(piece, Tag) and piece.name == "meta":
            attributes = piece.attributes()
            declared = attributes.get("charset") or attributes.get("content", "").lower().partition("charset=")[2]
            if declared:
                return declared.strip(" \t\r\n;'\"")
        elif isinstance(piece, Tag) and piece.name == "body":
            break
    return ""


class _Ordered:
    """Tags in order: `out` is the HTML so far, `open` the elements that are not closed in it."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.open: list[str] = []
        self.unseen: list[str] = []

    def all_of(self, source: str) -> str:
        for piece in pieces(source):
            if isinstance(piece, str):
                if not self.unseen:
                    self.out.append(piece.replace("<", "&lt;").replace(">", "&gt;"))
            elif not self._hides(piece):
                self._tag(piece)
        self._close_to(0)
        return "".join(self.out)

    def _hides(self, tag: Tag) -> bool:
        """Whether the tag is part of something that is not shown; `body` ends a head that nobody closed."""
        if self.unseen and tag.name == "body":
            self.unseen.clear()
        if tag.name in _UNSEEN and not (tag.closes or tag.source.endswith("/>")):
            if len(self.unseen) < MAX_NESTING:
                self.unseen.append(tag.name)
        elif tag.closes and tag.name in self.unseen:
            del self.unseen[self.unseen.index(tag.name) :]
        elif not self.unseen:
            return tag.name in _UNSEEN
        return True

    def _tag(self, tag: Tag) -> None:
        name = _TO_H3.get(tag.name, "div" if tag.name in _AS_BLOCK else tag.name)
        if name in VOID and self._may_open(name):
            self._close_paragraph(name)
            self.out.append(f"<{name}>")
        elif name in TAGS and tag.closes:
            self._close(name)
        elif name in TAGS and self._may_open(name):
            self._open_parts_of_table(name)
            self._begin(name, _spans(tag) if name in ATTRIBUTES else "")

    def _begin(self, name: str, attributes: str = "") -> None:
        ended, within = _ENDS.get(name, (frozenset(), frozenset()))
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at] in ended:
                self._close_to(at)
                break
            if self.open[at] in within:
                break
        self._close_paragraph(name)
        if len(self.open) >= MAX_NESTING:
            raise NestingError(f"nested deeper than {MAX_NESTING} levels")
        self.open.append(name)
        self.out.append(f"<{name}{attributes}>")

    def _may_open(self, name: str) -> bool:
        """Emphasis in the same emphasis says nothing, parts of a table mean nothing elsewhere, and in a table all else
        stands in cells.
        """
        here = self._in_table()
        if name in _PARTS:
            return bool(here)
        return name not in (INLINE & set(self.open)) and (not here or bool(_CELLS & set(here)))

    def _open_parts_of_table(self, name: str) -> None:
        """Open the row around a cell and the group around a row if the source leaves them out."""
        here = self._in_table()
        if name in ("td", "th") and "tr" not in here:
            self._open_parts_of_table("tr")
            self._begin("tr")
        elif name == "tr" and not _ROW_GROUPS & set(here):
            self._begin("tbody")

    def _in_table(self) -> list[str]:
        """What is open from the innermost table on."""
        at = next((i for i in range(len(self.open) - 1, -1, -1) if self.open[i] == "table"), None)
        return [] if at is None else self.open[at:]

    def _close(self, name: str) -> None:
        """Close the element and what is open in it, but nothing beyond the table that this stands in."""
        for at in range(len(self.open) - 1, -1, -1):
            if self.open[at] == name:
                self._close_to(at)
                return
            if self.open[at] == "table":
                return

    def _close_paragraph(self, name: str) -> None:
        if name not in INLINE and name != "br":
            inner = next((i for i in range(len(self.open) - 1, -1, -1) if self.open[i] not in INLINE), None)
            if inner is not None and (self.open[inner] == "p" or self.open[inner] in _HEADINGS):
                self._close_to(inner)

    def _close_to(self, n: int) -> None:
        while len(self.open) > n:
            self.out.append(f"</{self.open.pop()}>")


def _spans(tag: Tag) -> str:
    attributes = tag.attributes()
    spans = ((name, attributes.get(name, "")) for name in ("colspan", "rowspan"))
    return "".join(f' {name}="{value}"' for name, value in spans if _SPAN.match(value))


def _cleaned(ordered: str) -> SafeHtml:
    clean = nh3.clean(
        ordered,
        tags=set(TAGS),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        url_schemes=set(),
        link_rel=None,
    )
    return SafeHtml(_BLANK_START.sub("<pre>", clean))


def _stays_known(source: str) -> bool:
    """Whether the text comes out of the sanitiser as it goes in. Known by its SHA-256, which is no other text's."""
    sha = hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()
    if sha not in _STAYING:
        if not (_is_in_order(source) and _cleaned(source) == source):
            return False
        if len(_STAYING) >= MOST_KNOWN:
            _STAYING.clear()
        _STAYING.add(sha)
    return True


def _is_in_order(source: str) -> bool:
    """Whether every bracket belongs to an allowed tag, the tags are nested properly, and none is too deep."""
    tags, still_open = _REMAINS.findall(source), list[str]()
    for closes, name in tags:
        if closes and (not still_open or still_open.pop() != name):
            return False
        if not closes and name not in VOID:
            still_open.append(name)
        if len(still_open) > MAX_NESTING:
            return False
    return not still_open and len(tags) == source.count("<")
