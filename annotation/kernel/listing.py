"""Lists of the database's rows that people work with: searched, filtered, sorted, with chosen columns, page by page.

A list is declared once; all that was chosen stands in the address, so that it can be kept, sent on, or taken as CSV.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import and_, or_
from typing import Any, Generic

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.kernel.files import csv_stream
from annotation.kernel.page import render_page
from annotation.kernel.page_tables import UNKNOWN, cells_of
from annotation.kernel.request import Request
from annotation.kernel.tables import Cell, Column, Kind, Row, Shown, Value, csv_lines
from annotation.models import Collection, SavedView, User

LONGEST_SEARCH = 200
PER_PAGE = 50
LISTS = ("audit", "batches", "runs", "snapshots")  # names of the addresses whose lists can be kept as views
OF_MOMENT = ("page", "as")  # what of an address a view does not keep


@dataclass(frozen=True)
class Listed(Column[Row]):
    """A column of a list; people sort by it under its name where `by` says what of the database that is. `is_folded`:
    shown only where it is chosen."""

    by: str = ""
    is_folded: bool = False
    is_long: bool = False  # its text may break anywhere

    @property
    def css(self) -> str:
        shown = self.shown
        if shown is None or self.is_long:
            return "wide"
        return "num" if shown.is_numeric else "fit" if shown.is_narrow else ""


@dataclass(frozen=True)
class Only:
    """A filter: the address says `name=value` of one of the `values`; `path` is what of the database has it."""

    name: str
    title: str
    path: str
    values: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """`name`: of its CSV file, and what the table is called. `search`: what of the database words are looked for in,
    said to people by `hint`. The first column names the row. `is_stacked`: on a phone each row is a block."""

    name: str
    columns: Sequence[Listed[Row]]
    search: Sequence[str] = ()
    hint: str = ""
    filters: Sequence[Only] = ()
    is_stacked: bool = False


@dataclass(frozen=True)
class ShownList(Generic[Row]):
    """A list as an address asks for it. `chosen`: the filters in force. `n_found`: rows, on all pages."""

    listing: Listing[Row]
    found: "QuerySet[Any]"
    page: Page[Any]
    columns: Sequence[Listed[Row]]
    words: str
    sort: str
    chosen: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_found(self) -> int:
        return int(self.page.paginator.count)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words or self.chosen)

    @property
    def rows(self) -> list[list[tuple[Column[Row], Cell]]]:
        return [cells_of(self.columns, row) for row in self.page]

    @property
    def filters(self) -> list[tuple[Only, str]]:
        return [(each, self.chosen.get(each.name, "")) for each in self.listing.filters]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Of the address, when columns are chosen."""
        all_ = [("q", self.words), ("sort", self.sort), *self.chosen.items()]
        return [(name, value) for name, value in all_ if value]

    @property
    def kept_of_columns(self) -> list[tuple[str, str]]:
        """Of the address, when rows are looked for."""
        usual = [each.name for each in self.listing.columns if not each.is_folded]
        names = [each.name for each in self.columns]
        return [("sort", self.sort)] * bool(self.sort) + [("columns", name) for name in names if names != usual]


def listed_rows(listing: Listing[Row], rows: "QuerySet[Any]", query: QueryDict) -> ShownList[Row]:
    """What an address asks for. A column that is none sorts nothing; no row has a value that no filter has."""
    words = " ".join(query.get("q", "").split())[:LONGEST_SEARCH] if listing.search else ""
    asked = {each.name: query.get(each.name, "") for each in listing.filters}
    chosen = {name: value for name, value in asked.items() if value}
    sort = _known_sort(listing, query.get("sort", ""))
    found = _sorted(listing, _narrowed(listing, rows, words, chosen), sort)
    page = Paginator(found, PER_PAGE).get_page(query.get("page"))
    named = [each for each in listing.columns if each.name in query.getlist("columns")]
    columns = named or [each for each in listing.columns if not each.is_folded]
    first = listing.columns[0]
    columns = columns if columns[0] is first else [first, *columns]
    return ShownList(listing, found, page, columns, words, sort, chosen)


