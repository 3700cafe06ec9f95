"""What is wanted of the columns of a log, and what is wrong with a value."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from annotation.formats.fields import shown
from annotation.formats.numbers import DECIMAL

if TYPE_CHECKING:
    import polars

Kind: TypeAlias = Literal["text", "whole", "decimal"]
MOST_WHOLE = 2**63 - 1
MOST_COUNT = 10**12  # of a row: sums of millions of such rows are whole numbers of 64 bits still
EXACT = 2**53  # a decimal number up to here has lost no digit of a whole one
NONE = "(none)"  # where values are names: that of an empty cell
MOST_FAULTS = 1000  # of a column of a block, and of a log: there is one a line where the file is another


@dataclass(frozen=True)
class Column:
    """`text` is not blank and holds no NUL; `whole` is an integer of 64 bits; `decimal` a finite number.

    `least` and `most` bound numbers. `may_lack`: an empty cell or null is null, not a fault.
    """

    kind: Kind
    least: float = -math.inf
    most: float = math.inf
    may_lack: bool = False


Columns: TypeAlias = Mapping[str, Column]


@dataclass(frozen=True)
class Block:
    """Some rows of a log, in its order. `frame` has the wanted columns; `lines` (n_rows,) says in which line each row
    stands: blank lines are no rows. In Parquet rows are counted, from 1."""

    lines: Sequence[int]
    frame: "polars.DataFrame"


def typed(raw: "polars.DataFrame", columns: Columns) -> tuple["polars.DataFrame", list[tuple[int, str]]]:
    """`(frame, faults)`: each column as the wanted kind, and `(row from 0, reason)` where a value is not of it."""
    import polars as pl  # noqa: PLC0415 -- a web process does not load it at its start

    series, faults = list[pl.Series](), list[tuple[int, str]]()
    for name, column in columns.items():
        original = raw[name]
        value = _cast(original, column.kind)
        bad = _bad(value, original, column)
        if bad is not None and bad.any():
            rows = bad.arg_true().head(MOST_FAULTS)
            values = original.gather(rows).to_list()
            faults += [(row, _reason(one, name, column)) for row, one in zip(rows.to_list(), values, strict=True)]
        series.append(value.replace("", None) if column.kind == "text" and column.may_lack else value)
    return pl.DataFrame(series), sorted(faults, key=lambda fault: fault[0])


def missing_columns(names: Sequence[str], columns: Columns) -> list[str]:
    return [name for name, column in columns.items() if name not in names and not column.may_lack]


def is_neither(kind: "polars.DataType") -> bool:
    """Whether a column is neither text nor numbers, nor can be written as text."""
    import polars as pl  # noqa: PLC0415

    return kind.is_nested() or kind == pl.Duration


def _cast(original: "polars.Series", kind: Kind) -> "polars.Series":
    """Null where it cannot be. Truth values are the numbers 1 and 0; dates are no numbers, lists and spans of time
    nothing at all."""
    import polars as pl  # noqa: PLC0415

    goal = {"text": pl.String, "whole": pl.Int64, "decimal": pl.Float64}[kind]
    numbers = original.dtype.is_numeric() or original.dtype in {pl.String, pl.Boolean, pl.Null}
    if is_neither(original.dtype) or not (kind == "text" or numbers):
        return pl.Series(original.name, [None], goal).new_from_index(0, len(original))
    if original.dtype == pl.Binary:
        original = pl.Series(original.name, list(map(_decoded, original)), pl.String)
    if original.dtype == goal:
        return original
    value = original.cast(goal, strict=False)
    if kind == "whole" and original.dtype == pl.String and value.null_count() > original.null_count():
        return value.zip_with(value.is_not_null(), _whole_decimals(original))
    return value


def _whole_decimals(texts: "polars.Series") -> "polars.Series":
    """Numbers that are whole, but written with a point or exponent (1.0, 1e3); null for all others."""
    import polars as pl  # noqa: PLC0415

    number = texts.cast(pl.Float64, strict=False)
    number = number.set(~number.is_between(-EXACT, EXACT).fill_null(value=False), None)
    value = number.cast(pl.Int64)
    return value.set((value != number).fill_null(value=True), None)


def _decoded(raw: bytes | None) -> str | None:
    """Null where it is not UTF-8."""
    with suppress(UnicodeDecodeError):
        return None if raw is None else raw.decode()
    return None


def _bad(value: "polars.Series", original: "polars.Series", column: Column) -> "polars.Series | None":
    """Which rows are at fault; None where none can be."""
    import polars as pl  # noqa: PLC0415

    if column.kind == "text" and original.dtype.is_numeric():  # its text is never blank
        return value.is_null() & original.is_not_null() if column.may_lack else value.is_null()
    if column.kind == "text":
        absent = value.is_null() | value.str.contains(r"^\s*$").fill_null(value=False)
        nul = value.str.contains("\0", literal=True).fill_null(value=False)
        odd = value.is_null() & original.is_not_null()
        return nul | odd if column.may_lack else absent | nul
    empty = original.is_null()
    if original.dtype == pl.String:
        empty = empty | (original == "").fill_null(value=False)
    wrong = ~value.is_between(column.least, column.most).fill_null(value=False)
    if column.kind == "whole" and (original.dtype.is_float() or original.dtype.is_decimal()):
        wrong = wrong | (original != value).fill_null(value=True)  # a cast cuts decimals off
    if column.kind == "decimal":
        wrong = wrong | ~value.is_finite().fill_null(value=False)
    return wrong & ~empty if column.may_lack else wrong


def _number(value: object, kind: Kind) -> float | int | None:
    """The value as a number of this kind; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not DECIMAL.match(str(value)):
        return None
    number = float(value)
    if not math.isfinite(number):
        return None
    if kind == "whole":
        whole = _whole(str(value), number)
        return None if whole is None or abs(whole) > MOST_WHOLE else whole
    return number


def _whole(text: str, number: float) -> int | None:
    """Exactly, where it is written in digits alone."""
    with suppress(ValueError):
        return int(text)
    return int(number) if number.is_integer() else None


def _reason(value: object, name: str, column: Column) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        return f"there is no {name}"
    if column.kind == "text":
        return f"the {name} holds a NUL character" if isinstance(value, str) else f"the {name} is not text"
    kind = "a whole number" if column.kind == "whole" else "a finite decimal number"
    bounds = [f"at least {column.least:g}"] if column.least > -math.inf else []
    bounds += [f"at most {column.most:g}"] if column.most < math.inf else []
    number = _number(value, column.kind)
    end = f" of {' and '.join(bounds)}" if bounds and number is not None else ""
    return f"the {name} {shown(str(value))} is not {kind}{end}"
