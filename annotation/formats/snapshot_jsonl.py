"""Frozen pairs → JSONL: what a qrels line has no room for.

The same pairs give the same bytes, in whatever order they come.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class FrozenPair:
    """A pair that a snapshot holds.

    `min`, `median` and `max` are those of the judgments behind it, None where there are none.
    """

    number: str
    docno: str
    criterion: str
    grade: int
    confidence: float  # 0..1
    n_judgments: int
    min: int | None
    median: float | None
    max: int | None
    source: str  # judged, expert, adjudicated or imported


@dataclass(frozen=True)
class DroppedPair:
    """A pair that a snapshot leaves out, with the reason in words."""

    number: str
    docno: str
    criterion: str
    reason: str
    n_judgments: int
    min: int | None
    median: float | None
    max: int | None


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def snapshot_jsonl(pairs: Iterable[FrozenPair | DroppedPair]) -> Iterator[bytes]:
    """An object a line, sorted by topic number, docno (as bytes) and criterion; keys as the fields, UTF-8."""
    for pair in sorted(pairs, key=_order):
        yield _ENCODER.encode(vars(pair)).encode() + b"\n"


def _order(pair: FrozenPair | DroppedPair) -> tuple[bytes, bytes, str]:
    return pair.number.encode(), pair.docno.encode(), pair.criterion
