"""The health of a batch in a browser: it looks again by itself, and what somebody does with it survives that."""

import pytest
from playwright.sync_api import Page, Request, expect

from annotation.batches.steps.batches import close_batch
from annotation.health.steps import state_cost
from annotation.models import Batch, Judgment
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.browser.conftest import Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.live import Server

pytestmark = pytest.mark.browser

A_WHILE = 21_000  # ms, more than a page waits before it looks again


def started() -> tuple[People, Worked, str]:
    people = make_people()
    worked = make_worked(people.collection)
    Batch.objects.update(gold_share=0)
    for n, judgment in enumerate(Judgment.objects.order_by("pk")):
        at = judgment.created_at.replace(hour=0, minute=n % 60)
        Judgment.objects.filter(pk=judgment.pk).update(created_at=at)
    return people, worked, f"/c/bees/batches/{worked.batch.token}/health"


def looks_of(page: Page) -> list[str]:
    """Every time the page has looked again, by itself or by hand."""
    seen: list[str] = []

    def note(request: Request) -> None:
        if "mark=" in request.url:
            seen.append(request.url)

    page.on("request", note)
    return seen


def judge_one_more(people: People, worked: Worked, docno: str = "d5", name: str = "Amber") -> None:
    """A judgment, and a deed on record, so that the server does not wait until it computes anew."""
    worked.judge(docno, name, 1)
    state_cost(worked.batch, cost=None if worked.batch.cost_per_judgment else 1, actor=people.admin)  # type: ignore[arg-type]


def test_it_looks_again_and_leaves_everything_as_it_was(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people, worked, address = started()
    page = open_context(people.admin).new_page()
    page.clock.install()
    page.goto(address)
    shoot(page, "health-1280")
    assert barriers(page) == []
    expect(page.locator("#health")).to_contain_text("67 of 117 judgments expected")
    target = page.get_by_role("link", name="Thresholds of alerts").bounding_box()
    assert target
    assert target["height"] >= 24
    page.locator("#topics-fold > summary").press("Enter")
    for name, region in {"people": "people-listing", "topics": "listing"}.items():
        # what explains a table stays in sight, however wide the table is
        box = page.locator(f"#{name}-said").bounding_box()
        assert box
        assert box["x"] + box["width"] <= 1280
        expect(page.locator(f"#{region} table")).to_have_attribute("aria-describedby", f"{name}-said")
    page.locator("#days > summary").press("Enter")
    page.locator("#people-csv").focus()
    page.set_viewport_size({"width": 700, "height": 500})
    page.locator("#people-listing").evaluate("each => each.scrollTo(60, 0)")
    top = page.evaluate("scrollY")
    judge_one_more(people, worked)
    page.clock.fast_forward(A_WHILE)
    expect(page.locator("#health")).to_contain_text("68 of 118 judgments expected")
    expect(page.locator("#people-csv")).to_be_focused()
    expect(page.locator("#days")).to_have_attribute("open", "")
    assert page.locator("#people-listing").evaluate("each => each.scrollLeft") == 60
    assert page.evaluate("scrollY") == top


def test_it_waits_while_something_is_entered_and_goes_on_once_that_is_gone(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people, _, address = started()
    page = open_context(people.admin).new_page()
    page.clock.install()
    page.goto(address)
    page.locator("#topics-fold > summary").press("Enter")
    seen = looks_of(page)
    for field, usual, other in (("#listing-q", "", "wings"), ("#people-only-part", "", "False")):
        enter = page.locator(field).fill if field == "#listing-q" else page.locator(field).select_option
        enter(other)
        page.clock.fast_forward(A_WHILE)
        page.clock.run_for(2000)
        assert seen == []
        enter(usual)
        with page.expect_response(lambda answer: "mark=" in answer.url):
            page.clock.fast_forward(A_WHILE)
        seen.clear()


FOCUSED = {  # and what is judged then, by whom
    "#people-listing a[href$='/Cedar/']": ("d5", "Amber"),
    "#people-show": ("d5", "Birch"),
    "#people-show-columns": ("d4", "Birch"),
    "#people-columns label:nth-of-type(3) input": ("G15", "Amber"),
}


def test_the_focus_stays_where_it_was(transactional_db: None, server: Server, open_context: Opener) -> None:
    people, worked, address = started()
    page = open_context(people.admin).new_page()
    page.clock.install()
    page.goto(address)
    page.locator("#people-columns > summary").press("Enter")
    for n, (focused, pair) in enumerate(FOCUSED.items(), start=68):
        page.locator(focused).focus()
        judge_one_more(people, worked, *pair)
        page.clock.fast_forward(A_WHILE)
        expect(page.locator("#health")).to_contain_text(f"{n} of {n + 50} judgments expected")
        expect(page.locator(focused)).to_be_focused()


def test_it_does_not_look_while_nobody_sees_it_nor_once_the_batch_is_closed(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people, worked, address = started()
    page = open_context(people.admin).new_page()
    page.clock.install()
    page.goto(address)
    seen = looks_of(page)
    see = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }) }"
    page.evaluate(see, arg=True)
    page.clock.fast_forward(A_WHILE)
    assert seen == []
    page.evaluate(see, arg=False)
    with page.expect_response(lambda answer: "mark=" in answer.url) as answer:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert answer.value.status == 204
    close_batch(worked.batch, actor=people.admin)
    page.clock.fast_forward(A_WHILE)
    expect(page.locator("#health")).to_contain_text("Nothing changes here any more")
    n_looks = len(seen)
    page.clock.fast_forward(A_WHILE)
    page.clock.run_for(2000)
    assert len(seen) == n_looks == 2


def test_an_alert_is_set_aside_by_keyboard_on_a_phone(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people, _, address = started()
    page = open_context(people.admin, width=390, dark=True).new_page()
    page.goto("/c/bees/")
    expect(page.locator(".task", has_text="1 alert: wrong on gold.")).to_be_visible()
    assert overflow(page) <= 0
    assert barriers(page) == []
    page.goto(address)
    shoot(page, "health-390")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.get_by_role("link", name="Wrong on gold Cedar").press("Enter")
    expect(page.get_by_role("heading", name="Dismiss the alert", level=1)).to_be_visible()
    shoot(page, "batch-alert-390")
    assert barriers(page) == []
    page.get_by_role("textbox", name="Note").fill("Spoke to her.")
    page.get_by_role("button", name="Dismiss").press("Enter")
    expect(page.locator("#alerts")).to_contain_text("1 alert is dismissed")
    page.locator("#aside > summary").press("Enter")
    expect(page.locator("#aside")).to_contain_text("Spoke to her.")
    assert barriers(page) == []


def test_without_script_a_link_leads_to_the_alerts(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    people, _, _ = started()
    page = open_context(people.admin, script=False).new_page()
    page.goto("/c/bees/")
    page.get_by_role("link", name="Show the figures as of now").click()
    page.locator(".task", has_text="1 alert: wrong on gold.").get_by_role("link", name="Look into it").click()
    expect(page.get_by_role("listitem").filter(has_text="Cedar").last).to_contain_text("Right on 6 of 12")
