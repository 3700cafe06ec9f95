"""How a document is built: markup and stretches of its text, in order, for a page to be written from.

A document is its text, without markup, and places in it are counted in code points. The text of the
page, as a browser has it, is as long as the document's, so that a place in the page is a place in
the document.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from annotation.text.chunks import chunked
from annotation.text.legible import legible
from annotation.text.markup import Piece, Span, Tag
from annotation.text.sanitise import INLINE, VOID

_TAG = re.compile(r"<(/?)([a-z0-9]+)[^<>]*>")


@dataclass(frozen=True)
class Shape:
    """`pieces` have all of the text, in order: tags, and stretches of text as spans.

    `shown` is `text` made legible, character by character. No word or sentence reaches over the border of a block.
    """

    text: str
    shown: str
    pieces: Sequence[Piece]
    blocks: Sequence[Span]


def shape_of_html(sanitised: str) -> Shape:
    """Of HTML that `sanitise` has made. Its text is what a browser says is its `textContent`."""
    source = sanitised.replace("\r\n", "\n").replace("\r", "\n")  # as every browser reads it
    pieces: list[Piece] = []
    texts: list[str] = []
    borders = [0]
    tag_by_source: dict[str, Tag] = {}  # a megabyte may have a hundred thousand tags, and hardly any that differ
    offset = length = 0
    for match in _TAG.finditer(source):
        length += _take_text(source[offset : match.start()], length, pieces, texts)
        tag = tag_by_source.get(match[0]) or tag_by_source.setdefault(match[0], _tag(match))
        pieces.append(tag)
        if tag.name not in INLINE:
            borders.append(length)
        offset = match.end()
    length += _take_text(source[offset:], length, pieces, texts)
    text = "".join(texts)
    blocks = [(start, end) for start, end in pairwise([*borders, length]) if start < end]
    return Shape(text, legible(text), chunked(pieces, length), blocks)


def text_of_html(sanitised: str) -> str:
    """The text of `shape_of_html`, without the trouble."""
    return html.unescape(_TAG.sub("", sanitised.replace("\r\n", "\n").replace("\r", "\n")))


def _tag(match: re.Match[str]) -> Tag:
    kind = "closes" if match[1] else "void" if match[2] in VOID else "opens"
    return Tag(match[2], kind, match[0])


def _take_text(source: str, start: int, pieces: list[Piece], texts: list[str]) -> int:
    text = html.unescape(source)
    if text:
        pieces.append((start, start + len(text)))
        texts.append(text)
    return len(text)
