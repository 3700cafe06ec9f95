"""Plain text → paragraphs to read, without altering a character of it.

Lines that follow each other are one paragraph; a line of more than `LINE` characters is one of its
own. Where lines were broken for no other reason than their width, they flow; else each line stays a
line.
"""

import re
from collections.abc import Iterator, Sequence

from annotation.text.chunks import chunked
from annotation.text.graphemes import blank_before
from annotation.text.legible import legible
from annotation.text.markup import Piece, Span, Tag
from annotation.text.shape import Shape

LINE = 160  # characters
SOFT = 2_000  # a longer paragraph is shown as several, with no more between them than between lines

_LINE = re.compile("[^\n\r\x0b\x0c\x85\u2028\u2029]+")
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_LISTED = re.compile(r"\s|[-–—*•·▪>|]|\(?\w{1,3}[.)]\s")
_WORD = re.compile(r"\S+")
_NARROWEST = 40  # characters that broken lines have at least

_OPEN, _FLOWED, _SOFT = (Tag("p", "opens", source) for source in ("<p>", '<p class="flowed">', '<p class="soft">'))
_CLOSE = Tag("p", "closes", "</p>")


def shape_of_text(text: str) -> Shape:
    """Paragraphs, and between them the line ends and blank lines, which a browser does not show there."""
    pieces: list[Piece] = []
    blocks: list[Span] = []
    shown: list[str] = []
    offset = 0
    for lines in _paragraphs(text):
        start, end = lines[0][0], lines[-1][1]
        _gap(text, offset, start, pieces, shown)
        flows = _flows(text, lines)
        blocks += [(start, end)] if flows else lines
        pieces += _paragraph(text, start, end, flows=flows)
        shown.append(legible(text[start:end]))
        offset = end
    _gap(text, offset, len(text), pieces, shown)
    return Shape(text, "".join(shown), chunked(pieces, len(text)), blocks)


def _paragraphs(text: str) -> Iterator[list[Span]]:
    """The lines of each paragraph. Lines of blanks alone are in none."""
    lines: list[Span] = []
    for match in _LINE.finditer(text):
        if match[0].isspace():
            continue
        if lines and not _goes_on(text, lines[-1], match.span()):
            yield lines
            lines = []
        lines.append(match.span())
    if lines:
        yield lines


def _goes_on(text: str, line: Span, following: Span) -> bool:
    is_next = _BREAK.fullmatch(text, line[1], following[0])
    return bool(is_next) and max(line[1] - line[0], following[1] - following[0]) <= LINE


def _flows(text: str, lines: Sequence[Span]) -> bool:
    """Whether no line had room for the first word of the next: then the lines say nothing."""
    ends = [start + len(text[start:end].rstrip()) for start, end in lines]
    width = max(end - start for (start, _), end in zip(lines, ends, strict=True))
    if len(lines) < 2 or width < _NARROWEST or any(_LISTED.match(text, start) for start, _ in lines[1:]):
        return False
    words = (_WORD.match(text, start) for start, _ in lines[1:])
    room = (width - (end - start) for (start, _), end in zip(lines, ends, strict=True))
    return all(word and len(word[0]) >= left for word, left in zip(words, room, strict=False))


def _paragraph(text: str, start: int, end: int, *, flows: bool) -> Iterator[Piece]:
    opening = _FLOWED if flows else _OPEN
    while start < end:
        cut = blank_before(text[start : start + SOFT + 1], 0, SOFT) + start if end - start > SOFT else end
        yield opening
        yield start, cut
        yield _CLOSE
        start, opening = cut, _SOFT


def _gap(text: str, start: int, end: int, pieces: list[Piece], shown: list[str]) -> None:
    if start < end:
        pieces.append((start, end))
        shown.append("".join(each if each == "\n" else " " for each in text[start:end]))
