"""Containerfile and compose file, which could not be run where they were written: what they start and set exists."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import load_command_class

from tests.test_docs import ROOT, settings_read

pytestmark = pytest.mark.pure
CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def test_what_is_started_exists_with_these_options() -> None:
    started = re.findall(r"touchstone (\w+)([^&\"]*)", CONTAINERFILE.rpartition("CMD")[2])
    started += [(COMPOSE["services"]["worker"]["command"][1], "")]
    assert [name for name, _ in started] == ["migrate", "serve", "worker"]
    for name, options in started:
        app = next((file.parts[-4] for file in ROOT.glob(f"*/management/commands/{name}.py")), "django.core")
        load_command_class(app, name).create_parser("touchstone", name).parse_args(shlex.split(options))


def test_services_are_set_by_settings_that_there_are() -> None:
    assert set(COMPOSE["services"]) == {"database", "web", "worker"}
    known = {name for file in (ROOT / "touchstone").glob("*.py") for name in settings_read(file.read_text("utf-8"))}
    for name in ("web", "worker"):
        assert set(COMPOSE["services"][name]["environment"]) - {"DATABASE_URL"} <= known
    assert COMPOSE["services"]["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_the_worker_waits_for_nothing_that_waits_for_a_worker() -> None:
    """`/readyz` is not ready where jobs wait and no worker is heard of, as after a night without either."""
    worker, web = COMPOSE["services"]["worker"], COMPOSE["services"]["web"]
    assert worker["depends_on"] == {"web": {"condition": "service_healthy"}}
    assert "/healthz" in web["healthcheck"]["test"][-1]


def test_which_torch_is_built_in_can_be_chosen() -> None:
    (argument,) = re.findall(r"^ARG (\w+)=", CONTAINERFILE, re.MULTILINE)
    assert COMPOSE["services"]["web"]["build"]["args"] == {argument: f"${{{argument}:-}}"}


def test_nothing_secret_stands_in_them() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    assert "${POSTGRES_PASSWORD:?" in text
    assert "SECRET_KEY=" not in text + CONTAINERFILE


def test_what_is_copied_is_what_the_build_needs() -> None:
    for name in (".containerignore", ".dockerignore"):
        left_out = set((ROOT / name).read_text("utf-8").split())
        assert {".git", "var", ".venv*"} <= left_out
        assert not left_out & {"annotation", "evaluation", "touchstone", "templates", "static", "README.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in Path(ROOT / "MANIFEST.in").read_text("utf-8").split()[1:])
