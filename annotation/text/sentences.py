"""Blocks of a text → sentences: the units that excerpts are made of and evidence is chosen by."""

import re
from collections.abc import Iterable, Iterator

from annotation.text.graphemes import blank_before, may_cut

Span = tuple[int, int]

LONGEST = 300  # characters; what has more without an end of a sentence is cut at a blank

# A full stop ends a sentence before a blank; those of scripts without blanks end it wherever they stand. That a match
# begins with one of them all makes the search fast.
_STOP, _WIDE_STOP = "[.!?…؟۔।॥]", "[。！？｡]"
_BEFORE_BLANK = f"(?<={_STOP})(?<!{_STOP}{_STOP}){_STOP}{{0,39}}[\"'”’»)\\]]{{0,10}}(?=\\s)"
_ANYWHERE = f"(?<={_WIDE_STOP}){_WIDE_STOP}{{0,39}}[\"'」』”’）]{{0,10}}"
_END = re.compile(f"[.!?…؟۔।॥。！？｡](?:{_BEFORE_BLANK}|{_ANYWHERE})\\s*")


def sentences(text: str, blocks: Iterable[Span]) -> Iterator[Span]:
    """The sentences of each block, with the blanks behind them: together they are the block. None is empty."""
    for start, end in blocks:
        position = start
        for match in _END.finditer(text, start, end):
            if may_cut(text, match.end()):
                yield from _not_too_long(text, position, match.end())
                position = match.end()
        yield from _not_too_long(text, position, end)


def _not_too_long(text: str, start: int, end: int) -> Iterator[Span]:
    while end - start > LONGEST:
        position = blank_before(text[start : start + LONGEST + 1], 0, LONGEST) + start
        yield start, position
        start = position
    if start < end:
        yield start, end
