"""What workers do is what one process would have done, and what they cannot do has failed."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.pure

ROOT = Path(__file__).resolve().parent.parent
CONFTEST = """
import pytest
from tests.workers import Sharing

def pytest_configure(config):
    config.pluginmanager.register(Sharing(2, lambda name: None))

@pytest.fixture(scope="session", autouse=True)
def whole_session(request):
    yield
    with open(request.config.rootpath / "ended", "a") as file:
        file.write(request.config.workerinput["workerid"] + " ")
"""
GOOD = """
import os, pathlib, time

def test_bee(tmp_path, request):
    with open(request.config.rootpath / "processes", "a") as file:
        file.write(f"{request.path.name} {os.getpid()} {tmp_path}\\n")
    time.sleep(0.3)

def test_wasp(tmp_path, request):
    test_bee(tmp_path, request)
"""
ALL_KINDS = """
import pytest, warnings

def test_fails():
    print("hum of a bee")
    assert {1: 2} == {1: 3}

def test_warns():
    class OddWarning(UserWarning):
        pass
    warnings.warn("a bee is near", OddWarning)

@pytest.mark.skip(reason="no bees in winter")
def test_is_skipped(): pass

@pytest.mark.xfail
def test_fails_as_expected(): assert 0

@pytest.fixture
def sour(): raise ValueError("sour honey")

def test_cannot_begin(sour): pass
"""
KILLED = """
import os, signal

def test_before(): pass

def test_kills_its_worker(): os.kill(os.getpid(), signal.SIGKILL)

def test_after(): pass
"""


def start(folder: Path, *options: str, **files: str) -> subprocess.Popen[str]:
    """Pytest over the files, by two workers, in a group of processes of its own."""
    for name, text in {"conftest": CONFTEST, **files}.items():
        (folder / f"{name}.py").write_text(text)
    plugins = ["-p", "no:django", "-p", "no:cacheprovider"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-c", os.devnull, "--rootdir", str(folder), *plugins, *options, str(folder)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def run(folder: Path, *options: str, **files: str) -> tuple[int, str]:
    """Pytest's exit code and what it said."""
    process = start(folder, *options, **files)
    out, _ = process.communicate(timeout=300)
    return process.returncode, out


def test_files_are_shared_out_whole(tmp_path: Path) -> None:
    code, out = run(tmp_path, **{f"test_{name}": GOOD for name in "abcd"})
    assert (code, "8 passed" in out) == (0, True), out
    lines = [line.split() for line in (tmp_path / "processes").read_text().splitlines()]
    by_file = {file: {pid for name, pid, _ in lines if name == file} for file, _, _ in lines}
    assert {len(pids) for pids in by_file.values()} == {1}, "a file ran in two processes"
    assert len(set.union(*by_file.values())) == 2
    assert len({path for _, _, path in lines}) == 8, "two tests had one folder"
    assert sorted((tmp_path / "ended").read_text().split()) == ["gw0", "gw1"]


def test_every_outcome_is_told(tmp_path: Path) -> None:
    code, out = run(tmp_path, "-ra", test_good=GOOD, test_kinds=ALL_KINDS)
    assert code == 1
    closing = out.strip().splitlines()[-1]
    counts = {what: int(n) for n, what in re.findall(r"(\d+) (\w+)", closing.partition(" in ")[0])}
    assert counts == {"failed": 1, "passed": 3, "skipped": 1, "xfailed": 1, "warning": 1, "error": 1}
    for words in ("hum of a bee", "{1: 2} == {1: 3}", "OddWarning: a bee is near", "no bees in winter", "sour honey"):
        assert words in out


def test_a_killed_worker_fails_what_it_had_to_do(tmp_path: Path) -> None:
    code, out = run(tmp_path, "-v", test_good=GOOD, test_killed=KILLED)
    outcomes = Counter(re.findall(r"^\S+::(\w+) (PASSED|FAILED)", out, re.MULTILINE))
    assert code == 1
    assert outcomes == {
        ("test_bee", "PASSED"): 1,
        ("test_wasp", "PASSED"): 1,
        ("test_before", "PASSED"): 1,
        ("test_kills_its_worker", "FAILED"): 1,
        ("test_after", "FAILED"): 1,
    }, out


def test_it_ends_at_the_first_failure_if_asked_to(tmp_path: Path) -> None:
    slow = "import time, pytest\n@pytest.mark.parametrize('i', range(200))\ndef test_slow(i): time.sleep(0.05)\n"
    code, out = run(tmp_path, "-x", test_a="def test_fails(): assert 0\n", test_b=slow)
    assert code == 1
    assert "stopping after 1 failures" in out
    assert "1 failed" in out
    assert "200 passed" not in out


def test_nothing_runs_where_a_file_cannot_be_collected(tmp_path: Path) -> None:
    code, out = run(tmp_path, test_good=GOOD, test_bad="import no_such_bee\n")
    assert code == 2
    assert "1 error" in out
    assert not (tmp_path / "processes").exists()


def test_it_refuses_where_polars_has_threads_already(tmp_path: Path) -> None:
    code, out = run(
        tmp_path, test_good=GOOD, test_frame="import polars\npolars.DataFrame({'a': [1]}).lazy().collect()\n"
    )
    assert code == 4
    assert "polars" in out
    assert not (tmp_path / "processes").exists()


SLOW = """
import time

def test_slow(request):
    (request.config.rootpath / request.path.stem).touch()
    time.sleep(600)

def test_after(request):
    (request.config.rootpath / "after").touch()
"""


def test_ctrl_c_ends_all_and_takes_down_what_they_set_up(tmp_path: Path) -> None:
    process = start(tmp_path, test_a=SLOW, test_b=SLOW)
    deadline = time.monotonic() + 300
    while not ((tmp_path / "test_a").exists() and (tmp_path / "test_b").exists()):
        assert time.monotonic() < deadline, "they did not begin"
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=50)
    assert (process.returncode, "KeyboardInterrupt" in out) == (2, True), out
    assert sorted((tmp_path / "ended").read_text().split()) == ["gw0", "gw1"]
    assert not (tmp_path / "after").exists()
