"""A batch whose pairs get as many judgments as they need, in a browser: drafted by keyboard, its dry run, its page."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, Item
from tests.annotation.batches.steps.overlap_work import make_steered
from tests.annotation.batches.steps.test_overlap import judged_apart
from tests.annotation.campaign import make_campaign
from tests.annotation.roles import make_people
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.browser.watcher import Watcher
from tests.live import Server

pytestmark = pytest.mark.browser


def look(page: Page, name: str) -> None:
    """Wide, then narrow: accessible, and no wider than the window."""
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.evaluate("document.getElementById('overlap').scrollIntoView()")
        shoot(page, f"{name}-{width}")
        assert overflow(page) <= 0
    assert barriers(page) == []
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})


def test_it_is_drafted_tried_out_and_followed(
    transactional_db: None, server: Server, open_context: Opener, watcher: Watcher
) -> None:
    watcher.expect("422 (Unprocessable Entity)")
    people = make_people()
    steered = make_steered(people.collection)
    make_campaign(people.collection, n_topics=2)
    page = open_context(people.admin).new_page()
    page.goto("/c/bees/batches/new")
    page.get_by_label("Name", exact=True).fill("in doubt")
    page.get_by_label("Pool", exact=True).select_option("pool")
    for name in ("A-1", "A-2", "A-3", "A-4"):
        page.get_by_label(f"{name} (").check()
    page.get_by_text("More judgments where a grade is in doubt").first.click()
    expect(page.get_by_label("Judgments per pair, at most")).to_be_hidden()
    page.get_by_label("More judgments where a grade is in doubt").select_option("steering v1")
    page.get_by_label("Judgments per pair, at most").press("Enter")
    refusal = page.get_by_text("Say how many or how sure, where a policy asks for more.")
    expect(refusal).to_be_visible()
    assert barriers(page) == []
    shoot(page, "overlap-refused-1280")
    page.get_by_label("Judgments per pair, at most").fill("6")
    page.get_by_role("button", name="Go on to the dry run").press("Enter")
    expect(page.get_by_role("heading", name="More judgments where a grade is in doubt")).to_be_visible()
    assert Batch.objects.get(name="in doubt").most_judgments == 6
    look(page, "overlap-dry-run")

    Item.objects.filter(pk=judged_apart(steered)[2].pk).update(withheld=True)
    steered.look()
    page.goto(f"/c/bees/batches/{steered.batch.token}/")
    expect(page.get_by_role("region", name="More judgments where a grade is in doubt")).to_contain_text("Sure enough")
    expect(page.get_by_text("1 withheld pair is not among them")).to_be_visible()
    expect(page.get_by_text("With 3, 4 or 5 judgments nothing counts as sure")).to_be_visible()
    look(page, "overlap-batch")


def test_the_form_says_what_it_would_come_to_and_finds_people(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=2)
    page = open_context(people.admin).new_page()
    page.goto("/c/bees/batches/new")
    page.get_by_label("Find by name").fill("a-3")
    expect(page.get_by_label("A-1 (")).to_be_hidden()
    page.get_by_label("A-3 (").check()
    estimate = page.get_by_role("region", name="Estimate")
    expect(estimate).to_contain_text("3 judgments per pair need as many people who get cards; chosen: 1 person.")
    page.get_by_role("button", name="Crowd").click()
    expect(page.get_by_label("Repeats (%)")).to_have_value("2")
    expect(estimate).to_contain_text("5 judgments per pair")
    expect(page.get_by_label("A-3 (")).to_be_checked()
    page.get_by_label("Judgments per pair", exact=True).fill("1")
    expect(estimate).not_to_contain_text("need as many people")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        assert overflow(page) <= 0
        assert barriers(page) == []
        shoot(page, f"batch-form-{width}")


def test_what_it_would_come_to_follows_the_choice_of_all_people_and_of_none(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people = make_people()
    make_campaign(people.collection, n_topics=2, n_people=9)
    page = open_context(people.admin).new_page()
    page.goto("/c/bees/batches/new")
    page.get_by_label("A-3 (").check()
    estimate = page.get_by_role("region", name="Estimate")
    expect(estimate).to_contain_text("chosen: 1 person.")
    page.get_by_role("button", name="All ").click()
    expect(estimate).not_to_contain_text("need as many people")
    page.get_by_role("button", name="None").click()
    expect(estimate).to_contain_text("chosen: none.")
