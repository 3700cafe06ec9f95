"""JSON objects → dataclasses, as strict as the database behind them: every key, no other, each of its type and size.

What a field may hold, its annotation says: `Annotated[int, Span(0, 7)]`, `str | None`,
`list[Name]`, `datetime`.
"""

import json
import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from annotation.formats.fields import id_fault, shown, text_fault
from annotation.formats.language import language_tag
from annotation.formats.objects import Json

Row = TypeVar("Row")
Reader: TypeAlias = Callable[[Json], Any]

BIGGEST = 2**63 - 1
_SUM = re.compile(r"(0|[1-9][0-9]{0,5})\.[0-9]{4}\Z", re.ASCII)


@dataclass(frozen=True)
class Span:
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = 2**31 - 1

    def check(self, value: int) -> None:
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} is not from {self.low} to {self.high}")


@dataclass(frozen=True)
class Length:
    """A text of at least `least` and at most `most` characters."""

    most: int
    least: int = 0

    def check(self, value: str) -> None:
        if len(value) > self.most:
            raise ValueError(f"{len(value)} characters, at most {self.most} are allowed")
        if len(value) < self.least:
            raise ValueError("is empty")


@dataclass(frozen=True)
class OneOf:
    """One of these words."""

    words: tuple[str, ...]

    def check(self, value: str) -> None:
        if value not in self.words:
            raise ValueError(f"{shown(value)} is none of {', '.join(self.words)}")


@dataclass(frozen=True)
class ExternalId:
    """What may stand in a TREC file as a topic number or a docno."""

    what: str

    def check(self, value: str) -> None:
        fault = id_fault(value, self.what)
        if fault:
            raise ValueError(fault)


@dataclass(frozen=True)
class LanguageTag:
    """A language tag in its usual spelling, or nothing."""

    def check(self, value: str) -> None:
        if language_tag(value) != value:
            raise ValueError(f"{shown(value)} is spelt {language_tag(value)}")


@dataclass(frozen=True)
class Sha:
    """64 lower-case hex digits; with `or_none`, also nothing."""

    or_none: bool = False

    def check(self, value: str) -> None:
        whole = len(value) == 64 and not set(value) - set("0123456789abcdef")
        if not whole and not (self.or_none and not value):
            raise ValueError(f"{shown(value)} is no SHA-256 in hex")


@dataclass(frozen=True)
class Absent:
    """What stands for a field in bundles from before the version `since` which it has been there; `list` and `dict`
    stand for an empty one."""

    value: str | int | type[list[Any]] | type[dict[str, Any]] | None
    since: int = 2

    def default(self) -> Any:
        return self.value() if isinstance(self.value, type) else self.value


def row_of(kind: type[Row], content: Mapping[str, Json], *, version: int | None = None) -> Row:
    """The row that the object spells. Raises `ValueError`, which names the key.

    `version`: of the bundle, unless it is the newest; fields that came later may be missing (`Absent`).
    """
    readers = _readers(cast("Hashable", kind))
    absent = later_fields(kind, version) if version else {}
    for name in sorted((content.keys() ^ readers.keys()) - (absent.keys() - content.keys())):
        raise ValueError(
            f"the key {shown(name)} is missing" if name in readers else f"the key {shown(name)} is unknown"
        )
    values = {name: absent[name].default() for name in readers.keys() - content.keys()}
    for name in content:
        try:
            values[name] = readers[name](content[name])
        except ValueError as fault:
            raise ValueError(f"{name}: {fault}") from fault
    return kind(**values)


def later_fields(kind: type[object], version: int) -> dict[str, Absent]:
    """The fields that bundles of this version do not have yet, each with what stands for it."""
    return {name: rule for name, rule in _absent(cast("Hashable", kind)).items() if rule.since > version}


def line_of(row: object) -> bytes:
    """The line that `row_of` reads back: one row, one spelling."""
    return json.dumps(vars(row), ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=spell).encode()


def spell(value: object) -> str:
    """What JSON has no values for: a time in UTC, a sum with four digits on every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Decimal):
        return f"{value:.4f}"
    raise TypeError(f"{type(value).__name__} has no place in a row")


@cache
def _readers(kind: Hashable) -> dict[str, Reader]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: _reader(hint) for name, hint in hints.items()}


@cache
def _absent(kind: Hashable) -> dict[str, Absent]:
    """By field: what stands for it where it is missing, for those that say so."""
    hints = get_type_hints(kind, include_extras=True).items()
    rules = ((name, rule) for name, hint in hints if get_origin(hint) is Annotated for rule in get_args(hint)[1:])
    return {name: rule for name, rule in rules if isinstance(rule, Absent)}


def _reader(hint: Any) -> Reader:
    origin = get_origin(hint)
    if origin is Annotated:
        base, *rules = get_args(hint)
        return _with_checks(_reader(base), [rule.check for rule in rules if not isinstance(rule, Absent)])
    if origin in (Union, UnionType):
        read = _reader(next(part for part in get_args(hint) if part is not NoneType))
        return lambda value: None if value is None else read(value)
    if origin is list:
        return _list_of(_reader(get_args(hint)[0]))
    return _PLAIN[origin or hint]


def _with_checks(read: Reader, checks: list[Callable[[Any], None]]) -> Reader:
    def read_and_check(value: Json) -> Any:
        entry = read(value)
        for check in checks:
            check(entry)
        return entry

    return read_and_check


def _list_of(read: Reader) -> Reader:
    def read_list(value: Json) -> list[Any]:
        if not isinstance(value, list):
            raise ValueError("a list is expected")
        return [read(each) for each in value]

    return read_list


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError("a string is expected")
    fault = text_fault(value, "text")
    if fault:
        raise ValueError(fault)
    return value


def _whole(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a whole number is expected")
    if abs(value) > BIGGEST:
        raise ValueError("the number has more than 64 bits")
    return value


def _number(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("a number is expected")
    return float(value)


def _flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is expected")
    return value


def _moment(value: Json) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(value))
    except ValueError as fault:
        raise ValueError("a time as in 2026-01-31T12:00:00+00:00 is expected") from fault
    if moment.tzinfo is None:
        raise ValueError("the time has no time zone")
    return moment


def _sum(value: Json) -> Decimal:
    """As the database keeps it: at most six digits, a point, four digits."""
    text = _text(value)
    if not _SUM.match(text):
        raise ValueError(f"{shown(text)} is no sum as in 0.0500")
    return Decimal(text)


def _object(value: Json) -> dict[str, Json]:
    """Anything that a JSON column of the database takes."""
    if not isinstance(value, dict):
        raise ValueError("an object is expected")
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return value


_PLAIN: dict[Any, Reader] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _flag,
    datetime: _moment,
    Decimal: _sum,
    dict: _object,
}
