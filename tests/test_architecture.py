"""docs/architecture.md, kept over the tree as it stands. tests/architecture proves the checkers."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture import laws, never, sizes, words
from tests.architecture.tree import APPS, Module, modules

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"annotation", "benchmarks", "docs", "evaluation", "static", "templates", "tests", "touchstone"}
NOT_OURS = {"var", "node_modules", "staticfiles", "__pycache__", "build", "dist", "touchstone.egg-info"}
LEFT_OPEN = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


@pytest.fixture(scope="module")
def written() -> list[Module]:
    return modules(ROOT, (*APPS, "tests", "benchmarks"))


@pytest.fixture(scope="module")
def app(written: list[Module]) -> list[Module]:
    return [module for module in written if module.app in APPS]


def _texts(folder: str, *endings: str) -> list[tuple[str, str]]:
    files = sorted(file for file in (ROOT / folder).rglob("*") if file.suffix in endings and "vendor" not in file.parts)
    return [(file.relative_to(ROOT).as_posix(), file.read_text("utf-8")) for file in files]


def _without_migrations(written: list[Module]) -> list[Module]:
    return [module for module in written if "/migrations/" not in module.path]


def test_there_is_something_to_check(app: list[Module]) -> None:
    assert {"annotation.models", "touchstone.settings"} <= {module.name for module in app}


def test_folders_are_those_of_the_design() -> None:
    folders = {entry.name for entry in ROOT.iterdir() if entry.is_dir() and not entry.name.startswith(".")}
    assert folders - NOT_OURS - FOLDERS == set()


def test_imports_keep_the_laws(app: list[Module]) -> None:
    assert laws.broken_imports(app) == []


def test_a_subject_and_its_layers_open_with_what_they_are_for_and_nothing_else(app: list[Module]) -> None:
    assert laws.talkative_packages(app) == []


def test_no_string_of_annotation_names_evaluation(app: list[Module]) -> None:
    assert laws.strings_across(app) == []


def test_no_circles(app: list[Module]) -> None:
    assert laws.circles(app) == []


def test_no_signals(app: list[Module]) -> None:
    assert never.signals(app) == []


def test_names_use_our_words(written: list[Module]) -> None:
    assert words.refused_names(_without_migrations(written)) == []


def test_variables_are_called_by_nouns(written: list[Module]) -> None:
    stored = {"annotation/trust/steps/pausing.py"}  # forms, events and the audit have a field `told`
    assert words.participles([module for module in _without_migrations(written) if module.path not in stored]) == []


def test_stored_files_are_found_by_their_store_alone(app: list[Module]) -> None:
    assert never.reaches_past_the_store(app) == []


def test_nothing_refused_is_called(written: list[Module]) -> None:
    assert never.refused_calls(written) == []


def test_files_are_short(written: list[Module]) -> None:
    files = [(module.path, module.source) for module in _without_migrations(written)]
    assert sizes.long_files([*files, *_texts("templates", ".html", ".txt"), *_texts("static", ".js", ".css")]) == []


def test_lines_of_templates_are_short() -> None:
    assert sizes.long_lines(_texts("templates", ".html", ".txt")) == []


def test_functions_are_short(written: list[Module], record_property: Callable[[str, object], None]) -> None:
    lengths = sizes.function_lengths(written)
    record_property("mean_function_length", round(sizes.mean_length(lengths), 1))
    assert sizes.long_functions(lengths) == []
    assert sizes.mean_length(lengths) < 12


def test_templates_hold_no_code(app: list[Module]) -> None:
    assert never.refused_markup(_texts("templates", ".html")) == []


def test_judging_does_not_name_gold() -> None:
    assert (
        never.gold_named([*_texts("annotation", ".py"), *_texts("templates", ".html"), *_texts("static", ".js")]) == []
    )


def test_nothing_is_left_open() -> None:
    texts = [text for folder in sorted(FOLDERS) for text in _texts(folder, ".py", ".html", ".js", ".css", ".md")]
    assert [path for path, text in texts if LEFT_OPEN.search(text)] == []
