"""What somebody does who sees the pages for the first time, from the empty database, and how much of it there is.

What each walk took before, docs/design-language.md says. With TOUCHSTONE_SHOTS=folder every stop is photographed.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django import Settings

from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Batch, Collection, PauseEvent, Role, Rule, Slot, Snapshot
from annotation.people.steps.information import revise_information
from tests.annotation.qualified import make_round
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of
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

    def open(self, name: str) -> None:
        self._count()
        self.page.locator("summary", has_text=name).first.click()

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
        for person, grade in zip(people, (2, 2, 0), strict=True):
            make_judgment(item, person, grade)
    for item in items[:12]:
        make_gold(item, 2)
    Slot.objects.update(state=Slot.State.JUDGED)
    recount_blocks(batch)
    _pause(page, people[2])
    _freeze(page)
    _read(open_context, birds)


def _pause(page: Page, bad: Annotator) -> None:
    """The one who is wrong on gold, with the reason that the rule gives."""
    page.goto("/")
    walk = Walk(page, "pause")
    expect(page.get_by_text(f"The rules would pause {bad.pseudonym}.").first).to_be_visible()
    walk.open("Pause …")
    assert barriers(page) == []
    walk.click("button", f"Pause {bad.pseudonym}")
    pause = PauseEvent.objects.get()
    assert (pause.annotator, pause.rule, walk.n) == (bad, Rule.STOP, 2)
    assert "critical errors" in pause.reason


def _freeze(page: Page) -> None:
    page.goto("/")
    walk = Walk(page, "freeze")
    walk.click("link", "Close and freeze …")
    expect(page.get_by_text("Freezing keeps the grades of 24 pairs and drops 0")).to_be_visible()
    assert barriers(page) == []
    walk.click("button", "Close and freeze")
    walk.work()
    assert (Snapshot.objects.get().name, Batch.objects.get().state, walk.n) == ("Round 1", Batch.State.CLOSED, 2)


def _read(open_context: Opener, birds: Collection) -> None:
    """The quality of a snapshot, for a researcher."""
    reader = make_user("researcher")
    make_member(birds, reader, Role.RESEARCHER)
    page = open_context(reader).new_page()
    page.goto("/")
    walk = Walk(page, "read")
    frozen = Snapshot.objects.get()
    expect(page.get_by_text(f"{frozen.n_pairs} pairs kept and {frozen.n_dropped} dropped")).to_be_visible()
    assert barriers(page) == []
    walk.click("link", "Round 1")
    assert page.get_by_role("heading", name="Round 1").is_visible()
    assert (barriers(page), walk.n) == ([], 1)


def test_an_annotator_trains_judges_and_finishes(transactional_db: None, open_context: Opener) -> None:
    """Besides the answers and grades, the way through: a text to agree to, two pairs of training, two cards."""
    batch = make_reading(n_documents=2)
    text = revise_information(batch.collection, text="# What is kept\n\nYour grades.", based_on=0, actor=None)
    Batch.objects.update(qualification=make_round(batch.collection, accepted=[[0], [0]]), information=text)
    page = open_context(user_of(batch)).new_page()
    page.goto("/")
    walk = Walk(page, "judge")
    walk.click("button", "Start training")
    walk.click("button", "I have read it and agree")
    for role, after in (("link", "Next pair"), ("button", "Start judging")):
        page.locator('#grades button[value="0"]').click()
        walk.click(role, after)
    desk = Desk(page, batch)
    for _ in range(2):
        desk.grade(1)
    expect(page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_visible()
    assert walk.n == 4


def _file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path