def render_listing(
    request: Request,
    template: str,
    listing: Listing[Row],
    rows: "QuerySet[Any]",
    *,
    collection: Collection,
    **context: object,
) -> HttpResponseBase:
    """The page; with `?as=csv` all that is found, in this order and with these columns, as a file."""
    shown = listed_rows(listing, rows, request.GET)
    if request.GET.get("as") == "csv":
        name = f"{collection.slug}-{listing.name.lower()}"
        return csv_stream(name, csv_lines(shown.columns, shown.found.iterator(chunk_size=2000)))
    page = request.resolver_match.url_name if request.resolver_match else ""
    views = views_of(request.user, collection).filter(page=page)
    return render_page(
        request,
        template,
        collection=collection,
        listed=shown,
        page_obj=shown.page,
        rows=shown.rows,
        views=[(view, address_of(view)) for view in views],
        list_page=page,
        list_query=kept_query(request.GET.urlencode()),
        status=200,
        **context,
    )


def views_of(person: User, collection: Collection) -> QuerySet[SavedView]:
    """Those that the person has kept in the collection, by page and name."""
    views = SavedView.objects.filter(user=person, collection=collection).select_related("collection")
    return views.order_by("page", "name")


def address_of(view: SavedView) -> str:
    return f"{reverse(view.page, args=[view.collection.slug])}?{view.query}"


def kept_query(query: str) -> str:
    """Without what holds of the moment alone."""
    chosen = QueryDict(query, mutable=True)
    for name in OF_MOMENT:
        chosen.pop(name, None)
    return chosen.urlencode()


def _known_sort(listing: Listing[Row], sort: str) -> str:
    return sort if any(each.name == sort.removeprefix("-") and each.by for each in listing.columns) else ""


def _narrowed(listing: Listing[Row], rows: "QuerySet[Any]", words: str, chosen: Mapping[str, str]) -> "QuerySet[Any]":
    """Rows of which each word stands somewhere."""
    for each in listing.filters:
        if value := chosen.get(each.name):
            rows = rows.filter(**{each.path: value}) if value in dict(each.values) else rows.none()
    held = [reduce(or_, (Q(**{f"{path}__icontains": word}) for path in listing.search)) for word in words.split()]
    return rows.filter(reduce(and_, held)) if held else rows


def _sorted(listing: Listing[Row], rows: "QuerySet[Any]", sort: str) -> "QuerySet[Any]":
    """By the column, what has no value last; else as the rows come."""
    if not sort:
        return rows
    by = F(next(each.by for each in listing.columns if each.name == sort.removeprefix("-")))
    order = by.desc(nulls_last=True) if sort.startswith("-") else by.asc(nulls_last=True)
    return rows.order_by(order, "-pk")


def linked(head: str, name: str, get: Callable[[Row], Value], address: Callable[[Row], str], *, by: str) -> Listed[Row]:
    """What names a row: a link to its page."""
    shown = Shown[Row](head, lambda row: Cell(str(get(row)), address=address(row)), is_numeric=False)
    return Listed(name, get, Kind.ID, by=by, shown=shown)


def texts(
    head: str,
    name: str,
    get: Callable[[Row], str],
    *,
    by: str = "",
    is_folded: bool = False,
    is_narrow: bool = False,
    is_long: bool = False,
) -> Listed[Row]:
    shown = Shown[Row](head, lambda row: Cell(get(row) or UNKNOWN), is_numeric=False, is_narrow=is_narrow)
    return Listed(name, get, by=by, is_folded=is_folded, is_long=is_long, shown=shown)


def numbers(
    head: str, name: str, get: Callable[[Row], int | None], *, by: str = "", is_folded: bool = False
) -> Listed[Row]:
    shown = Shown[Row](head, lambda row: Cell(UNKNOWN if (n := get(row)) is None else f"{n:,}"))
    return Listed(name, get, Kind.WHOLE, by=by, is_folded=is_folded, shown=shown)


def moments(
    head: str, name: str, get: Callable[[Row], datetime | None], *, by: str = "", form: str = "j M Y, H:i"
) -> Listed[Row]:
    """Times, in the reader's zone on the page and in UTC in the file."""

    def cell(row: Row) -> Cell:
        moment = get(row)
        return Cell(date_format(localtime(moment), form) if moment else UNKNOWN)

    return Listed(name, get, Kind.TIME, by=by, shown=Shown(head, cell, is_numeric=False, is_narrow=True))


def people(head: str, name: str, get: Callable[[Row], Any], *, by: str = "", nobody: str = "command") -> Listed[Row]:
    """Who did it; `nobody`: where that was no account."""

    def who(row: Row) -> str:
        person = get(row)
        return person.username if person else nobody

    return texts(head, name, who, by=f"{by}__username" if by else "", is_narrow=True)
