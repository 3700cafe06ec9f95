"""The files in docs/deployment.md: what they start exists, with these options, under these settings."""

import re
import shlex
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.core.management.base import CommandError

from tests import pgbouncer
from tests.test_docs import ROOT, page, settings_read
from touchstone import checks, pools

pytestmark = pytest.mark.pure
PROGRAM = "/srv/touchstone/"


def files(kind: str) -> dict[str, str]:
    """The samples of a kind that begin with the path of a file, by that path."""
    samples = re.findall(rf"```{kind}\n# (/\S+)\n(.*?)```", page("deployment"), re.DOTALL)
    return dict(samples)


UNITS = {path: text for path, text in files("ini").items() if "/systemd/" in path}


def unit(text: str) -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # systemd's keys have capitals
    parser.read_string(text)
    return parser


def test_there_are_units_for_web_workers_and_backup() -> None:
    names = {Path(path).name for path in UNITS}
    assert names == {
        "touchstone-web.service",
        "touchstone-worker@.service",
        "touchstone-backup.service",
        "touchstone-backup.timer",
    }


@pytest.mark.parametrize("path", [path for path in UNITS if path.endswith(".service")])
def test_what_a_unit_starts_exists_with_these_options(path: str) -> None:
    line = unit(UNITS[path])["Service"]["ExecStart"]
    started = re.findall(r"manage\.py (\w+)([^&']*)", line)
    assert started
    for name, options in started:
        app = next(file.parts[-4] for file in ROOT.glob(f"*/management/commands/{name}.py"))
        parser = load_command_class(app, name).create_parser("manage.py", name)
        try:
            parser.parse_args(shlex.split(options))
        except CommandError as fault:
            pytest.fail(f"{path}: manage.py {name}{options}: {fault}")


def test_the_settings_file_names_settings() -> None:
    names = [line.partition("=")[0] for line in files("ini")["/etc/touchstone.env"].splitlines()]
    source = (ROOT / "touchstone/settings.py").read_text("utf-8")
    assert set(names) <= set(settings_read(source))
    assert len(names) >= 5


def test_every_refusal_has_its_row() -> None:
    source = Path(checks.__file__).read_text("utf-8")
    ids = set(re.findall(r"touchstone\.[EW]\d{3}", source))
    assert len(ids) >= 8
    assert {each for each in ids if f"`{each}`" not in page("deployment")} == set()


def test_nginx_sends_the_requests_of_judging_to_their_own_server() -> None:
    (place,) = re.findall(r"location ~ \^\((.*?)\) ", files("nginx")["/etc/nginx/snippets/touchstone-judging"])
    assert tuple(place.split("|")) == pools.JUDGING


def test_the_pooler_that_is_tried_is_set_as_the_page_says(tmp_path: Path) -> None:
    tried = pgbouncer.settings("postgres://touchstone@//run/ours/postgres", tmp_path)
    for line in ("pool_mode = transaction", "max_prepared_statements = 200", "ignore_startup_parameters = options"):
        assert line in page("deployment").splitlines()
        assert line in tried.splitlines()
    (database,) = (line for line in tried.splitlines() if line.startswith("touchstone = "))
    assert "host=/run/ours dbname=postgres" in database
    assert "connect_query='SET lock_timeout = 1500'" in database


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("no systemd-analyze on this machine")
    for path, text in UNITS.items():
        place = tmp_path / Path(path).name
        place.write_text(text.replace(f"{PROGRAM}.venv/bin/python", "/bin/true"))
    done = subprocess.run(
        [analyse, "verify", *sorted(map(str, tmp_path.iterdir()))], capture_output=True, text=True, check=False
    )
    ours = [line for line in done.stderr.splitlines() if "touchstone" in line]
    assert (done.returncode, ours) == (0, [])


@pytest.mark.parametrize("path", [path for path, text in UNITS.items() if "\nRestart=" in text])
def test_a_service_is_tried_again_however_long_the_database_is_away(path: str) -> None:
    assert unit(UNITS[path])["Unit"]["StartLimitIntervalSec"] == "0"


@pytest.mark.parametrize("path", [path for path in UNITS if path.endswith(".service")])
def test_a_service_may_do_little_beside_its_work(path: str, tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("no systemd-analyze on this machine")
    place = tmp_path / Path(path).name.replace("@", "@1")
    place.write_text(UNITS[path])
    asked = [analyse, "security", "--no-pager", "--offline=true", "--threshold=40", str(place)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-200:] + done.stderr
