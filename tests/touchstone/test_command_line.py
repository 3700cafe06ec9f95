"""`manage.py` and `touchstone`: the version, one declaration of it, and what runs with Django out of reach."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import touchstone

pytestmark = pytest.mark.pure
ROOT = Path(__file__).resolve().parents[2]
WITHOUT_DJANGO = """
import importlib.abc, sys

class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"django", "rest_framework", "environ"}:
            raise ModuleNotFoundError(f"{name} is absent here", name=name)

sys.meta_path.insert(0, Absent())
from touchstone import command_line
command_line.find_spec = lambda name: None
sys.argv[0] = "touchstone"
command_line.main()
"""
# Ctrl-C when the first module of ours is looked for, while most of Python's own are not loaded yet.
STRUCK_AT_ONCE = """
import os, signal, sys

class Strike:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "touchstone":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # a test may run where a shell has it ignored
sys.meta_path.insert(0, Strike)
"""
# An import that Ctrl-C strikes and that swallows it, as those of numpy and of Python's own locks may.
STRUCK = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test may run where a shell has it ignored
import touchstone_command
from touchstone import command_line
real = command_line.import_module

def struck(name):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        real("logging").info("by now it is here")
    except KeyboardInterrupt:
        pass
    return real(name)

command_line.import_module = struck
command_line.main()
"""

LOADED = """
import signal, sys
from types import SimpleNamespace
from django.core.management import ManagementUtility
from touchstone import command_line

class Command:
    def run_from_argv(self, argv):
        sys.stdout.write(str(signal.getsignal(signal.SIGINT) is signal.default_int_handler))

signal.signal(signal.SIGINT, signal.default_int_handler)
import touchstone_command
command_line.import_module = lambda name: SimpleNamespace(Command=Command)
ManagementUtility.fetch_command = lambda self, name: Command()
command_line.main()
"""


def ran(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "command", [["manage.py", "--version"], ["manage.py", "evaluate", "--version"], ["-m", "touchstone", "version"]]
)
def test_the_version_is_ours(command: list[str]) -> None:
    done = ran(*command)
    assert (done.returncode, done.stdout) == (0, f"touchstone {touchstone.__version__}\n")


def test_the_version_is_declared_once() -> None:
    assert 'dynamic = ["version"' in (ROOT / "pyproject.toml").read_text()
    cited = re.findall(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited == [touchstone.__version__]


@pytest.mark.parametrize("command", ["evaluate", "compare", "trec_eval"])
def test_commands_of_files_need_no_django(command: str) -> None:
    done = ran("-c", WITHOUT_DJANGO, command, "--help")
    assert (done.returncode, done.stdout.startswith(f"usage: touchstone {command}"), done.stderr) == (0, True, "")
    done = ran("-c", WITHOUT_DJANGO, command, "no-qrels", "no-run")
    assert (done.returncode, done.stderr) == (2, "no-qrels: No such file or directory\n")


def test_other_commands_say_what_to_install() -> None:
    done = ran("-c", WITHOUT_DJANGO, "migrate")
    assert (done.returncode, "pip install" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    "program",
    ["import runpy; runpy.run_path('manage.py', run_name='__main__')", "from touchstone_command import main; main()"],
)
def test_ctrl_c_while_the_program_itself_is_loaded_ends_it(program: str) -> None:
    """`manage.py`, and what the installed command does. `python -m touchstone` loads the package before any of it."""
    done = ran("-c", STRUCK_AT_ONCE + program, "version")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_nobody_is_told_to_install_it_by_its_name() -> None:
    """`pip install touchstone` fetches another project of that name."""
    places = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "Containerfile"]
    for folder in ("annotation", "docs", "evaluation", "templates", "touchstone"):
        places += [file for file in (ROOT / folder).rglob("*") if file.suffix in {".html", ".md", ".py"}]
    by_name = re.compile(r"touchstone\[[a-z]")
    assert [str(place) for place in places if by_name.search(place.read_text("utf-8"))] == []


def test_the_command_begins_there() -> None:
    assert '\ntouchstone = "touchstone_command:main"\n' in (ROOT / "pyproject.toml").read_text()


def test_ctrl_c_while_a_command_is_loaded_ends_it() -> None:
    done = ran("-c", STRUCK, "evaluate", "--help")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("command", ["evaluate", "probe"])
def test_ctrl_c_is_an_exception_once_a_command_is_loaded(command: str) -> None:
    """Both where Django finds the command and where it need not be there."""
    done = ran("-c", LOADED, command)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True", "")
