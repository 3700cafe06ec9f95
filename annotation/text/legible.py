"""Characters that cannot be read as they are, or turn the reading around: a sign stands in their place.

One character for one: places in what is shown are places in the text.
"""

import re

_LINES = "\x0b\x0c\x85\u2028\u2029"
_ARROWS = {"\u202d": "↦", "\u202e": "↤"}  # overrides of direction; embeddings and isolates end with their paragraph
_REPLACED = "\ufffd"
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202d\u202e\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")


def legible(text: str) -> str:
    """As long as `text`. Line ends of every kind become line feeds, control characters U+FFFD, which all fonts have."""
    return _ODD.sub(_sign, text) if _ODD.search(text) else text


def _sign(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\r":
        return " " if match.string[match.end() : match.end() + 1] == "\n" else "\n"
    if character in _LINES:
        return "\n"
    return _ARROWS.get(character, _REPLACED)
