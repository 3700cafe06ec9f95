"""docs/tour.md as a newcomer walks it: each of its commands in a shell, as it stands there, beside the demo."""

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

from django.conf import settings
from django.test import Client

from tests.live import ROOT, database_url

TOUR = ROOT / "docs/tour.md"
WALK = "## From a run file to a claim, in ten minutes"


def walk_tour(folder: Path, researcher: Client) -> None:
    """From the demo to the claim; what each step prints is what the page says, and so do the pages of the app."""
    text = TOUR.read_text("utf-8").partition(WALK)[2].partition("\n## ")[0]
    files, look, compare, many, report = _fenced(text, "sh")
    (means,), quoted = _fenced(text, "text"), _quoted(text)
    _typed(files, folder)
    assert means in _typed(look, folder)
    compared = _words(_typed(compare, folder))
    assert quoted in compared
    assert "needs 107 topics" in compared
    assert "107 topics" in text
    assert "cannot be told apart from 1 other: bm25." in _words(_typed(many, folder))
    _typed(report, folder)
    _check_claim(folder, quoted)
    _check_pages(researcher, means, quoted)


def _fenced(text: str, language: str) -> list[str]:
    return [
        textwrap.dedent(block) for block in re.findall(rf"```{language}\n(.+?)^ *```", text, re.DOTALL | re.MULTILINE)
    ]


def _quoted(text: str) -> str:
    return _words(" ".join(re.findall(r"^ *> (.+)$", text, re.MULTILINE)))


def _words(text: str) -> str:
    return " ".join(text.split())


def _typed(lines: str, folder: Path) -> str:
    """In a shell where `touchstone` is this checkout's, on the database of the test."""
    program = shlex.join([sys.executable, str(ROOT / "manage.py")])
    places = {"DATABASE_URL": database_url(), "TOUCHSTONE_FILES": str(settings.TOUCHSTONE_FILES)}
    done = subprocess.run(
        ["bash", "-e", "-c", f'touchstone() {{ {program} "$@"; }}\n{lines}'],
        cwd=folder,
        env={**os.environ, **places, "TOUCHSTONE_VAR": str(folder / "var")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{lines}\n{done.stdout}{done.stderr}"
    return done.stdout


def _check_claim(folder: Path, quoted: str) -> None:
    """The files that the page names; whoever runs the command at the end of the report gets the same."""
    claim = folder / "claim"
    page = (claim / "report.html").read_text("utf-8")
    assert quoted in _words(re.sub("<[^>]+>", " ", page)).replace("&#x27;", "'")
    command = json.loads((claim / "manifest.json").read_text("utf-8"))["command"]
    assert command[0] == "touchstone"
    _typed(f"cd claim; touchstone {shlex.join(command[1:])}", folder)
    for name in ("report.html", "tables/comparison.tex", "plots/topics_nDCG@10.png"):
        assert (claim / "again" / name).read_bytes() == (claim / name).read_bytes(), name


def _check_pages(researcher: Client, means: str, quoted: str) -> None:
    board = researcher.get("/c/almanac/leaderboard/").context["board"]
    seen = {row.tag: [f"{row.cells[name].mean:.4f}" for name in ("nDCG@10", "AP")] for row in board.rows}
    for tag, *figures in map(str.split, means.splitlines()[1:]):
        assert seen[tag] == figures
    asked = {"first": "latent", "second": "dirichlet", "measure": "nDCG@10", "minimum": "0.05"}
    page = researcher.get("/c/almanac/leaderboard/compare", asked)
    assert quoted in " ".join(page.context["conclusion"])
    assert "manage.py compare" in page.text
