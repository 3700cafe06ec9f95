"""What a document is written from: tags, and stretches of its text."""

from dataclasses import dataclass
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tag:
    """Markup as it stands, between two characters of the text. `kind`: opens, closes or void."""

    name: str
    kind: str
    source: str


Piece: TypeAlias = Tag | Span
