"""Deleting a run and imported qrels from their pages, by keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Collection, Snapshot
from evaluation.models import Evaluation, Run
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.browser.watcher import Watcher
from tests.factories import make_collection, make_run, make_snapshot, make_user
from tests.live import Server

pytestmark = pytest.mark.browser


def look(page: Page, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    shoot(page, f"{name}-390")
    assert (barriers(page), overflow(page) <= 0) == ([], True)
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    shoot(page, f"{name}-1280")
    assert barriers(page) == []


def test_what_nothing_rests_on_goes_by_keyboard(transactional_db: None, server: Server, open_context: Opener) -> None:
    admin = make_user("lead")
    collection = make_collection("bees", admin=admin)
    run, snapshot = make_run(collection, "1 Q0 d 1 9 bm25\n"), make_snapshot(collection, "1 0 d 1\n")
    page = open_context(admin).new_page()
    for name, row, noun in (("run", run.tag, "run"), ("snapshot", snapshot.pk, "snapshot")):
        page.goto(reverse(name, args=["bees", row]))
        page.locator("summary", has_text=f"Delete this {noun}").press("Enter")
        look(page, f"delete-{noun}")
        page.get_by_role("button", name="Delete", exact=True).press("Enter")
        expect(page.get_by_text("is deleted.")).to_be_visible()
    assert [Run.objects.count(), Snapshot.objects.count()] == [0, 0]


def test_a_collection_goes_once_its_name_is_written(
    transactional_db: None, server: Server, open_context: Opener, watcher: Watcher
) -> None:
    admin = make_user("lead")
    collection = make_collection("bees", admin=admin)
    page = open_context(admin).new_page()
    watcher.expect("status of 422")
    page.goto(reverse("collection_edit", args=["bees"]))
    look(page, "collection-edit")
    page.get_by_role("link", name="Delete the collection").press("Enter")
    page.get_by_label("Name of the collection").fill("Something else")
    page.keyboard.press("Enter")
    expect(page.get_by_text("not the name")).to_be_visible()
    look(page, "delete-collection")
    page.get_by_label("Name of the collection").fill(collection.name)
    page.keyboard.press("Enter")
    expect(page.get_by_text("is deleted.")).to_be_visible()
    assert not Collection.objects.filter(slug="bees").exists()


def test_what_is_evaluated_says_why_it_stays(transactional_db: None, server: Server, open_context: Opener) -> None:
    admin = make_user("lead")
    collection = make_collection("bees", admin=admin)
    run, snapshot = make_run(collection, "1 Q0 d 1 9 bm25\n"), make_snapshot(collection, "1 0 d 1\n")
    Evaluation.objects.create(
        snapshot=snapshot,
        run=run,
        measures=[],
        averaging="complete",
        means={},
        n_topics=1,
        sha256="0" * 64,
    )
    page = open_context(admin).new_page()
    for name, row in (("run", run.tag), ("snapshot", snapshot.pk)):
        page.goto(reverse(name, args=["bees", row]))
        expect(page.get_by_text("cannot be deleted")).to_be_visible()
        look(page, f"keep-{name}")
