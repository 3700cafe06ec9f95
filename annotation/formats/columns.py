"""White-space separated columns (qrels, runs): a stream as blocks of whole lines, a block as fields.

Two readings of a block give the same rows. The fast one finds the fields of all lines at once
(`tokens`), and answers None as soon as anything is unusual. The careful one walks the lines and can
name every fault. So a clean file of ten million rows costs a second or two, and a faulty block only
its own size.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Literal, TypeAlias

import numpy as np

from annotation.formats.fields import MAX_ID, id_fault, shown
from annotation.formats.lines import DEFAULT_LIMITS, RETURN, Limits, read_chunks
from annotation.formats.numbers import DECIMAL
from annotation.formats.problems import Problems
from annotation.formats.tokens import BEHIND, GREATEST_GRADE, Tokens, find_tokens

Kind: TypeAlias = Literal["id", "score", "grade"]

BLOCK = 1 << 20  # bytes, worked on at a time: few enough for the cache, enough for two threads not to wait in turns
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_WHOLE = re.compile(r"[+-]?[0-9]++\Z", re.ASCII)


@dataclass(frozen=True)
class Block:
    """Whole lines of a file, and blank ones behind them (`BEHIND`). `line` is the number of the first one, from 1."""

    text: bytes
    line: int


@dataclass(frozen=True)
class Layout:
    """The columns of a format: how many, which are kept and as what. Further fields are `extra`: ignored or refused."""

    names: tuple[str, ...]
    keep: Mapping[int, Kind]
    extra: bool = False
    comments: bool = False


def read_blocks(
    stream: BinaryIO, problems: Problems, *, size: int = BLOCK, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Block]:
    """The file in blocks of about `size` bytes that end where a line ends. Plain or gzip, told by the first bytes.

    Blocks of nothing but white space are left out: a small gzip may hold billions of blank lines.
    """
    line, total, n_pending, pending = 1, 0, 0, list[bytes]()
    for chunk in read_chunks(stream, problems, size=size):
        total += len(chunk)
        if total > limits.file:
            raise problems.stop(0, f"larger than the limit of {limits.file} bytes (unpacked)")
        n_pending, end = n_pending + len(chunk), chunk.rfind(b"\n")
        if n_pending < size or end < 0:
            pending.append(chunk)
            if n_pending > size + limits.line:
                _refuse_long_line(b"".join(pending), line, problems, limits)
            continue
        text = b"".join([*pending, memoryview(chunk)[: end + 1], BEHIND])
        _refuse_long_line(text, line, problems, limits)
        if not text.isspace():
            yield Block(text, line)
        line += count_lines(text) - len(BEHIND)
        pending, n_pending = [chunk[end + 1 :]], len(chunk) - end - 1
    if n_pending:
        text = b"".join([*pending, b"" if pending[-1].endswith(b"\n") else b"\n", BEHIND])
        _refuse_long_line(text, line, problems, limits)
        yield Block(text, line)


def _refuse_long_line(text: bytes, line: int, problems: Problems, limits: Limits) -> None:
    """Stop at the first line beyond the limit. Hops as far as the limit allows, from line end to line end."""
    at = 0
    while len(text) - at > limits.line:
        end = text.rfind(b"\n", at, at + limits.line + 1)
        if end < 0:
            reason = f"the line is longer than the limit of {limits.line} bytes"
            raise problems.stop(line + text.count(b"\n", 0, at), reason)
        at = end + 1


def read_fast(block: Block, layout: Layout) -> Tokens | None:
    """Where the kept fields of a block lie; None where the careful reading has to decide."""
    keep = sorted(layout.keep)
    return find_tokens(block.text, n_fields=len(layout.names), keep=keep, extra=layout.extra, comments=layout.comments)


def read_nothing(block: Block) -> None:
    """In place of a fast reading, where every block is to be read carefully."""


def count_lines(text: bytes) -> int:
    """Line ends (faster than `bytes.count` where there are many)."""
    return int(np.count_nonzero(np.frombuffer(text, np.uint8) == 10))


def _has_control(text: bytes) -> bool:
    """Whether any control character other than white space occurs."""
    low = int(np.count_nonzero(np.frombuffer(text, np.uint8) < 32))
    white = count_lines(text) + sum(text.count(space) for space in (b"\t", b"\x0b", b"\x0c", b"\r"))
    return low != white or b"\x7f" in text


def read_carefully(block: Block, layout: Layout, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """`(line number, fields)` for each line that is neither blank nor a comment; faulty lines are reported.

    Fields are split at ASCII white space only; U+2028 or a no-break space never ends a line or a field. Numbers are
    still text.
    """
    columns = [(i, layout.names[i], _FAULTS[kind]) for i, kind in layout.keep.items()]
    for line, fields, fault in _split_lines(block, layout):
        for i, name, fault_of in () if fault else columns:
            fault = fault_of(fields[i], name)  # noqa: PLW2901 (the line's first fault)
            if fault:
                break
        if fault:
            problems.add(line, fault)
        else:
            yield line, fields


def _split_lines(block: Block, layout: Layout) -> Iterator[tuple[int, list[str], str | None]]:
    """`(line number, fields, fault of the line as a whole)`."""
    clean = block.text.isascii() and not _has_control(block.text) and b"\r" not in block.text
    n_fields = len(layout.names)
    for line, raw in enumerate(block.text.split(b"\n"), block.line):
        if layout.comments and raw.startswith(b"#"):
            continue
        parts = raw.split()
        if clean and (len(parts) == n_fields or (layout.extra and len(parts) > n_fields)):
            yield line, raw.decode().split(), None
        elif parts:
            fault = _line_fault(raw, len(parts), layout)
            yield line, [] if fault else [part.decode() for part in parts], fault


def _line_fault(raw: bytes, n_fields: int, layout: Layout) -> str | None:
    n_expected = len(layout.names)
    if control := _CONTROL.search(raw):
        return f"control character 0x{control[0][0]:02x} at byte {control.start() + 1} of the line"
    if b"\r" in raw.rstrip():
        return RETURN
    if n_fields < n_expected or (n_fields > n_expected and not layout.extra):
        return f"{n_expected} fields expected ({', '.join(layout.names)}), {n_fields} found"
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start + 1} of the line (0x{raw[error.start]:02x})"
    return None


def _fault_of_id(text: str, name: str) -> str | None:
    return None if text.isascii() and len(text) <= MAX_ID else id_fault(text, name)


def _fault_of_grade(text: str, name: str) -> str | None:
    if not _WHOLE.match(text):
        return f"the {name} {shown(text)} is not a whole number"
    return None if abs(float(text)) <= GREATEST_GRADE else f"the {name} {shown(text)} is beyond ±{GREATEST_GRADE}"


def _fault_of_score(text: str, name: str) -> str | None:
    if DECIMAL.match(text) and math.isfinite(float(text)):
        return None
    return f"the {name} {shown(text)} is not a finite decimal number"


_FAULTS: Mapping[Kind, Callable[[str, str], str | None]] = {
    "id": _fault_of_id,
    "grade": _fault_of_grade,
    "score": _fault_of_score,
}
