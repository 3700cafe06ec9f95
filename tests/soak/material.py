"""Documents made from a seed: a few that are there before, then a file that brings new ones and changes some."""

import json
import random
from collections.abc import Iterator

WORDS = ("bee", "honey", "wax", "swarm", "queen", "clover", "mead", "hive", "nectar", "winter", "smoke", "frame")
SHARE_THERE = 10  # one in so many documents is in the collection before
SHARE_CHANGED = 2  # one in so many of those has another text in the file


def before(n: int, seed: int) -> bytes:
    """The documents that the collection has to begin with."""
    return b"".join(_line(docno, _text(f"{seed}:{docno}")) for docno in _docnos(n) if _is_there(docno))


def file(n: int, seed: int) -> bytes:
    """The file whose import is disturbed."""
    return b"".join(
        _line(docno, _text(f"{seed}:{docno}{':changed' if _is_changed(docno) else ''}")) for docno in _docnos(n)
    )


def n_there(n: int) -> int:
    return sum(map(_is_there, _docnos(n)))


def n_brought(n: int) -> int:
    """Texts that the file brings: of new documents and of changed ones."""
    return sum(not _is_there(docno) or _is_changed(docno) for docno in _docnos(n))


def _docnos(n: int) -> Iterator[int]:
    return iter(range(1, n + 1))


def _is_there(docno: int) -> bool:
    return docno % SHARE_THERE == 0


def _is_changed(docno: int) -> bool:
    return docno % (SHARE_THERE * SHARE_CHANGED) == 0


def _text(seed: str) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choices(WORDS, k=rng.randint(20, 120)))


def _line(docno: int, text: str) -> bytes:
    return (
        json.dumps({"docno": f"D-{docno:07}", "title": text[:30], "text": text, "year": docno % 100}).encode() + b"\n"
    )
