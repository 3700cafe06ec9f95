"""What one field may hold: ids, whole numbers, text.

Deliberately narrower than Python: `int("1_000")`, `int("٣")` and `str.split()` at a no-break space
all succeed there and would all let a wrong file through.
"""

import re
from collections.abc import Sequence

MAX_ID = 200  # characters of a topic number or a docno
WHITE = " \t\r\n\f\v"  # the white space of ASCII: what separates and surrounds fields
REPLACEMENT = "\ufffd"

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}\Z", re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(f"[{WHITE}]+")


def whole_number(text: str) -> int | None:
    """The integer that `text` spells in ASCII digits (an optional sign, at most nine digits), else None."""
    return int(text) if _INTEGER.match(text) else None


def split_blanks(text: str) -> list[str]:
    """Fields separated by any run of ASCII white space. A no-break space or U+2028 belongs to its field."""
    stripped = text.strip(WHITE)
    return _BLANKS.split(stripped) if stripped else []


def id_fault(text: str, what: str) -> str | None:
    """Why `text` cannot be a topic number or docno, or None. Ids go into TREC files: no white space, nothing unseen."""
    if 0 < len(text) <= MAX_ID and text.isascii() and text.isprintable() and " " not in text:
        return None  # almost always, and quickly
    if not text:
        return f"the {what} is empty"
    if len(text) > MAX_ID:
        return f"the {what} is {len(text)} characters long, at most {MAX_ID} are allowed"
    if any(c.isspace() for c in text):
        return f"the {what} {shown(text)} contains white space"
    if not text.isprintable() or REPLACEMENT in text:
        return f"the {what} {shown(text)} contains a character that cannot be printed"
    return None


def text_fault(text: str, what: str) -> str | None:
    """Why `text` cannot be stored, or None: half of a surrogate pair has no UTF-8 form."""
    return f"the {what} contains half of a surrogate pair" if _SURROGATE.search(text) else None


def is_header(fields: Sequence[str], names: Sequence[str], *, least: int) -> bool:
    """True iff `fields` are exactly the first `len(fields)` (at least `least`) of `names`."""
    return len(fields) >= least and list(fields) == list(names[: len(fields)])


def shown(text: str) -> str:
    """A value as an error message quotes it: escaped, and cut after 40 characters."""
    return repr(text if len(text) <= 40 else text[:40] + "…")
