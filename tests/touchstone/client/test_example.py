"""docs/examples/from_nothing.py as a stranger runs it: against a server and a worker, in an empty folder."""

import re
import runpy
from collections.abc import Generator
from pathlib import Path

import pytest
from django.test import Client

from annotation.kernel.api_tokens import make_api_token
from annotation.models import Judgment
from tests.factories import make_user
from tests.live import Server
from tests.soak.processes import Worker

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.alike("the journey by programs takes its steps there"),
]

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs/examples/from_nothing.py"
PASSWORD = "mountain-ridge-77"
QRELS = "1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n2 0 d1 0\n2 0 d2 1\n2 0 d3 0\n"  # by hand: which text has its topic's sign


@pytest.fixture
def server(tmp_path: Path) -> Generator[Server, None, None]:
    server = Server(tmp_path / "var")
    server.start()
    worker = Worker(tmp_path / "var")
    yield server
    worker.stop()
    server.stop()


def test_from_nothing_to_qrels(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lead = make_user("lead", may_create_collections=True)
    token = make_api_token(lead, name="example", scope="admin")
    names = iter(("ada", "grace"))

    def join(_: str) -> str:
        """Somebody new opens the link, makes an account and then a token."""
        (link,) = re.findall(rf"To join: {server.url}(/\S+)", capsys.readouterr().out)
        browser = Client()
        account = {"username": next(names), "password1": PASSWORD, "password2": PASSWORD}
        assert browser.post(link, account).status_code == 302
        return str(browser.post("/tokens", {"name": "example", "scope": "judge"}).context["secret"])

    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    monkeypatch.setattr("builtins.input", join)
    runpy.run_path(str(EXAMPLE))["main"](server.url, token)
    assert {file.name: file.read_text() for file in Path().iterdir()} == {"bees.qrels": QRELS}
    assert capsys.readouterr().out.startswith("Refusals: []\n")
    assert Judgment.objects.count() == 12


def test_the_example_is_short() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 65
