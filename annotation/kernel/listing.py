"""Lists of rows that people work with: searched, filtered, sorted, with chosen columns, page by page.

A list is declared once, of the database's rows or of rows in memory; all that was chosen stands in
the address, so that it can be kept, sent on, or taken as CSV.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any, Generic, Protocol
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils.text import slugify

from annotation.kernel.files import csv_stream
from annotation.kernel.list_views import LISTS, address_of, kept_query, views_of
from annotation.kernel.listed_rows import narrowed, sorted_by
from annotation.kernel.page import render_page, render_polled
from annotation.kernel.page_tables import cells_of
from annotation.kernel.request import Request
from annotation.kernel.tables import Cell, Column, Row, csv_lines
from annotation.models import Collection

LONGEST_SEARCH = 200
PER_PAGE = 50
AT_ONCE = 2000  # rows of a CSV file, as they come from the database


@dataclass(frozen=True)
class Listed(Column[Row]):
    """A column of a list; people sort by it under `sort` or its name where `by` says what of the database that is, or
    anything of rows in memory. `is_folded`: shown only where it is chosen, or sorted by. `of`: the name of the column
    that its cells say, too ("2 of 9"): in the file it stands behind this one."""

    by: str = ""
    of: str = ""
    is_folded: bool = False
    is_long: bool = False  # its text may break anywhere
    look: str = ""  # classes of its cells, where not the usual
    part: str = ""  # a template that draws its cells of `row`

    @property
    def key(self) -> str:
        return self.sort or (self.name if self.by else "")

    @property
    def css(self) -> str:
        shown = self.shown
        if self.look:
            return self.look
        if shown is None or self.is_long:
            return "wide"
        return " ".join(["num"] * shown.is_numeric + ["fit"] * shown.is_narrow)


@dataclass(frozen=True)
class Only:
    """A filter: the address says `name=value` of one of the `values`; `path` is what of the row has it, "" where who
    lists the rows has heeded it."""

    name: str
    title: str
    path: str
    values: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Ticks(Generic[Row]):
    """Rows to tick for a deed on several: each sends its `value` under `name` with the `form` of that id, which stands
    under the table. `named`: which row that is, read aloud. `may`: whether it can be chosen."""

    form: str
    name: str
    value: Callable[[Row], str]
    named: Callable[[Row], str]
    may: Callable[[Row], bool] = lambda _: True


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """A list: the first of its `columns` names the row."""

    name: str  # what the table is called; behind `file` its CSV file
    columns: Sequence[Listed[Row]]
    search: Sequence[str] = ()  # what of the rows words are looked for in
    hint: str = ""  # says so to people
    filters: Sequence[Only] = ()
    kept_parameters: Sequence[str] = ()  # names in the address that are not the list's own, and go along
    ticks: Ticks[Row] | None = None
    to_rows: Callable[[Sequence[Any]], Sequence[Row]] = list  # what some rows of the database are made into
    is_out: Callable[[Row], bool] = lambda _: False  # rows that are greyed
    nothing: str = "No row is like that."  # where none is like what was asked for
    deeds: str = ""  # a template that draws what can be done with a `row`, behind it
    deeds_named: str = ""  # the head of these
    pages: Sequence[str] = ("page",)  # names of the page's number in an address, the first before those of old
    look: str = ""  # further classes of the table
    heading_id: str = ""  # that its links lead back to, where the list stands further down its page
    prefix: str = ""  # begins each of its names in the address, where it is not the only list of its page
    explained_by: str = ""  # the id of what explains its columns, above it
    file: str = ""  # what of the collection it is the list of, if not of all

    @property
    def own(self) -> frozenset[str]:
        """What of an address says how the list is shown, and not which page of it."""
        return frozenset(self.prefix + name for name in ("q", "sort", "columns", *[each.name for each in self.filters]))


class Looked(Protocol):
    """A page of rows that were looked for elsewhere, by keyset: `before` and `after` begin those around it."""

    @property
    def rows(self) -> Sequence[Any]: ...
    @property
    def n_found(self) -> int: ...
    @property
    def has_more(self) -> bool: ...  # than so many
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...


@dataclass(frozen=True)
class ShownRow(Generic[Row]):
    """`tick`: what its box sends; `named`: which row that is."""

    row: Row
    cells: list[tuple[Column[Row], Cell]]
    is_out: bool
    tick: str = ""
    named: str = ""
    may_tick: bool = False

    @property
    def title(self) -> str:
        return self.cells[0][1].text


@dataclass(frozen=True)
class ShownList(Generic[Row]):
    """A list as an address asks for it. `chosen`: the filters in force. `n_found`: rows, on all pages. `page`: of
    Django's paginator, or `looked`. `is_usual`: the address says nothing of it."""

    listing: Listing[Row]
    matches: Iterable[Any]
    page: Any
    n_found: int
    columns: Sequence[Listed[Row]]
    words: str
    sort: str
    chosen: Mapping[str, str] = field(default_factory=dict)
    carried: Sequence[tuple[str, str]] = ()
    looked: Looked | None = None
    is_usual: bool = True

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words or self.chosen)

    @property
    def sort_columns(self) -> Sequence[Listed[Row]]:
        """Those shown by which people may sort the rows."""
        return [] if self.looked else [each for each in self.columns if each.key]

    @property
    def sorted_by(self) -> Listed[Row] | None:
        return next((each for each in self.sort_columns if each.key == self.sort.lstrip("-")), None)

    @property
    def at(self) -> str:
        """Where on the page its links lead."""
        return f"#{self.listing.heading_id}" if self.listing.heading_id else ""

    @property
    def whole(self) -> str:
        """The address of all rows; it names their first page, for the list stays unfolded."""
        first = (self.listing.prefix + self.listing.pages[0], 1)
        return f"?{urlencode([*self.carried, first])}{self.at}"

    @property
    def rows(self) -> list[ShownRow[Row]]:
        rows = self.looked.rows if self.looked else list(self.page)
        return [self._shown(row) for row in self.listing.to_rows(rows)]

    def _shown(self, row: Row) -> ShownRow[Row]:
        cells, is_out, ticks = cells_of(self.columns, row), self.listing.is_out(row), self.listing.ticks
        if ticks is None:
            return ShownRow(row, cells, is_out)
        return ShownRow(row, cells, is_out, ticks.value(row), ticks.named(row), ticks.may(row))

    @property
    def filters(self) -> list[tuple[Only, str, Sequence[tuple[str, str]]]]:
        """Each with what is chosen of it, and what can be: also what is chosen and no row has."""
        return [(each, value := self.chosen.get(each.name, ""), _values(each, value)) for each in self.listing.filters]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Of the address, when columns are chosen."""
        own = [("q", self.words), ("sort", self.sort), *self.chosen.items()]
        return [*self.carried, *[(self.listing.prefix + name, value) for name, value in own if value]]

    @property
    def kept_of_columns(self) -> list[tuple[str, str]]:
        """Of the address, when rows are looked for."""
        usual = [each.name for each in usual_columns(self.listing, self.sort)]
        names = [each.name for each in self.columns]
        chosen = [("columns", name) for name in names if names != usual]
        own = [*[("sort", self.sort)] * bool(self.sort), *chosen]
        return [*self.carried, *[(self.listing.prefix + name, value) for name, value in own]]

    def lines(self) -> Iterator[bytes]:
        """The CSV file: all that is found, in this order and with these columns."""
        walk = self.matches.iterator(chunk_size=AT_ONCE) if isinstance(self.matches, QuerySet) else iter(self.matches)
        portions = iter(lambda: list(islice(walk, AT_ONCE)), [])
        return csv_lines(self._of_the_file(), (row for rows in portions for row in self.listing.to_rows(rows)))

    def _of_the_file(self) -> list[Listed[Row]]:
        by_name = {each.name: each for each in self.listing.columns}
        more = {each.name: by_name[each.of] for each in self.columns if each.of}
        columns = [each for each in self.columns if each not in more.values()]
        return [each for column in columns for each in (column, more.get(column.name)) if each]


def listed_rows(
    listing: Listing[Row],
    rows: "QuerySet[Any] | Sequence[Any]",
    address: QueryDict,
    looked: Looked | None = None,
    beside: Iterable["Listing[Any]"] = (),
) -> ShownList[Row]:
    """What an address asks for. An unknown sort column is ignored; an unknown filter value finds no row. `looked`: the
    page, where the rows were looked for by `words_in` and are in the only order there is. `beside`: the other lists of
    the page, of which the choices go along."""
    query = _own_query(address, listing.prefix)
    words = words_in(query) if listing.search else ""
    asked = {each.name: query.get(each.name, "") for each in listing.filters}
    chosen = {name: value for name, value in asked.items() if value}
    key = query.get("sort", "").lstrip("-")
    column = next((each for each in listing.columns if key and each.key == key), None)
    sort = query.get("sort", "") if column else ""
    columns = _chosen_columns(listing, query.getlist("columns"), sort)
    along = [*listing.kept_parameters, *sorted(name for each in beside for name in each.own)]
    carried = [(name, value) for name in along for value in address.getlist(name) if value]
    is_usual = listing.own.isdisjoint(address) and not any(name in query for name in listing.pages)
    if looked:
        return ShownList(listing, rows, looked, looked.n_found, columns, words, "", chosen, carried, looked, is_usual)
    if all(chosen.get(each.name, "") in {"", *dict(each.values)} for each in listing.filters):
        wanted = {each.path: chosen[each.name] for each in listing.filters if each.path and each.name in chosen}
        matches = narrowed(rows, listing.search, words, wanted)
    else:
        matches = []
    matches = sorted_by(matches, column, is_down=sort.startswith("-")) if column else matches
    number = next((query.get(name) for name in listing.pages if name in query), None)
    page = Paginator(matches, PER_PAGE).get_page(number)
    n_found = int(page.paginator.count)
    return ShownList(listing, matches, page, n_found, columns, words, sort, chosen, carried, is_usual=is_usual)


def _values(only: Only, chosen: str) -> Sequence[tuple[str, str]]:
    return [*only.values, (chosen, chosen)] if chosen and chosen not in dict(only.values) else only.values


def _own_query(address: QueryDict, prefix: str) -> QueryDict:
    """What an address says of the list whose names begin so, without that beginning."""
    if not prefix:
        return address
    query = QueryDict(mutable=True)
    for name in address:
        if name.startswith(prefix):
            query.setlist(name.removeprefix(prefix), address.getlist(name))
    return query


def words_in(query: QueryDict) -> str:
    return " ".join(query.get("q", "").split())[:LONGEST_SEARCH]


def usual_columns(listing: Listing[Row], sort: str) -> list[Listed[Row]]:
    """Those that are not folded, and the one that rows are sorted by."""
    return [each for each in listing.columns if not each.is_folded or (sort and each.key == sort.lstrip("-"))]


def _chosen_columns(listing: Listing[Row], names: Sequence[str], sort: str) -> Sequence[Listed[Row]]:
    """The one that names a row stands first whatever is chosen."""
    columns = [each for each in listing.columns if each.name in names] or usual_columns(listing, sort)
    first = listing.columns[0]
    return columns if columns[0] is first else [first, *columns]


def render_listing(
    request: Request,
    template: str,
    listing: Listing[Row],
    rows: "QuerySet[Any] | Sequence[Any]",
    *,
    collection: Collection,
    looked: Looked | None = None,
    others: "Mapping[str, tuple[Listing[Any], QuerySet[Any] | Sequence[Any]]]" = MappingProxyType({}),
    part: str = "",
    live: bool = False,
    **context: object,
) -> HttpResponseBase:
    """The page; with `?as=csv` the file. `others`: further lists of the page, by their names in the template. `part`:
    of the page, asks again by itself while it is `live`."""
    listings = [listing, *[each for each, _ in others.values()]]

    def beside(one: "Listing[Any]") -> list["Listing[Any]"]:
        return [each for each in listings if each is not one]

    shown = listed_rows(listing, rows, request.GET, looked, beside(listing))
    shown_others = {name: listed_rows(one, of, request.GET, None, beside(one)) for name, (one, of) in others.items()}
    for each in (shown, *shown_others.values()):
        if request.GET.get(f"{each.listing.prefix}as") == "csv":
            name = slugify(f"{collection.slug} {each.listing.file} {each.listing.name}")
            return csv_stream(name, each.lines())
    page = request.resolver_match.url_name if request.resolver_match else ""
    views = views_of(request.user, collection).filter(page=page) if page in LISTS else ()
    full_context = {
        "listed": shown,
        "page_obj": shown.page,
        "rows": shown.rows,
        "views": [(view, address_of(view)) for view in views],
        "list_page": page if page in LISTS else "",
        "list_query": kept_query(request.GET.urlencode()),
        **shown_others,
        **context,
    }
    if part:
        return render_polled(request, template, part=part, live=live, collection=collection, **full_context)
    return render_page(request, template, collection=collection, **full_context)
