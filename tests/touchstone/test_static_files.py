"""Scripts are modules: each import says the name under which the file is served, and nothing hangs on an order."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from touchstone.static_files import INTEGRITY, integrity

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "static/js"
TAG = re.compile(r"<script\b[^>]*>|<link rel=.stylesheet.[^>]*>|{% (?:module|script) [^%]*%}")
OWN = re.compile(r"^{% module '(js/[\w-]+\.js)' %}$")
IMPORT = re.compile(r"""^import (?:\* as \w+|\{[^}]*\}) from "(\.[^"]+)";$""", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")
# What a module may do by being imported: name things, and no more. Constants may read the page.
TOP_LEVEL = re.compile(r"(import|export|const|let|function\*?|async function) |[\s})\]/]|$")


def imports_of(script: Path) -> set[Path]:
    return {(script.parent / path).resolve() for path in IMPORT.findall(script.read_text("utf-8"))}


def reached_from(entry: Path) -> set[Path]:
    reached, left = set[Path](), {entry}
    while left:
        script = left.pop()
        reached.add(script)
        left |= imports_of(script) - reached
    return reached


def entries() -> set[Path]:
    """The scripts that a page names; what else there is, they import."""
    tags = [tag for page in (ROOT / "templates").rglob("*.html") for tag in TAG.findall(page.read_text("utf-8"))]
    return {(ROOT / "static" / own[1]).resolve() for tag in tags if (own := OWN.match(tag))}


@pytest.fixture(scope="module")
def scripts() -> set[Path]:
    return set(SCRIPTS.rglob("*.js"))


def test_a_page_has_at_most_one_script_of_its_own() -> None:
    pages = {page: TAG.findall(page.read_text("utf-8")) for page in (ROOT / "templates").rglob("*.html")}
    own = {page.name: [tag for tag in tags if not tag.startswith("{% script ")] for page, tags in pages.items() if tags}
    assert {name for name, tags in own.items() if len(tags) > 1} == set()
    assert [tag for tags in own.values() for tag in tags if not OWN.match(tag)] == []


def test_every_script_is_a_page_s_own_or_imported_by_one(scripts: set[Path]) -> None:
    assert set().union(*map(reached_from, entries())) == scripts


def test_every_import_is_written_so_that_its_name_is_replaced(scripts: set[Path]) -> None:
    for script in scripts:
        text = COMMENT.sub("", script.read_text("utf-8"))
        assert len(IMPORT.findall(text)) == len(re.findall(r"\bimport\b", text)), script.name


def test_importing_a_module_does_nothing(scripts: set[Path]) -> None:
    """Listeners and timers begin when the page's own script says so, in the order in which it says so."""
    for script in scripts - entries():
        for line in COMMENT.sub("", script.read_text("utf-8")).splitlines():
            assert TOP_LEVEL.match(line), f"{script.name}: {line}"


def test_no_script_puts_anything_on_the_window(scripts: set[Path]) -> None:
    on_window = re.compile(r"\b(window|globalThis|self)(\.\w+|\[[^\]]*\])\s*=[^=]")
    assert [script.name for script in scripts if on_window.search(script.read_text("utf-8"))] == []


def test_served_files_import_files_that_are_served(tmp_path: Path, settings: Settings, scripts: set[Path]) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "touchstone.static_files.HashedStaticFiles"},
    }
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["css", "js", "map", "svg"]
    call_command("collectstatic", interactive=False, verbosity=0)
    served: dict[str, str] = json.loads((tmp_path / "staticfiles.json").read_text("utf-8"))["paths"]
    n_imports = 0
    for script in scripts:
        name = script.relative_to(ROOT / "static").as_posix()
        copy = tmp_path / served[name]
        assert HASHED.search(copy.name)
        imported = {tmp_path / served[path.relative_to(ROOT / "static").as_posix()] for path in imports_of(script)}
        assert imports_of(copy) == imported, name
        assert all(path.is_file() for path in imported)
        n_imports += len(imported)
    assert n_imports > 50
    assert {name.split("/")[0] for name in served} == {"css", "django_htmx", "img", "js", "vendor"}
    assert "django_htmx/htmx-2.min.js" in served
    hashes: dict[str, str] = json.loads((tmp_path / INTEGRITY).read_text("utf-8"))
    assert hashes == {n: integrity((tmp_path / served[n]).read_bytes()) for n in served if n.endswith((".js", ".css"))}


@pytest.mark.parametrize("page", ["base.html", "500.html"])
def test_what_the_sheets_of_a_page_stand_on_is_among_them(page: str) -> None:
    names = re.findall(r"{% stylesheet '([^']+)'", (ROOT / "templates" / page).read_text("utf-8"))
    sheets = "".join((ROOT / "static" / name).read_text("utf-8") for name in names)
    declared = set(re.findall(r"(--[\w-]+)\s*:", sheets))
    assert set(re.findall(r"var\((--[\w-]+)\)", sheets)) <= declared != set()
