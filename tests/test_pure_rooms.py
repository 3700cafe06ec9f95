"""A pure room loads where Django does not exist, and a web process starts without the slow packages."""

import subprocess
import sys
from pathlib import Path

import pytest

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
from django.urls import get_resolver
import touchstone.wsgi
get_resolver().url_patterns
print(*sorted({"torch", "polars", "scipy"} & set(sys.modules)))
"""


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


def test_a_web_process_starts_without_the_slow_packages() -> None:
    done = python(START_WEB)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
