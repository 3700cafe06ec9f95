"""What an installation gets from its environment, each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parent.parent.parent
PRINT_SETTINGS = """
import json, sys
from touchstone import settings
print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))
"""
OURS = ("TOUCHSTONE_", "DATABASE_URL")


def settings_under(tmp_path: Path, *names: str, **variables: str) -> dict[str, object]:
    """The settings of a fresh process that has only the given variables of ours."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_SETTINGS, *names],
        cwd=ROOT,
        env={**inherited, "TOUCHSTONE_VAR": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    values: dict[str, object] = json.loads(done.stdout)
    return values


def test_what_holds_without_any_variable(tmp_path: Path) -> None:
    values = settings_under(
        tmp_path, "DEBUG", "ALLOWED_HOSTS", "SECRET_KEY", "TOUCHSTONE_FILES", "SESSION_COOKIE_SECURE"
    )
    assert values == {
        "DEBUG": False,
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost"],
        "SECRET_KEY": (tmp_path / "secret_key").read_text().strip(),
        "TOUCHSTONE_FILES": str(tmp_path / "files"),
        "SESSION_COOKIE_SECURE": False,
    }


def test_the_default_database_is_a_file_with_durable_commits(tmp_path: Path) -> None:
    database = settings_under(tmp_path, "DATABASES")["DATABASES"]["default"]  # type: ignore[index]
    assert database["NAME"] == str(tmp_path / "touchstone.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous = FULL" in database["OPTIONS"]["init_command"]


def test_postgresql_over_a_socket(tmp_path: Path) -> None:
    values = settings_under(tmp_path, "DATABASES", DATABASE_URL="postgres://who@//run/postgresql/campaign")
    database = values["DATABASES"]["default"]  # type: ignore[index]
    assert (database["HOST"], database["USER"], database["NAME"]) == ("/run/postgresql", "who", "campaign")
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (60, True)


def test_https_behind_a_proxy(tmp_path: Path) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "CSRF_TRUSTED_ORIGINS")
    hosts = "judge.example.org,.example.com"
    variables = {"TOUCHSTONE_HTTPS": "on", "TOUCHSTONE_PROXIES": "1", "TOUCHSTONE_ALLOWED_HOSTS": hosts}
    assert settings_under(tmp_path, *names, "SECURE_PROXY_SSL_HEADER", **variables) == {
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 31536000,
        "CSRF_TRUSTED_ORIGINS": ["https://judge.example.org", "https://*.example.com"],
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
    }


def test_without_a_declared_proxy_nobodys_word_on_https_is_taken(tmp_path: Path) -> None:
    values = settings_under(tmp_path, "SECURE_PROXY_SSL_HEADER", TOUCHSTONE_HTTPS="on")
    assert values == {"SECURE_PROXY_SSL_HEADER": None}


def test_another_kind_of_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="must begin with sqlite:// or postgres://"):
        settings_under(tmp_path, "DEBUG", DATABASE_URL="mysql://who@host/name")


@pytest.mark.parametrize("path", sorted({*settings.TOUCHSTONE_JOBS.values(), *settings.TOUCHSTONE_IMPORTERS.values()}))
def test_what_settings_name_by_path_exists(path: str) -> None:
    assert callable(import_string(path))


def test_there_are_no_admin_pages() -> None:
    assert "django.contrib.admin" not in settings.INSTALLED_APPS


@pytest.mark.django_db
def test_sqlite_keeps_what_it_acknowledged() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL needs no pragma")
    pragmas = {}
    with connection.cursor() as cursor:
        for pragma in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys"):
            cursor.execute(f"PRAGMA {pragma}")
            pragmas[pragma] = cursor.fetchone()[0]
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 20000, "foreign_keys": 1}
