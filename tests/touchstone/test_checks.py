"""Unsafe settings are refused by every door; safe ones leave `check --deploy` silent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from pytest_django import Settings

from annotation.kernel.commands.base import SAFETY
from touchstone.checks import refuse_unsafe

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {"TOUCHSTONE_ALLOWED_HOSTS": "judge.example.org", "TOUCHSTONE_HTTPS": "on", "TOUCHSTONE_PROXIES": "1"}


def started(tmp_path: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith(("TOUCHSTONE_", "DATABASE_URL"))
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**outside, "TOUCHSTONE_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "touchstone.settings", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def check_ids(**options: bool) -> list[str]:
    return [str(each.id) for each in run_checks(tags=[SAFETY], include_deployment_checks=options.get("deploy", False))]


def test_production_is_clean(tmp_path: Path) -> None:
    done = started(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "DEBUG", **PRODUCTION)
    assert (done.returncode, done.stdout, done.stderr) == (0, "System check identified no issues (2 silenced).\n", "")


def test_the_smallest_installation_is_safe_enough_to_start(tmp_path: Path) -> None:
    done = started(tmp_path, "-c", "import touchstone.wsgi")
    assert (done.returncode, "touchstone." in done.stderr) == (0, False)


@pytest.mark.parametrize(
    ("changed", "ids"),
    [
        ({}, []),
        ({"DEBUG": True}, []),
        ({"DEBUG": True, "TOUCHSTONE_HTTPS": True}, ["touchstone.E001"]),
        ({"DEBUG": True, "ALLOWED_HOSTS": ["localhost", ".example.org"]}, ["touchstone.E001"]),
        ({"SECRET_KEY": "x7" * 24 + "y"}, ["touchstone.E002"]),
        ({"SECRET_KEY": "abcd" * 20}, ["touchstone.E002"]),
        ({"SECRET_KEY": "django-insecure-" + "abcdefgh" * 8}, ["touchstone.E002"]),
        ({"SECRET_KEY": "abcde" * 10}, []),
        ({"ALLOWED_HOSTS": ["*"]}, ["touchstone.E003"]),
        ({"ALLOWED_HOSTS": []}, ["touchstone.E003"]),
        ({"TOUCHSTONE_PROXIES": -1}, ["touchstone.E004"]),
        ({"TOUCHSTONE_PROXIES": 1}, ["touchstone.E005"]),
        ({"TOUCHSTONE_PROXIES": 1, "TOUCHSTONE_HTTPS": True}, []),
        ({"TOUCHSTONE_UPLOAD_LIMIT": 0}, ["touchstone.E006"]),
        ({"TOUCHSTONE_ADDRESS": "https://judge.example.org:8443"}, []),
        ({"TOUCHSTONE_ADDRESS": "judge.example.org"}, ["touchstone.E011"]),
        ({"TOUCHSTONE_ADDRESS": "https://"}, ["touchstone.E011"]),
        ({"TOUCHSTONE_ADDRESS": "https://judge.example.org/app"}, ["touchstone.E011"]),
        ({"TOUCHSTONE_ADDRESS": "https://judge.example.org:x"}, ["touchstone.E011"]),
    ],
)
def test_what_is_unsafe_is_named(settings: Settings, changed: dict[str, object], ids: list[str]) -> None:
    for name, value in {"ALLOWED_HOSTS": ["localhost"], **changed}.items():
        setattr(settings, name, value)
    assert check_ids() == ids


@pytest.mark.parametrize(
    ("place", "mode", "ids"),
    [
        ("files", 0o777, ["touchstone.E007"]),
        ("files", 0o1777, ["touchstone.E007"]),
        ("files", 0o775, []),
        ("secret_key", 0o640, ["touchstone.E008"]),
        ("secret_key", 0o600, []),
        (".", 0o757, ["touchstone.E007"]),
    ],
)
def test_who_else_may_write_or_read(settings: Settings, tmp_path: Path, place: str, mode: int, ids: list[str]) -> None:
    settings.TOUCHSTONE_VAR, settings.TOUCHSTONE_FILES = tmp_path, tmp_path / "files"
    (tmp_path / "files").mkdir(mode=0o750)
    (tmp_path / "secret_key").touch(mode=0o600)
    (tmp_path / place).chmod(mode)
    assert check_ids() == ids


@pytest.mark.both("sql")
def test_object_storage_needs_its_address_and_a_database_that_all_reach(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    of_one_machine = ["touchstone.E010"] if connection.vendor == "sqlite" else []
    whole = {"name": "files", "endpoint": "https://s3.example.org", "region": "x", "key_id": "key", "secret": "secret"}
    settings.TOUCHSTONE_S3 = whole
    assert check_ids() == of_one_machine
    for name, value in (("endpoint", "s3.example.org"), ("key_id", ""), ("secret", "")):
        settings.TOUCHSTONE_S3 = {**whole, name: value}
        assert check_ids() == ["touchstone.E009", *of_one_machine]


def test_passwords_in_clear_are_warned_of_before_a_deployment(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["judge.example.org"]
    assert (check_ids(), check_ids(deploy=True)) == ([], ["touchstone.W001"])
    settings.TOUCHSTONE_HTTPS = True
    assert check_ids(deploy=True) == []


def test_every_finding_says_what_to_do(settings: Settings) -> None:
    settings.DEBUG, settings.ALLOWED_HOSTS, settings.SECRET_KEY = True, ["*"], "short"
    settings.TOUCHSTONE_PROXIES, settings.TOUCHSTONE_UPLOAD_LIMIT = 1, -1
    with pytest.raises(ImproperlyConfigured) as refused:
        refuse_unsafe()
    lines = str(refused.value).splitlines()
    assert [line.partition(":")[0] for line in lines] == [f"touchstone.E00{n}" for n in (1, 2, 3, 5, 6)]
    assert all(line.count(". ") == 1 and line.endswith(".") for line in lines)
    assert "short" not in str(refused.value).replace("shortest", "")


@pytest.mark.parametrize(
    "door", [["-c", "import touchstone.wsgi"], ["manage.py", "serve"], ["manage.py", "worker", "--once"]]
)
def test_nothing_starts_with_unsafe_settings(tmp_path: Path, door: list[str]) -> None:
    done = started(tmp_path, *door, TOUCHSTONE_ALLOWED_HOSTS="*")
    assert done.returncode == 1
    assert "touchstone.E003" in done.stderr
    assert "Let TOUCHSTONE_ALLOWED_HOSTS list the names" in done.stderr
