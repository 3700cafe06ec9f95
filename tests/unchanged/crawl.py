"""Every page that a person comes to by links, and every address that can be filled in from what the links name.

Knows addresses alone: it reads the pages, follows what they link, and fills the addresses nobody links to (those of
the API) with the values that links have in the same place.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, urldefrag, urlsplit

from django.http import HttpResponseBase
from django.test import Client
from django.urls import Resolver404, get_resolver, resolve

from tests.unchanged.facts import routes

HOST = "localhost"
MOST_OF_A_NAME = 8  # pages of one address, with different values in it
MOST_QUERIES = 24  # of one page: orders of its tables, filters
MOST_FILLED = 3  # of an address that nobody links to
# Places in addresses whose values stand in another place, too: what is before them and their name.
AS_IN = {("judge", "token"): ("batches", "token"), ("work", "token"): ("batches", "token")}

_LINK = re.compile(r"""\s(?:href|hx-get|src|action)="([^"]+)\"""")
_JSON_LINK = re.compile(r'"(?:http://localhost)?(/api/[^"\s]*)"')
_PLACE = re.compile(r"<\w+:(\w+)>")


@dataclass(frozen=True)
class Page:
    """What came back from an address."""

    name: str
    address: str
    response: HttpResponseBase
    body: bytes
    method: str = "GET"


@dataclass
class Crawl:
    """One person's way through the pages: each address once, level by level, each level in the order of addresses."""

    client: Client
    leaves_out: re.Pattern[str] | None = None  # addresses
    asked: set[str] = field(default_factory=set)
    of_name: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    queries: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def pages(self, start: Iterable[str]) -> Iterator[Page]:
        waiting = sorted(set(start))
        while waiting:
            linked = set[str]()
            for address in waiting:
                if self._wants(address):
                    page = self._get(address)
                    yield page
                    linked.update(links_of(page))
            waiting = sorted(linked - self.asked)

    def _wants(self, address: str) -> bool:
        path, _, query = address.partition("?")
        name = name_of(path)
        if address in self.asked or name is None or (self.leaves_out and self.leaves_out.search(address)):
            return False
        if path not in self.of_name[name] and len(self.of_name[name]) >= MOST_OF_A_NAME:
            return False
        self.of_name[name].add(path)
        self.queries[path] += bool(query)
        return not query or self.queries[path] <= MOST_QUERIES

    def _get(self, address: str) -> Page:
        self.asked.add(address)
        response = self.client.get(address)
        return Page(name_of(address) or "", address, response, response.getvalue())


def links_of(page: Page) -> set[str]:
    """The addresses of ours that a page links or sends one to. A page with a query links no other query."""
    kind, text = page.response.get("Content-Type", ""), page.body.decode("utf-8", "replace")
    linked = [page.response["Location"]] if "Location" in page.response else []
    if kind.startswith("text/html"):
        linked += _LINK.findall(text)
    elif "json" in kind and not page.address.endswith("/schema"):
        linked += _JSON_LINK.findall(text)
    whole = {urldefrag(_whole(link, page.address)).url for link in linked}
    return {link for link in whole if link and not ("?" in page.address and "?" in link)}


def _whole(link: str, page: str) -> str:
    """From the root of the server; "" for one that leads elsewhere."""
    link = link.replace("&amp;", "&").removeprefix(f"http://{HOST}")
    if link.startswith("?"):
        return page.partition("?")[0] + link
    return link if link.startswith("/") and not link.startswith("/static/") else ""


def name_of(address: str) -> str | None:
    try:
        return resolve(urlsplit(address).path).url_name
    except Resolver404:
        return None


def filled(addresses: Iterable[str]) -> list[str]:
    """Every address there is, with values that the addresses have in places of that name: a few of each."""
    values = _values(addresses)
    paths = []
    for _, route in routes(get_resolver().url_patterns):
        ways = [route]
        for place in _PLACE.finditer(route):
            before = route[: place.start()].rstrip("/").rpartition("/")[2]
            known = values[AS_IN.get((before, place[1]), (before, place[1]))] or values["", place[1]]
            ways = [way.replace(place[0], quote(value), 1) for way in ways for value in known[:MOST_FILLED]]
        paths += [f"/{way}" for way in ways[:MOST_FILLED]]
    return sorted(paths)


def _values(addresses: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """Values of places, by what stands before the place and its name, and by the name alone; in their order."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for address in addresses:
        match = resolve(urlsplit(address).path)
        for place in _PLACE.finditer(match.route):
            before = match.route[: place.start()].rstrip("/").rpartition("/")[2]
            value = str(match.kwargs[place[1]])
            values[before, place[1]].add(value)
            values["", place[1]].add(value)
    return defaultdict(list, {key: sorted(each, key=lambda value: (len(value), value)) for key, each in values.items()})
