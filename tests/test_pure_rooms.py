"""A pure room loads where Django does not exist, and a web process starts without the slow packages."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import our_commands
from touchstone.command_line import OF_FILES

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "annotation.formats",
    "annotation.quality",
    "annotation.text",
    "evaluation.engine",
    "evaluation.formats",
    "touchstone.client",
)

# Imports every module of the room it is given, with Django out of reach, and prints how many and what they loaded.
LOAD_ROOM = """
import importlib, importlib.abc, pkgutil, sys

class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"django", "rest_framework", "environ", "axes", "csp"}:
            raise ModuleNotFoundError(f"{name} is absent here", name=name)

sys.meta_path.insert(0, Absent())
room = importlib.import_module(sys.argv[1])
count = 1
for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
    importlib.import_module(found.name)
    count += 1
print(count, *sorted({"torch", "django"} & set(sys.modules)))
"""
START_WEB = """
import sys
import touchstone.wsgi
from django.db import connections
print("evaluation.urls" in sys.modules, [each.connection for each in connections.all(initialized_only=True)])
print(*sorted({"torch", "polars", "scipy"} & set(sys.modules)))
"""


# Makes the help of each command that it is given, and prints which packages that may be slow were loaded by all of it.
HELP = """
import contextlib, io, sys
from touchstone.command_line import main
for name in sys.argv[1:]:
    sys.argv = ["manage.py", name, "--help"]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()
print(*sorted({"torch", "polars", "scipy", "matplotlib", "rest_framework.serializers", "numpy"} & set(sys.modules)))
"""
# What these do is arithmetic on judgments, runs or layouts, or reading files into arrays: their modules need numpy.
WITH_NUMPY = frozenset(
    [
        *("accounting", "batch", "demo", "export", "export_bundle", "export_judgments", "export_qrels", "export_run"),
        *("import", "import_bundle", "import_judgments", "import_qrels", "import_run", "layout", "policy", "pool"),
        *("adjudicate", "alert", "annotator", "delete", "experiments", "gold", "growing_pool", "leaderboard"),
        *("objection", "qualification", "sensitivity", "series", "settings", "snapshot", "snapshot_changes"),
        *("vectors", "worker", *OF_FILES),
    ]
)


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("room", ROOMS)
def test_a_pure_room_loads_without_django_and_without_torch(room: str) -> None:
    done = python(LOAD_ROOM, room)
    assert done.stderr == ""
    files = list((ROOT / room.replace(".", "/")).rglob("*.py"))
    assert done.stdout.split() == [str(len(files))]


def test_django_really_is_absent_in_these_tests() -> None:
    done = python(LOAD_ROOM, "annotation.models")
    assert "ModuleNotFoundError: django" in done.stderr


def test_web_processes_part_with_all_pages_no_slow_package_and_no_connection() -> None:
    done = python(START_WEB)
    assert (done.returncode, done.stdout) == (0, "True [None]\n\n"), done.stderr


def test_the_help_of_a_command_loads_no_slow_package() -> None:
    """A module that is imported for one name brings along whatever it imports."""
    names = {*our_commands()}
    assert names >= WITH_NUMPY
    for group, loaded in ((names - WITH_NUMPY, ""), (WITH_NUMPY, "numpy")):
        done = python(HELP, *sorted(group))
        assert (done.returncode, done.stdout.strip()) == (0, loaded), done.stderr
