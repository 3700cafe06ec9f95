"""The walk of docs/commands.md, from nothing to an open batch, line by line."""

import json
import re
import shlex
from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Batch, Slot
from tests.commands import ran

pytestmark = pytest.mark.django_db
COMMANDS = Path(__file__).resolve().parents[2] / "docs/commands.md"
PASSWORD = "a long enough pass phrase"
GRADES = [{"name": "Not relevant"}, {"name": "Relevant", "definition": "It answers the topic."}]
DOCNOS = [f"d{n}" for n in range(30)]
FILES = {
    "grades.json": json.dumps(GRADES),
    "guideline.md": "Read the topic first.",
    "consent.md": "We keep your grades.",
    "topics.tsv": "1\tbees\n2\thoney\n",
    "corpus.jsonl.gz": "".join(f'{{"docno": "{docno}", "text": "Of bees."}}\n' for docno in DOCNOS),
    "bm25.run": "".join(f"{t} Q0 {d} {n} {99 - n} bm25\n" for t in "12" for n, d in enumerate(DOCNOS)),
    "dense.run": "".join(f"{t} Q0 {d} {n} {99 - n} dense\n" for t in "12" for n, d in enumerate(DOCNOS[::-1])),
}


def lines() -> list[list[str]]:
    block = re.search(r"## From nothing to an open batch\n\n```\n(.+?)```", COMMANDS.read_text("utf-8"), re.DOTALL)
    assert block
    return [shlex.split(line.removeprefix("manage.py ")) for line in block[1].splitlines()]


def join(links: list[str]) -> None:
    """Three people come by the links that were printed."""
    for n, link in enumerate(links[:3]):
        path = re.sub(r"^https?://[^/]+", "", link)
        entered = {"username": f"person{n}", "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post(path, entered).status_code == 302


def test_every_line_does_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, "utf-8")
    for words in lines():
        ended = ran(*words)
        assert (ended.code, ended.err) == (0, ""), words
        if words[:2] == ["people", "invite"]:
            join(ended.out.split())
    batch = Batch.objects.get()
    assert (batch.state, batch.participations.count(), batch.collection.slug) == ("open", 3, "bees")
    assert Slot.objects.filter(batch=batch).exists()
