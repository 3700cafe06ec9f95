"""Blocks of whole lines as columns: by polars where nothing is unusual, else line by line."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from annotation.formats.fields import WHITE, text_fault
from annotation.formats.lines import DEFAULT_LIMITS, RETURN, read_chunks
from annotation.formats.objects import Json, as_text, objects_of
from annotation.formats.problems import Problems
from evaluation.formats.log.columns import MOST_FAULTS

if TYPE_CHECKING:
    import polars

Raw: TypeAlias = "tuple[Sequence[int], polars.DataFrame]"  # the line of each row

BLOCK = 8 << 20  # bytes
TAB = "\t"


def line_blocks(stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """`(number of the first line, whole lines)` of about `BLOCK` bytes, unpacked; LF or CR LF at their ends."""
    line, pending, size = 1, list[bytes](), 0
    for chunk in read_chunks(stream, problems, size=BLOCK):
        pending.append(chunk)
        size += len(chunk)
        if size < BLOCK:
            continue
        whole, end, rest = b"".join(pending).rpartition(b"\n")
        if len(rest) > DEFAULT_LIMITS.line:
            at = line + whole.count(b"\n") + len(end)
            raise problems.stop(at, f"the line is longer than the limit of {DEFAULT_LIMITS.line} bytes")
        if end:
            yield line, whole + end
            line += whole.count(b"\n") + 1
        pending, size = [rest], len(rest)
    if last := b"".join(pending):
        yield line, last


def delimited_rows(line: int, block: bytes, names: Sequence[str], delimiter: str, problems: Problems) -> Raw:
    """All columns of the block, as text; an empty cell is null. A quoted cell may not run over a line end."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    n_lines = block.count(b"\n") + (not block.endswith(b"\n"))
    if _is_plain(block, n_lines * (len(names) - 1), delimiter):
        frame = None
        with suppress(pl.exceptions.PolarsError):
            frame = pl.read_csv(
                block,
                has_header=False,
                separator=delimiter,
                quote_char=None,
                new_columns=list(names),
                infer_schema=False,
            )
        if frame is not None and frame.height == n_lines:
            return range(line, line + n_lines), frame
    return _careful(_cells(line, block, len(names), delimiter, problems), names)


def _is_plain(block: bytes, n_delimiters: int, delimiter: str) -> bool:
    """Whether each line is a row as wide as the header, if none is wider: no quotes, no blank lines, no returns."""
    quoted = delimiter != TAB and b'"' in block
    blank = block.startswith((b"\n", b"\r\n")) or b"\n\n" in block or b"\n\r\n" in block
    inside = b"\r" in block and block.count(b"\r") != block.count(b"\r\n")
    return not quoted and not blank and not inside and block.count(delimiter.encode()) == n_delimiters


def object_rows(line: int, block: bytes, names: Sequence[str], problems: Problems) -> Raw:
    """The named keys of the objects of the block; a key that an object lacks is null."""
    import polars as pl  # noqa: PLC0415

    n_lines = block.count(b"\n") + (not block.endswith(b"\n"))
    if b"\\" not in block and b"{}" not in block:
        frame = None
        with suppress(pl.exceptions.PolarsError):
            frame = pl.read_ndjson(block, infer_schema_length=None)
        if frame is not None and frame.height == n_lines and _is_flat(frame, names) and _once(block, frame, names):
            absent = [pl.lit(None, pl.String).alias(name) for name in names if name not in frame.columns]
            return range(line, line + n_lines), frame.with_columns(absent).select(names)
    return _careful(_flat_rows(line, block, names, problems), names)


def _flat_rows(
    line: int, block: bytes, names: Sequence[str], problems: Problems
) -> Iterator[tuple[int, list[str | None]]]:
    for number, value in objects_of(decoded_lines(line, block, problems), problems):
        faults = (_object_fault(name, value.get(name)) for name in names)
        if fault := next(filter(None, faults), ""):
            problems.add(number, fault)
        else:
            yield number, [_cell(value.get(name)) for name in names]


def _object_fault(name: str, value: Json) -> str:
    if isinstance(value, dict | list):
        return f"the {name} holds an object or a list"
    return (text_fault(value, name) or "") if isinstance(value, str) else ""


def first_object_fault(block: bytes, problems: Problems) -> None:
    """Say what is wrong with lines of which none is an object. Raises `FormatError` where something is."""
    for _ in objects_of(decoded_lines(1, block, problems), problems):
        return
    problems.check()


def _is_flat(frame: "polars.DataFrame", names: Sequence[str]) -> bool:
    """Whether each column wanted holds text or numbers alone: what is mixed is read line by line. Beside texts polars
    writes objects and lists as text, too: what looks like one may be one."""
    import polars as pl  # noqa: PLC0415

    kinds = {name: frame.schema[name] for name in names if name in frame.schema}
    if not all(kind in (pl.String, pl.Null) or kind.is_numeric() for kind in kinds.values()):
        return False
    texts = [name for name, kind in kinds.items() if kind == pl.String]
    return not any(frame[name].str.contains(r"^[\[{]").any() for name in texts)


def _once(block: bytes, frame: "polars.DataFrame", names: Sequence[str]) -> bool:
    """Whether no object has a wanted key twice, of which polars would take one: there are as many as values, without
    nulls. Where that cannot be told, as with blanks before colons, the answer is no."""
    for name in names:
        key = f'"{name}":'.encode()
        n_values = block.count(key) - block.count(key + b"null") - block.count(key + b" null")
        if n_values != (frame.height - frame[name].null_count() if name in frame.columns else 0):
            return False
    return True


def _careful(rows: Iterator[tuple[int, list[str | None]]], names: Sequence[str]) -> Raw:
    import polars as pl  # noqa: PLC0415

    lines, cells = list[int](), list[list[str | None]]()
    for line, row in rows:
        lines.append(line)
        cells.append(row)
    return lines, pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")


def _cells(
    line: int, block: bytes, width: int, delimiter: str, problems: Problems
) -> Iterator[tuple[int, list[str | None]]]:
    read = reader_of(delimiter)
    for number, text in decoded_lines(line, block, problems):
        if not text.strip(WHITE):
            continue
        if "\r" in text:
            problems.add(number, RETURN)
            continue
        try:
            cells = read(text)
        except csv.Error:
            problems.add(number, "a quotation mark is not closed on its line, or stands inside a cell undoubled")
            continue
        if len(cells) == width:
            yield number, [cell or None for cell in cells]
        else:
            problems.add(number, f"{width} cells expected, as in the header, {len(cells)} found")


def reader_of(delimiter: str) -> Callable[[str], list[str]]:
    """A line to its cells; raises `csv.Error`."""
    if delimiter == TAB:
        return lambda text: text.split(TAB)
    return lambda text: next(csv.reader([text], delimiter=delimiter, strict=True), [])


def decoded_lines(line: int, block: bytes, problems: Problems) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(block.removesuffix(b"\n").split(b"\n"), line):
        if problems.total >= MOST_FAULTS:
            raise problems.stop(number, f"{MOST_FAULTS} problems up to here; the rest was not read")
        try:
            yield number, raw.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            problems.add(number, f"not UTF-8 at byte {error.start + 1} of the line (0x{raw[error.start]:02x})")


def _cell(value: Json) -> str | None:
    return None if value is None or value == "" else as_text(value)
