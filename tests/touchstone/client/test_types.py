"""A user's type checker, without settings of ours, takes what the docs show and finds what is misspelt.

What it knows of the client and of httpx is kept for the next time, as on a user's machine. The package around the
client is an empty one: its own declares the engine's types, with which a checker reads numpy and torch for 20 seconds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrated import FOLDER
from tests.touchstone.client.api_page import program_of_the_page

pytestmark = [pytest.mark.slow, pytest.mark.pure]

ROOT = Path(__file__).resolve().parents[3]
WRONG = """
from touchstone.client import Client

with Client("https://host", "secret") as client:
    batch = client.collection("bees").batches.draft(name="first", pool="all")
    print(batch["tokn"])
    client.collection("bees").batches.draft(name="first", pol="all")
    client.collection("bees").imports.bring("topics.tsv", kind="topic")
"""


def test_what_a_user_writes_is_checked(tmp_path: Path) -> None:
    package = tmp_path / "path/touchstone"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "client").symlink_to(ROOT / "touchstone/client")
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "page.py").write_text(program_of_the_page())
    options = ["--strict", "--config-file=", "--follow-imports=silent", f"--cache-dir={FOLDER / 'mypy'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(ROOT / "docs/examples/from_nothing.py"), "page.py", "wrong.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line.partition(": error: ") for line in done.stdout.splitlines() if ": error: " in line]
    assert {place.partition(":")[0] for place, _, _ in errors} == {"wrong.py"}, done.stdout + done.stderr
    assert [error.partition(";")[0].partition("  [")[0] for _, _, error in errors] == [
        'TypedDict "Progress" has no key "tokn"',
        'Unexpected keyword argument "pol" for "draft" of "Batches"',
        'Argument "kind" to "bring" of "Imports" has incompatible type "Literal[\'topic\']"',
    ]
