"""docs/library.md: its blocks of Python run, in their order, in an empty folder, and print what stands there."""

import re
import runpy
from pathlib import Path

import pytest

import touchstone
from tests.test_docs import page
from touchstone.library.scoring import Reading

pytestmark = pytest.mark.pure
BLOCKS = re.findall(r"```python\n(.*?)```", page("library"), re.DOTALL)
PRINTED = re.findall(r"```text\n(.*?)```", page("library"), re.DOTALL)


def test_the_blocks_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "library.py"
    program.write_text("\n".join(BLOCKS), "utf-8")
    runpy.run_path(str(program))
    assert len(BLOCKS) >= 10
    assert capsys.readouterr().out == "".join(PRINTED)


def test_the_page_names_what_is_public() -> None:
    text = page("library")
    public = {name for name in touchstone._PLACES if not name[0].isupper()} | {"FormatError"}
    assert [name for name in sorted(public) if f"ts.{name}" not in text] == []
    assert [name for name in Reading.__annotations__ if f"`{name}`" not in text] == []
