"""What somebody does who sees the pages for the first time, from the empty database, and how much of it there is.

What each walk took before, docs/design-language.md says. With TOUCHSTONE_SHOTS=folder every stop is photographed.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page
from pytest_django import Settings

from annotation.models import Batch, Collection, Role, Snapshot
from tests.browser.conftest import Opener
from tests.browser.looks import barriers, shoot
from tests.factories import make_annotator, make_gold, make_judgment, make_member, make_user

pytestmark = pytest.mark.browser
TOPICS = "1\tWhich birds sing at night\n2\tHow do owls hear\n"
TEXT = "The nightingale sings at night. Owls hear with both ears."


@dataclass
class Walk:
    """Counts what a person does: clicks, fields, files."""

    page: Page
    name: str
    n: int = 0

    def click(self, role: str, name: str) -> None:
        self._count()
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]
        self.page.wait_for_load_state()

    def fill(self, field: str, text: str) -> None:
        self._count()
        self.page.get_by_label(field, exact=True).first.fill(text)

    def choose(self, field: str, path: Path) -> None:
        self._count()
        self.page.get_by_label(field).set_input_files(path)

    def work(self) -> None:
        """The worker does what waits; the page is looked at again."""
        call_command("worker", "--once")
        self.page.reload()

    def _count(self) -> None:
        self.n += 1
        shoot(self.page, f"walk-{self.name}-{self.n:02}")


def test_from_nothing_to_an_open_batch_to_a_snapshot(
    transactional_db: None, open_context: Opener, tmp_path: Path, settings: Settings
) -> None:
    settings.TOUCHSTONE_APART = {}  # children of one process would draw the same tokens here
    lead = make_user("lead", may_create_collections=True)
    page = open_context(lead).new_page()
    page.goto("/")
    walk = Walk(page, "open")
    walk.click("link", "Create a collection")
    walk.fill("Name", "Birds")
    walk.click("button", "Create the collection")
    walk.choose("File of topics", _file(tmp_path, "topics.tsv", TOPICS))
    documents = "".join(json.dumps({"docno": f"d{n}", "text": f"{n}: {TEXT}"}) + "\n" for n in range(12))
    walk.choose("File of documents", _file(tmp_path, "documents.jsonl", documents))
    walk.click("button", "Upload what is chosen")
    walk.work()
    assert barriers(page) == []
    walk.click("button", "Make links")
    birds = Collection.objects.get()
    people = [make_annotator(birds, make_user(f"reader-{n}"), f"Reader-{n}") for n in range(3)]  # they come in
    page.go_back()
    page.reload()
    walk.n += 1  # the way back
    walk.click("button", "Make a pool by BM25")
    walk.work()
    walk.click("link", "New batch from this pool")
    page.locator("[name=everybody]").check()
    walk.n += 1
    walk.click("button", "Go on to the dry run")
    walk.click("button", "Lay out")
    walk.work()
    walk.click("button", "Open the batch")
    batch = Batch.objects.get()
    assert (batch.state, walk.n) == (Batch.State.OPEN, 14)

    items = list(batch.items.all())
    for item in items:
        for person in people:
            make_judgment(item, person, 2)
    for item in items[:12]:
        make_gold(item, 2)
    _freeze(page)
    _read(open_context, birds)


def _freeze(page: Page) -> None:
    page.goto("/")
    walk = Walk(page, "freeze")
    walk.click("link", "Birds")
    walk.click("link", "Round 1")
    page.locator("summary", has_text="Close").click()
    walk.n += 1
    walk.click("button", "Close the batch")
    walk.click("link", "Freeze a snapshot of it")
    walk.click("button", "Freeze")
    walk.work()
    assert (Snapshot.objects.get().name, walk.n) == ("Round 1", 6)


def _read(open_context: Opener, birds: Collection) -> None:
    """The quality of a snapshot, for a researcher."""
    reader = make_user("researcher")
    make_member(birds, reader, Role.RESEARCHER)
    page = open_context(reader).new_page()
    page.goto("/")
    walk = Walk(page, "read")
    walk.click("link", "Birds")
    walk.click("link", "Snapshots: 1")
    assert page.get_by_role("heading", name="Round 1").is_visible()
    assert (barriers(page), walk.n) == ([], 2)


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path
