"""The demo in a still world, and all that it answers, as files to compare."""

import hashlib
import json
import logging
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from tests.unchanged.crawl import HOST, Crawl, Page, filled, name_of
from tests.unchanged.deeds import Deeds
from tests.unchanged.facts import record
from tests.unchanged.normal import normal_html
from tests.unchanged.still import still_world

SLUG = "almanac"
ADMIN, VISITOR = "demo-admin", "visitor"
PEOPLE = (VISITOR, "demo-annotator-1", "demo-annotator-2", "demo-annotator-3", "demo-researcher")
HEADERS = ("Content-Type", "Content-Disposition", "Location", "HX-Redirect", "Content-Security-Policy", "Cache-Control")


def write(folder: Path) -> None:
    """Make the demo in an empty database; write facts, pages of everybody before and after some deeds, exports."""
    logging.getLogger("django.request").setLevel(logging.ERROR)  # most addresses are refused to most people
    with still_world() as clock, _plain_names_of_static_files():
        call_command("migrate", verbosity=0)
        call_command("demo", stdout=StringIO())
        record(folder / "facts")
        clients = {name: _client(name) for name in (*PEOPLE, ADMIN)}
        clock.let_pass(minutes=10)
        write_pages(clients, folder / "first")
        write_deeds(Deeds(clients, clock, SLUG), folder / "deeds")
        clock.let_pass(minutes=10)
        write_pages(clients, folder / "second")
        write_exports(folder / "exports")


def write_pages(clients: dict[str, Client], folder: Path) -> None:
    """The admin's way first: everybody else is asked for one of each address that it led to."""
    crawl = Crawl(clients[ADMIN])
    pages = [_written(page, folder / ADMIN) for page in crawl.pages(["/"])]
    pages += [_written(page, folder / ADMIN) for page in crawl.pages(filled(pages))]
    one_of_each = {name_of(address): address for address in reversed(pages) if "?" not in address}
    for name in PEOPLE:
        for page in Crawl(clients[name]).pages(["/", *one_of_each.values()]):
            _written(page, folder / name)


def write_deeds(deeds: Deeds, folder: Path) -> None:
    """What each deed answered, numbered in their order."""
    for number, page in enumerate(deeds.all()):
        _written(page, folder / f"{number:02}")


def write_exports(folder: Path) -> None:
    """What commands export; the bundle as it is, and its members to look into."""
    folder.mkdir(parents=True)
    call_command("export_bundle", SLUG, output=folder / "bundle.zip", stdout=StringIO(), stderr=StringIO())
    with zipfile.ZipFile(folder / "bundle.zip") as bundle:
        bundle.extractall(folder / "bundle")
    for form in ("csv", "jsonl", "parquet"):
        _export("export_judgments", SLUG, form=form, output=folder / f"judgments.{form}")
    for form in ("trec", "jsonl", "csv", "parquet", "beir"):
        _export("export_qrels", SLUG, "round-one", form=form, output=folder / f"qrels.{form}")
    _export("backup", str(folder.parent / "var" / "backup.zip"))


def _export(name: str, *arguments: str, **options: object) -> None:
    call_command(name, *arguments, stdout=StringIO(), stderr=StringIO(), **options)


def _client(name: str) -> Client:
    client = Client(raise_request_exception=False, SERVER_NAME=HOST)
    if name != VISITOR:
        client.force_login(get_user_model().objects.get(username=name))
    return client


def _written(page: Page, folder: Path) -> str:
    """One file a page; gives its address."""
    parts = urlsplit(page.address)
    readable = (parts.path.strip("/").replace("/", "~") or "home")[:120] + (
        "?" + parts.query[:60] if parts.query else ""
    )
    mark = hashlib.sha256(page.address.encode()).hexdigest()[:8]
    kind, text = _normal(page)
    file = folder / page.name / f"{readable.replace('/', '~')}-{mark}.{kind}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    headers = [
        f"{name}: {'; '.join(sorted(page.response[name].split('; ')))}" for name in HEADERS if name in page.response
    ]
    file.write_text(
        "\n".join([f"{page.method} {page.address}", str(page.response.status_code), *headers, "", text]), "utf-8"
    )
    return page.address


def _normal(page: Page) -> tuple[str, str]:
    """What kind of text it is, and the text; of other bytes their number and hash."""
    kind = page.response.get("Content-Type", "").partition(";")[0]
    if kind == "text/html":
        return "html", normal_html(page.body.decode())
    if kind in {"application/json", "application/vnd.oai.openapi+json"}:
        return "json", json.dumps(json.loads(page.body), indent=1, ensure_ascii=False)
    try:
        return "plain", page.body.decode()
    except UnicodeDecodeError:
        return "bytes", f"{len(page.body)} bytes, sha256 {hashlib.sha256(page.body).hexdigest()}"


@contextmanager
def _plain_names_of_static_files() -> Iterator[None]:
    """Without hashes in the names, which change with every script."""
    backend = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    before, settings.STORAGES = settings.STORAGES, {**settings.STORAGES, "staticfiles": backend}
    try:
        yield
    finally:
        settings.STORAGES = before
