"""Static files are collected when a server starts, and not again while they are the same."""

from pathlib import Path

import pytest
from pytest_django import Settings

from annotation.management.statics import collect_statics


@pytest.fixture
def sheet(settings: Settings, tmp_path: Path) -> Path:
    """The only file there is to collect."""
    path = tmp_path / "from" / "sheet.css"
    path.parent.mkdir()
    path.write_text("body { color: black }", "utf-8")
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [path.parent]
    settings.STATIC_ROOT = tmp_path / "to"
    return path


def test_what_is_collected_is_not_collected_again(sheet: Path, settings: Settings) -> None:
    assert collect_statics()
    collected = Path(settings.STATIC_ROOT) / "sheet.css"
    collected.unlink()
    assert not collect_statics()
    assert not collected.exists()
    sheet.write_text("body { color: dimgray }", "utf-8")
    assert collect_statics()
    assert collected.read_text("utf-8") == "body { color: dimgray }"


def test_a_new_file_and_a_lost_folder_are_noticed(sheet: Path, settings: Settings) -> None:
    collect_statics()
    (sheet.parent / "more.css").write_text("p { margin: 0 }", "utf-8")
    assert collect_statics()
    for each in Path(settings.STATIC_ROOT).iterdir():
        each.unlink()
    assert collect_statics()
    assert (Path(settings.STATIC_ROOT) / "more.css").is_file()
