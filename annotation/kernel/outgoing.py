from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Outgoing:
    """A file on its way out; `pieces` are made while they are taken."""

    filename: str
    content_type: str
    pieces: Iterator[bytes]
