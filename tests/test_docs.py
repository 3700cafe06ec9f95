"""Whatever a person can type, set, open or load has its line in docs/."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = (
    *("tour", "architecture", "measures", "statistics", "quality", "formats", "api", "deployment", "glossary"),
    "accessibility",
    "library",
    "addresses",
    "commands",
)

# Modules of the formats rooms that are no format but what formats are made of.
BUILDING_BLOCKS = {
    *(
        "threads",
        "coding",
        "columns",
        "id_files",
        "fields",
        "identity",
        "lines",
        "numbers",
        "objects",
        "duplicates",
        "problems",
        "store",
    ),
    *(
        "cells",
        "file_formats",
        "first_bytes",
        "foreign",
        "json_stream",
        "mapped",
        "mapping",
        "markup",
        "column_names",
        "parquet_batches",
        "parquet_process",
        "streaming",
        "tab_separated",
        "tables",
    ),
    *("text", "tokens", "atomic_output", "files", "notes", "compared_models"),
}
# Words a path of the repository may begin with, where docs name one in backticks.
OUR_FOLDERS = ("annotation/", "evaluation/", "touchstone/", "templates/", "static/", "tests/", "benchmarks/", "docs/")


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text("utf-8")


def missing(names: Iterable[str], text: str) -> list[str]:
    """The names that the text does not have in backticks."""
    return sorted({name for name in names if f"`{name}`" not in text})


def settings_read(source: str) -> Iterator[str]:
    """Names of the environment variables that a module reads."""
    if "env" not in source:  # no need to parse most files
        return
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and node.args
            and re.match(r"(env|os\.environ|environ)\b", ast.unparse(node.func))
        ):
            name = node.args[0]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) in {"os.environ", "environ", "env"}:
            name = node.slice
        else:
            continue
        if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value.isupper():
            yield name.value


def url_names(patterns: Iterable[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from url_names(pattern.url_patterns, inner)
        elif pattern.name:
            yield f"{space}{pattern.name}"


def commands() -> list[str]:
    files = ROOT.glob("*/management/commands/*.py")
    return sorted(file.stem for file in files if not file.stem.startswith("_"))


def stems(folder: str) -> set[str]:
    """Modules and folders of modules."""
    files = [*(ROOT / folder).glob("*.py"), *(file.parent for file in (ROOT / folder).glob("*/__init__.py"))]
    return {file.stem for file in files} - {"__init__"}


def public_functions(module: ast.Module) -> set[str]:
    names = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_there_and_says_something(name: str) -> None:
    assert page(name).startswith("# ")
    assert len(page(name).splitlines()) > 10


def test_every_setting_has_its_line() -> None:
    files = [*ROOT.glob("touchstone/**/*.py"), *ROOT.glob("annotation/**/*.py"), *ROOT.glob("evaluation/**/*.py")]
    names = {name for file in files for name in settings_read(file.read_text("utf-8"))} - {"DJANGO_SETTINGS_MODULE"}
    assert {"DATABASE_URL", "TOUCHSTONE_FILES"} <= names
    assert missing(names, page("deployment")) == []


def test_every_address_has_its_line() -> None:
    names = set(url_names(get_resolver().url_patterns))
    assert "healthz" in names
    assert missing(names, page("addresses") + page("api")) == []


def test_every_command_has_its_line() -> None:
    text = "".join(file.read_text("utf-8") for file in sorted(DOCS.glob("*.md")))
    assert [name for name in commands() if not re.search(rf"manage\.py {name}\b", text)] == []


def test_every_format_has_its_heading_or_row() -> None:
    lines = [line.lower() for line in page("formats").splitlines() if line.startswith(("#", "|"))]
    names = (stems("annotation/formats") | stems("evaluation/formats")) - BUILDING_BLOCKS
    assert "topics" in names
    assert [name for name in sorted(names) if not any(name.replace("_", " ") in line for line in lines)] == []


def test_every_measure_has_its_row() -> None:
    """A measure is a file; its row names the file, so that whoever reads the row can read the code."""
    files = {f"{stem}.py" for stem in stems("evaluation/engine/measures")}
    assert missing(files, page("measures")) == []


def test_every_statistic_is_named() -> None:
    """Callers and readers alike find each public function on the page; deeper files are named there too."""
    folder = ROOT / "evaluation/engine/significance"
    modules = {file: ast.parse(file.read_text("utf-8")) for file in folder.rglob("*.py")}
    names = {name for module in modules.values() for name in public_functions(module)}
    assert {"mean_interval", "paired_t", "tukey_hsd", "kendall_tau_b"} <= names
    assert missing(names, page("statistics")) == []
    files = {file.relative_to(folder).as_posix() for file in modules if file.name != "__init__.py"}
    assert missing(files, page("statistics")) == []


@pytest.mark.parametrize("family", ["diversity", "preferences"])
def test_every_measure_of_another_kind_of_judgment_has_its_row(family: str) -> None:
    names = stems(f"evaluation/engine/{family}/measures")
    assert {"alpha_ndcg", "simple"} & names
    assert missing({f"{name}.py" for name in names}, page("measures")) == []


def test_files_that_docs_name_exist() -> None:
    named = [
        (file.name, path)
        for file in [*sorted(DOCS.rglob("*.md")), ROOT / "CONTRIBUTING.md"]
        for path in re.findall(r"`([\w./-]+)`", file.read_text("utf-8"))
        if path.startswith(OUR_FOLDERS)
    ]
    assert [(name, path) for name, path in named if not (ROOT / path).exists()] == []


def test_the_tour_leads_to_functions_that_exist() -> None:
    rows = re.findall(r"^\| .*\? \| `([\w/]+\.py)`.* \| (.+) \|$", page("tour"), re.MULTILINE)
    assert len(rows) >= 14
    for path, names in rows:
        body = ast.parse((ROOT / path).read_text("utf-8")).body
        defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        defined |= {ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)}
        defined |= {ast.unparse(node.target) for node in body if isinstance(node, ast.AnnAssign)}
        assert set(re.findall(r"`(\w+)`", names)) <= defined, path


def test_links_between_docs_lead_somewhere() -> None:
    files = [*sorted(DOCS.rglob("*.md")), ROOT / "CONTRIBUTING.md", *ROOT.glob("README.md")]
    links = [
        (file, link) for file in files for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", file.read_text("utf-8"))
    ]
    assert [(file.name, link) for file, link in links if not (file.parent / link).exists()] == []


def test_the_finders_find() -> None:
    source = (
        'a = env.str("ONE", default="")\nb = os.environ["TWO"]\nc = os.environ.get("THREE")\nd = settings.get("FOUR")'
    )
    assert sorted(settings_read(source)) == ["ONE", "THREE", "TWO"]
    assert missing({"a", "b"}, "| `a` | b |") == ["b"]
    assert public_functions(ast.parse("def a(): ...\ndef _b(): ...\nclass C:\n    def d(self): ...")) == {"a"}
