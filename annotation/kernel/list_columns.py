"""Columns of lists, by what stands in their cells."""

from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.kernel.listing import Listed
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Column, Kind, Row, Shown, Value


def listed(column: Column[Row], **more: Any) -> Listed[Row]:
    """A column of a table as one of a list."""
    return Listed(**{each.name: getattr(column, each.name) for each in fields(column)} | more)


def linked(
    head: str,
    name: str,
    get: Callable[[Row], Value],
    address: Callable[[Row], str],
    *,
    kind: Kind = Kind.TEXT,
    by: str = "",
    look: str = "",
) -> Listed[Row]:
    """What names a row: a link to its page."""
    shown = Shown[Row](head, lambda row: Cell(str(get(row)), address=address(row)), is_numeric=False)
    return Listed(name, get, kind, by=by, look=look, shown=shown)


def texts(
    head: str,
    name: str,
    get: Callable[[Row], str],
    *,
    by: str = "",
    is_folded: bool = False,
    is_narrow: bool = False,
    is_long: bool = False,
    look: str = "",
) -> Listed[Row]:
    shown = Shown[Row](head, lambda row: Cell(get(row) or UNKNOWN), is_numeric=False, is_narrow=is_narrow)
    return Listed(name, get, by=by, is_folded=is_folded, is_long=is_long, look=look, shown=shown)


def numbers(
    head: str, name: str, get: Callable[[Row], int | None], *, by: str = "", is_folded: bool = False
) -> Listed[Row]:
    shown = Shown[Row](head, lambda row: Cell(UNKNOWN if (n := get(row)) is None else f"{n:,}"))
    return Listed(name, get, Kind.WHOLE, by=by, is_folded=is_folded, shown=shown)


def moments(
    head: str,
    name: str,
    get: Callable[[Row], datetime | None],
    *,
    by: str = "",
    form: str = "j M Y, H:i",
    is_folded: bool = False,
) -> Listed[Row]:
    """Times, in the reader's zone on the page and in UTC in the file."""

    def cell(row: Row) -> Cell:
        moment = get(row)
        return Cell(date_format(localtime(moment), form) if moment else UNKNOWN)

    shown = Shown(head, cell, is_numeric=False, is_narrow=True)
    return Listed(name, get, Kind.TIME, by=by, is_folded=is_folded, shown=shown)


def people(head: str, name: str, get: Callable[[Row], Any], *, by: str = "", nobody: str = "command") -> Listed[Row]:
    """Who did it; `nobody`: where that was no account."""

    def who(row: Row) -> str:
        person = get(row)
        return person.username if person else nobody

    return texts(head, name, who, by=f"{by}__username" if by else "", is_narrow=True)
