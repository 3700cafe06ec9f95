"""What the first bytes of a file show of it: its lines, how many fields they have, its first JSON object."""

import re
from collections import Counter
from itertools import islice

from annotation.formats.file_formats import HEAD
from annotation.formats.objects import DECODER, Json, parsed_or_none

LOOKED_AT = 100  # lines

_OBJECT = re.compile(rb'\s*\{\s*["}]')  # and no topic called {1}
_BEIR = re.compile(rb'\s*\{\s*"_id"\s*:')
_GAP = re.compile(r"[\s,]*")
_ARRAY = re.compile(rb"\s*\[\s*[{\]]")
_NESTED = re.compile(rb'\s*\{\s*"(?!query")(?:[^"\\]|\\.)*"\s*:\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*-?[0-9]')


def head_lines(head: bytes, *, comments: bool = True) -> list[bytes]:
    """The first lines that are not blank nor, with `comments`, start with `#`; one that the head cuts is left out."""
    complete = head if len(head) < HEAD else head.rpartition(b"\n")[0]
    lines = (line for line in complete.split(b"\n") if line.strip() and not (comments and line.startswith(b"#")))
    return list(islice(lines, LOOKED_AT))


def usual_fields(head: bytes) -> int:
    """How many fields most of the first lines have, any blanks between them; 0 where there is no line."""
    counted = Counter(len(line.split()) for line in head_lines(head))
    return counted.most_common(1)[0][0] if counted else 0


def is_json(head: bytes) -> bool:
    """Whether the file begins with an object or an array."""
    return bool(_OBJECT.match(head) or _ARRAY.match(head))


def is_objects(head: bytes) -> bool:
    """Whether it begins with an object, and not with a number for each docno of each topic (`is_nested`)."""
    return bool(_OBJECT.match(head)) and not is_nested(head)


def is_beir(head: bytes) -> bool:
    """Whether its first object begins with `_id`, as those of BEIR's files do."""
    return is_objects(head) and bool(_BEIR.match(head))


def is_array(head: bytes) -> bool:
    return bool(_ARRAY.match(head))


def is_nested(head: bytes) -> bool:
    """`{"topic": {"docno": 1.5, …`: what pytrec_eval and ranx call a qrel or a run."""
    return bool(_NESTED.match(head))


def head_objects(head: bytes) -> list[dict[str, Json]]:
    """The objects on the first lines, or the first elements of an array, as far as the head has them whole."""
    if is_array(head):
        return _elements(head.decode(errors="replace"))
    parsed = (parsed_or_none(line) for line in head_lines(head, comments=False))
    return [value for value in parsed if value is not None]


def _elements(text: str) -> list[dict[str, Json]]:
    elements, at = list[dict[str, Json]](), text.index("[") + 1
    while len(elements) < LOOKED_AT:
        try:
            value, at = DECODER.raw_decode(text, _behind_gap(text, at))
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict):
            elements.append(value)
    return elements


def _behind_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at
