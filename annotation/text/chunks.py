"""A long document in chunks, which a browser need not lay out while they are out of sight."""

from collections.abc import Iterator, Sequence

from annotation.text.markup import Piece, Tag
from annotation.text.sanitise import INLINE

CHUNK = 6_000  # characters
LONG = 20_000  # a document of more is chunked

_BEGIN, _END = Tag("div", "opens", '<div class="chunk">'), Tag("div", "closes", "</div>")


def chunked(pieces: Sequence[Piece], length: int) -> Sequence[Piece]:
    """Neighbouring elements of about `CHUNK` characters in a division of their own, which adds nothing to the text.

    Elements stay whole, but divisions, which are looked into. A document of up to `LONG` characters stays as it is.
    """
    return list(_Chunks(pieces).all()) if length > LONG else pieces


class _Chunks:
    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = pieces
        self.lengths = _lengths(pieces)
        self.is_open = False
        self.depth = 0  # elements open in the chunk
        self.size = 0

    def all(self) -> Iterator[Piece]:
        for at, piece in enumerate(self.pieces):
            if isinstance(piece, tuple):
                self.size += piece[1] - piece[0]
                yield piece
            else:
                yield from self._tag(piece, is_looked_into=piece.name == "div" and self.lengths.get(at, 0) > CHUNK)
        if self.is_open:
            yield _END

    def _tag(self, tag: Tag, *, is_looked_into: bool) -> Iterator[Piece]:
        if self.is_open and self.depth == 0 and (tag.kind == "closes" or is_looked_into):
            self.is_open = False
            yield _END
        elif not self.is_open and tag.kind == "opens" and tag.name not in INLINE and not is_looked_into:
            self.is_open, self.depth, self.size = True, 0, 0
            yield _BEGIN
        yield tag
        if self.is_open:
            self.depth += {"opens": 1, "closes": -1, "void": 0}[tag.kind]
            if self.depth == 0 and self.size >= CHUNK:
                self.is_open = False
                yield _END


def _lengths(pieces: Sequence[Piece]) -> dict[int, int]:
    """Characters in each element, by the piece that opens it."""
    lengths: dict[int, int] = {}
    opened: list[tuple[int, int]] = []
    offset = 0
    for at, piece in enumerate(pieces):
        if isinstance(piece, tuple):
            offset = piece[1]
        elif piece.kind == "opens":
            opened.append((at, offset))
        elif piece.kind == "closes":
            opener, start = opened.pop()
            lengths[opener] = offset - start
    return lengths
