"""The wheel in fresh environments, without a network: light beside numpy and scipy alone, and whole with the app.

What it needs comes from the environment of these tests: nothing is downloaded.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.demo import MadeDemo
from tests.live import free_port
from touchstone import __version__

pytestmark = [pytest.mark.slow, pytest.mark.pure]
ROOT = Path(__file__).resolve().parents[2]
SITE = Path(np.__file__).resolve().parents[1]
SOURCES = ("annotation", "evaluation", "touchstone", "templates", "static")
START_LIMIT = 60.0  # seconds
JUDGE = """
import re
from django.test import Client
from annotation.models import Batch, Judgment, User
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username="demo-annotator-1"))
path = f"/judge/{Batch.objects.get(name='Round two').token}/"
page = client.post(path + "start", follow=True).text
token = re.search(r'name="token" value="([^"]+)"', page)[1]
client.post(path + "grade", {"token": token, "grade": 3, "active_ms": 3000, "wall_ms": 4000})
print(*Judgment.objects.filter(assignment__annotator__user__username="demo-annotator-1").values_list("grade"))
"""
WITH_HTTPX = """
import sys
import touchstone as ts
import touchstone.client
client = touchstone.client.Client("http://localhost", "token")
print(client.collection("bees").slug, *sorted({"django", "numpy", "torch"} & set(sys.modules)))
"""
HTTPX = ("anyio", "certifi", "h11", "httpcore", "httpx", "idna", "typing_extensions.py")
PROGRAM = """
import sys
import touchstone as ts
print(ts.evaluate({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR")[0]["RR"], ts.__version__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy of the sources, so that nothing is left beside them."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "touchstone_command.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("requirements.txt", "requirements-cluster.txt", "requirements-umap.txt"):
        shutil.copy(ROOT / name, folder)
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder), str(folder))
    return next(folder.glob("touchstone-*.whl"))


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def installed(wheel: Path, folder: Path) -> Path:
    """A virtual environment that has the wheel and nothing else. Modules are compiled when they are imported, for of
    most that never happens here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip("--python", str(folder / "bin/python"), "install", "--no-deps", "--no-index", "--no-compile", str(wheel))
    return folder


def packages_of(environment: Path) -> Path:
    return next(environment.glob("lib/python*/site-packages"))


def ran(environment: Path, home: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """In an empty folder, as a person without settings."""
    home.mkdir(exist_ok=True)
    variables = {"HOME": str(home), "PATH": os.environ["PATH"]}
    program, *arguments = command
    path = [str(environment / "bin" / program), *arguments]
    return subprocess.run(path, cwd=home, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def light(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    environment = installed(wheel, tmp_path_factory.mktemp("light"))
    for name in ("numpy", "numpy.libs", "scipy", "scipy.libs"):
        if (SITE / name).exists():
            (packages_of(environment) / name).symlink_to(SITE / name)
    return environment


@pytest.fixture(scope="module")
def whole(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    environment = installed(wheel, tmp_path_factory.mktemp("whole"))
    (packages_of(environment) / "app.pth").write_text(f"{SITE}\n")
    return environment


def test_the_wheel_holds_what_the_tree_holds(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        requirements = next(archive.read(name).decode() for name in packed if name.endswith("METADATA"))
    written = {file.relative_to(ROOT) for name in SOURCES for file in (ROOT / name).rglob("*") if file.is_file()}
    here = {file.as_posix() for file in written if "__pycache__" not in file.parts}
    here = {f"touchstone/{name}" if name.startswith(("templates/", "static/")) else name for name in here}
    assert here - packed == set()
    assert {name.partition("/")[0] for name in packed} <= {"annotation", "evaluation", "touchstone"} | {
        "touchstone_command.py",
        f"touchstone-{__version__}.dist-info",
    }
    named = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if re.match(r"\w", line)]
    assert re.findall(r'Requires-Dist: (\S+); extra == "app"', requirements) == named
    assert re.findall(r'Requires-Dist: (\S+); extra == "client"', requirements) == ["httpx>=0.28"]


def test_the_light_install_evaluates_without_the_app(light: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "x.run").write_text("1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n2 Q0 a 1 1 x\n")
    (tmp_path / "y.run").write_text("1 Q0 a 1 2 y\n2 Q0 b 1 1 y\n")
    files = [str(tmp_path / name) for name in ("qrels", "x.run", "y.run")]
    home = tmp_path / "home"
    done = ran(light, home, "touchstone", "evaluate", *files, "-m", "RR")
    assert (done.returncode, done.stdout) == (0, "run      RR\nx    0.7500\ny    0.5000\n"), done.stderr
    done = ran(light, home, "touchstone", "trec_eval", *files[:2], "-m", "recip_rank")
    assert (done.returncode, done.stdout.split()) == (0, ["recip_rank", "all", "0.7500"]), done.stderr
    done = ran(light, home, "touchstone", "compare", *files, "-m", "RR")
    assert (done.returncode, "means: x 0.7500, y 0.5000" in done.stdout) == (0, True), done.stderr
    assert ran(light, home, "python", "-c", PROGRAM).stdout.split() == ["0.5", __version__]
    for option, package in (("--device=cpu", "torch"), (f"--plot={tmp_path}", "matplotlib")):
        done = ran(light, home, "touchstone", "evaluate", *files, option)
        message = f"this option needs {package}: pip install '.[app]' in Touchstone's folder"
        assert (done.returncode, done.stderr.splitlines()[-1]) == (2, message)
    assert list(home.iterdir()) == []


def test_the_light_install_says_what_it_lacks(light: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a x\n")
    bad = ran(light, tmp_path, "touchstone", "evaluate", str(tmp_path / "qrels"), str(tmp_path / "none"))
    assert (bad.returncode, "qrels:1: " in bad.stderr, "Traceback" in bad.stderr) == (1, True, False)
    assert ran(light, tmp_path, "touchstone", "evaluate").returncode == 2
    for command in ("serve", "demo", "nothing"):
        done = ran(light, tmp_path, "touchstone", command)
        assert (done.returncode, "pip install '.[app]'" in done.stderr) == (2, True)
    for help_asked in (["touchstone"], ["touchstone", "help"]):
        assert ran(light, tmp_path, *help_asked).returncode == 0
    for asked in (["touchstone", "--version"], ["python", "-m", "touchstone", "--version"]):
        assert ran(light, tmp_path, *asked).stdout == f"touchstone {__version__}\n"


def test_the_client_needs_httpx_and_nothing_of_the_app(light: Path, wheel: Path, tmp_path: Path) -> None:
    lacking = ran(light, tmp_path, "python", "-c", "import touchstone.client")
    message = "ModuleNotFoundError: touchstone.client needs httpx: pip install '.[client]' in Touchstone's folder"
    assert (lacking.returncode, lacking.stderr.splitlines()[-1]) == (1, message)
    environment = installed(wheel, tmp_path / "client")
    for name in HTTPX:
        (packages_of(environment) / name).symlink_to(SITE / name)
    done = ran(environment, tmp_path, "python", "-c", WITH_HTTPX)
    assert done.stdout == "bees\n", done.stderr


def test_the_app_runs_demo_judgment_and_server(whole: Path, tmp_path: Path, made_demo: MadeDemo) -> None:
    """Its plan is to make all tables; they come from elsewhere, and so do the demo's rows and files, which the sources
    have made: that takes longer than all else here."""
    code = sorted(file for file in packages_of(whole).rglob("*") if "__pycache__" not in file.parts)
    kept = tmp_path / ".local/share/touchstone"
    done = ran(whole, tmp_path, "touchstone", "migrate", "--plan")
    assert (done.returncode, "Create model Judgment" in done.stdout) == (0, True), done.stderr
    made_demo.copy_database(kept / "touchstone.sqlite3")
    made_demo.copy_files(kept / "files")
    done = ran(whole, tmp_path, "touchstone", "demo")
    assert done.returncode == 0, done.stderr
    assert "/sign-in/" in done.stdout
    assert " level=" not in done.stderr  # the log of what is done is for services
    assert served(whole, tmp_path) == (200, "text/css")
    judged = ran(whole, tmp_path, "touchstone", "shell", "--no-imports", "-c", JUDGE)
    assert judged.stdout == "(3,)\n", judged.stderr
    assert {"touchstone.sqlite3", "secret_key", "files", "static"} <= {entry.name for entry in kept.iterdir()}
    assert sorted(file for file in packages_of(whole).rglob("*") if "__pycache__" not in file.parts) == code


def served(environment: Path, home: Path) -> tuple[int, str]:
    """Status and kind of a style sheet that the page of the sign-in names."""
    port = free_port()
    command = [str(environment / "bin/touchstone"), "serve", "--port", str(port), "--without-worker"]
    variables = {"HOME": str(home), "PATH": os.environ["PATH"]}
    server = subprocess.Popen(command, cwd=home, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        page = patient(f"http://127.0.0.1:{port}/login")
        sheet = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert sheet, page
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{sheet[1]}") as answer:
            return answer.status, answer.headers.get_content_type()
    finally:
        server.terminate()
        server.wait(30)


def patient(address: str) -> str:
    """The page, as soon as the server has started."""
    deadline = time.monotonic() + START_LIMIT
    while True:
        try:
            with urllib.request.urlopen(address) as answer:  # noqa: S310 -- ours, on loopback
                return str(answer.read().decode())
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
