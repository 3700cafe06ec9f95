"""One large JSON array or object, value by value: what stands in it is never in memory as a whole.

As strict as `objects`: a key twice, NaN and deep nesting are problems. Bad syntax ends the reading,
since nobody can know where the next value begins.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from annotation.formats.fields import shown
from annotation.formats.lines import DEFAULT_LIMITS, Limits, note_replaced, read_chunks
from annotation.formats.objects import DECODER, MAX_DEPTH, Json, deeper_than, reason_of, without_nul
from annotation.formats.problems import FormatError, Problems

VALUE = 16 << 20  # characters of one value
NEAR = 16  # characters before the end where a fault may only mean that more is to come

_WHITE = re.compile(r"[ \t\r\n]*")


def read_elements(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[int, dict[str, Json]]]:
    """`(line, object)` of each element of an array; the line is the one on which it begins."""
    text = _Text(stream, problems, limits)
    text.expect("[", "an array ([…]) is expected")
    while not text.takes("]"):
        element = text.object("an element")
        if element is not None:
            yield element
        text.between("]")
    text.end()


def read_members(
    stream: BinaryIO, problems: Problems, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[int, str, dict[str, Json]]]:
    """`(line, key, object)` of each member of an object whose values are objects."""
    text, seen = _Text(stream, problems, limits), set[str]()
    text.expect("{", "an object ({…}) is expected")
    while not text.takes("}"):
        key = text.key()
        if key in seen:
            problems.add(text.line, f"the key {shown(key)} stands twice")
        seen.add(key)
        member = text.object(f"the value of {shown(key)}")
        if member is not None:
            yield member[0], key, member[1]
        text.between("}")
    text.end()


class _Text:
    """The text that is not yet read, from `at` on; `line` is the line of that place."""

    def __init__(self, stream: BinaryIO, problems: Problems, limits: Limits) -> None:
        self._chunks = read_chunks(stream, problems)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._problems, self._limits = problems, limits
        self._text, self._at, self._ended, self._total, self._replaced = "", 0, False, 0, 0
        self._has_nul = False
        self.line = 1

    def takes(self, mark: str) -> bool:
        """Whether `mark` comes next; it is then behind us."""
        if self._next() != mark:
            return False
        self._go(self._at + 1)
        return True

    def expect(self, mark: str, reason: str) -> None:
        if not self.takes(mark):
            raise self._stop(reason)

    def between(self, closing: str) -> None:
        """Behind a value: a comma, and then another value, or the closing bracket."""
        if self.takes(","):
            if self._next() == closing:
                raise self._stop(f"a value is expected after the comma, and not {closing}")
        elif self._next() != closing:
            raise self._stop(f"a comma or {closing} is expected")

    def end(self) -> None:
        if self._next():
            raise self._stop("something stands behind the end of the JSON")
        if self._replaced:
            note_replaced(self._problems, self._replaced)

    def key(self) -> str:
        if self._next() != '"':
            raise self._stop("a key in quotation marks is expected")
        key = self._value()
        self.expect(":", "a colon is expected after a key")
        assert isinstance(key, str)
        return without_nul({key: None})[0].popitem()[0]

    def object(self, what: str) -> tuple[int, dict[str, Json]] | None:
        """`(line, object)` that comes next; None and a problem where it is something else."""
        if self._next() != "{":
            raise self._stop(f"{what} is not an object ({{…}})")
        line = self.line
        value = self._value()
        assert isinstance(value, dict)
        if deeper_than(value, MAX_DEPTH):
            self._problems.add(line, f"nested deeper than {MAX_DEPTH} levels")
            return None
        if self._has_nul:
            value, replaced = without_nul(value)
            self._replaced += replaced
        return line, value

    def _next(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            white = _WHITE.match(self._text, self._at)
            assert white is not None
            self._go(white.end())
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self) -> Json:
        value: Json
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                unfinished = error.pos >= len(self._text) - NEAR or error.msg.startswith("Unterminated string")
                if not unfinished or not self._more():
                    self._go(min(error.pos, len(self._text)))
                    raise self._stop(f"not JSON: {error.msg}") from error
            except RecursionError as error:
                raise self._stop(f"nested deeper than {MAX_DEPTH} levels") from error
            except ValueError as error:
                raise self._stop(f"not JSON: {reason_of(error)}") from error
            else:
                self._has_nul = self._text.find("\\u0000", self._at, end) >= 0
                self._go(end)
                return value

    def _go(self, at: int) -> None:
        self.line += self._text.count("\n", self._at, at)
        self._at = at

    def _more(self) -> bool:
        """Read about as much again as is held; False at the end of the file."""
        if self._ended:
            return False
        pieces = [self._text[self._at :]]
        enough, length = 2 * len(pieces[0]) + 1, len(pieces[0])
        if length > VALUE:
            raise self._stop(f"a value is longer than {VALUE} characters")
        while length < enough and not self._ended:
            pieces.append(self._decoded(pieces))
            length += len(pieces[-1])
        self._text, self._at = "".join(pieces), 0
        return True

    def _decoded(self, before: list[str]) -> str:
        following = next(self._chunks, None)  # a packed file may give empty chunks on the way
        self._ended, chunk = following is None, following or b""
        self._total += len(chunk)
        if self._total > self._limits.file:
            raise self._problems.stop(0, f"larger than the limit of {self._limits.file} bytes (unpacked)")
        try:
            return self._decoder.decode(chunk, self._ended)
        except UnicodeDecodeError as error:
            behind = sum(piece.count("\n") for piece in before) + error.object.count(b"\n", 0, error.start)
            reason = f"not UTF-8 (0x{error.object[error.start]:02x})"
            raise self._problems.stop(self.line + behind, reason) from error

    def _stop(self, reason: str) -> FormatError:
        return self._problems.stop(self.line, reason if self._text[self._at :] else f"{reason}: the file ends here")
