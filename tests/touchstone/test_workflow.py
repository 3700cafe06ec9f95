"""The workflow of GitHub and the checks before a commit, which could not be run where they were written."""

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.test_docs import ROOT

pytestmark = pytest.mark.pure
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8").replace("$(VENV)", ".venv").replace("$(BIN)", ".venv/bin")
HOOKS: dict[str, Any] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))


def test_what_it_runs_is_there() -> None:
    runs = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    targets = re.findall(r"^(\S[^:=]*):", MAKEFILE, re.MULTILINE)
    assert "bash .ci/run" in runs
    assert [each.split()[1] for each in runs if each.startswith("make ") and each.split()[1] not in targets] == []


def test_the_pure_part_runs_on_every_python_that_the_package_names() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    named = [each.rpartition(" ")[2] for each in classifiers if re.search(r"Python :: 3\.\d+$", each)]
    assert WORKFLOW["jobs"]["pure"]["strategy"]["matrix"]["python"] == named


def test_hooks_are_checks_of_make() -> None:
    hooks = [hook for repo in HOOKS["repos"] for hook in repo["hooks"]]
    programs = {" ".join(hook["entry"].split()[:2]) for hook in hooks}
    assert {program for program in programs if program not in MAKEFILE} == set()
