"""A document → the HTML of its page: a passage of it, its marks, and what somebody named as evidence.

Markup comes from the shape alone, text is escaped here, and what is added is `<mark>`, `<span>` and
the class `out`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from annotation.text.safe import SafeHtml
from annotation.text.shape import Shape

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch to mark: terms of the topic, or `is_own`: of the reader."""

    start: int
    end: int
    is_own: bool = False


@dataclass(frozen=True)
class Seen:
    """What of a document is on its page. What is not in the `passage` has the class `out`; `alone` leaves it away.

    `marks` are in order and apart from each other, and so are the stretches of `evidence`.
    """

    passage: Span
    alone: bool = False
    marks: Sequence[Mark] = ()
    evidence: Sequence[Span] = ()


def written(shape: Shape, seen: Seen) -> SafeHtml:
    """HTML to print as it stands. Linear in the document."""
    return SafeHtml("".join(_Writer(shape, seen).all()))


class _Writer:
    def __init__(self, shape: Shape, seen: Seen) -> None:
        self.shape = shape
        self.seen = seen
        self.closes_at = _elements_outside(shape, seen.passage)
        self.next_mark = 0

    def all(self) -> Iterator[str]:
        out_until = -1  # the piece with which the element ends that has nothing of the passage
        for at, piece in enumerate(self.shape.pieces):
            is_out = at <= out_until
            if isinstance(piece, tuple):
                yield from self._text(*piece, is_out=is_out)
            elif is_out or at not in self.closes_at:
                yield "" if is_out and self.seen.alone else piece.source
            else:
                out_until = self.closes_at[at]
                yield "" if self.seen.alone else _put_out(piece.source)

    def _text(self, start: int, end: int, *, is_out: bool) -> Iterator[str]:
        """A stretch of text. What of it is outside, though its element is not, gets an element of its own."""
        first, last = self.seen.passage
        cuts = [start, min(max(first, start), end), max(min(last, end), start), end]
        for part, (a, b) in enumerate(pairwise(cuts)):
            if a >= b or (part != 1 and self.seen.alone):
                continue
            if part == 1 or is_out or self.shape.shown[a:b].isspace():
                yield from self._with_evidence(a, b)
            else:
                yield from ('<span class="out">', *self._with_evidence(a, b), "</span>")

    def _with_evidence(self, start: int, end: int) -> Iterator[str]:
        for a, b in self.seen.evidence:
            first, last = min(max(a, start), end), max(min(b, end), start)
            if first < last:
                yield from self._with_marks(start, first)
                yield from ('<mark class="evidence">', *self._with_marks(first, last), "</mark>")
                start = last
        yield from self._with_marks(start, end)

    def _with_marks(self, start: int, end: int) -> Iterator[str]:
        marks, shown = self.seen.marks, self.shape.shown
        while self.next_mark < len(marks) and marks[self.next_mark].start < end:
            mark = marks[self.next_mark]
            a, b = max(mark.start, start), min(mark.end, end)
            if a < b:
                opening = '<mark class="own">' if mark.is_own else "<mark>"
                yield f"{escape(shown[start:a], quote=False)}{opening}{escape(shown[a:b], quote=False)}</mark>"
                start = b
            if mark.end > end:
                break  # its rest is in the next stretch
            self.next_mark += 1
        yield escape(shown[start:end], quote=False)


def _elements_outside(shape: Shape, passage: Span) -> dict[int, int]:
    """Elements with nothing of the passage in them: the piece that opens each, and the one that closes it."""
    first, last = passage
    if first <= 0 and last >= len(shape.text):
        return {}
    closed_by: dict[int, int] = {}
    opened: list[Span] = []  # piece, place
    offset = 0
    for at, piece in enumerate(shape.pieces):
        if isinstance(piece, tuple):
            offset = piece[1]
            continue
        if piece.kind == "opens":
            opened.append((at, offset))
            continue
        opener, start = opened.pop() if piece.kind == "closes" else (at, offset)
        has_some = first <= start <= last if start == offset else start < last and offset > first
        if not has_some:
            closed_by[opener] = at
    return closed_by


def _put_out(source: str) -> str:
    return source.replace('class="', 'class="out ', 1) if 'class="' in source else f'{source[:-1]} class="out">'
