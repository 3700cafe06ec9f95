"""The last word on a pair in a browser: by keyboard alone, and on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Adjudication, AdjudicationReading, DocumentVersion, Item
from tests.annotation.worked_campaign import Worked, make_worked
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.factories import make_collection, make_user
from tests.live import Server, sign_in

pytestmark = pytest.mark.browser
TEXT = "Swifts feed, drink and sleep on the wing.\n\n" + "They land to nest and at no other time. " * 120
QUEUE = reverse("adjudication", args=["bees"])


@pytest.fixture
def worked(transactional_db: None, server: Server) -> Worked:
    lead = make_user("lead")
    worked = make_worked(make_collection("bees", admin=lead))
    worked.fill()
    for version in DocumentVersion.objects.filter(document__docno="d3"):
        DocumentVersion.objects.filter(pk=version.pk).update(title="Sleeping on the wing", text=TEXT)
    worked.judge("d3", "Amber", 0, comment="Says nothing of how we know", evidence_start=0, evidence_end=41)
    worked.judge("d3", "Birch", 2, active_ms=8000, evidence_start=43, evidence_end=82)
    return worked


def opened(worked: Worked, open_context: Opener, width: int) -> Page:
    lead = worked.collection.memberships.get(role="admin").user
    page = open_context(sign_in(lead)).new_page()
    page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
    page.goto(QUEUE)
    return page


def test_a_pair_is_decided_by_keyboard_alone(worked: Worked, open_context: Opener) -> None:
    page = opened(worked, open_context, 1280)
    expect(page.get_by_role("row", name="d3")).to_contain_text("grades too far apart, flagged")
    shoot(page, "contested-1280")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="1. Your own grade")).to_be_visible()
    shoot(page, "contested-blind-1280")
    assert barriers(page) == []
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="2 Fairly relevant")).to_be_checked()
    page.keyboard.press("1")
    page.keyboard.press("f")
    expect(page.get_by_text("Whole document: 4,8")).to_be_visible()
    page.wait_for_load_state()  # its keys
    assert not AdjudicationReading.objects.filter(grade__isnull=False).exists(), "nothing is sent before Enter"
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="2. What people said")).to_be_visible()
    expect(page.locator("mark.evidence")).to_have_text(
        ["Swifts feed, drink and sleep on the wing.", "They land to nest and at no other time."]
    )
    expect(page.get_by_role("radio", name="3 Highly relevant")).to_be_checked()
    shoot(page, "contested-seen-1280")
    assert barriers(page) == []
    page.keyboard.press("1")
    page.keyboard.press("r")
    page.keyboard.type("It never says how, 2 of 3 sides")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Topic 1, document d3 is decided.")).to_be_visible()
    expect(page.get_by_text("Document d4")).to_be_visible()
    page.wait_for_load_state()
    row = Adjudication.objects.get()
    assert (row.grade, row.blind_grade, row.reason) == (1, 3, "It never says how, 2 of 3 sides")
    page.keyboard.press("n")
    expect(page.get_by_text("Document d5")).to_be_visible()


def test_letters_can_be_switched_off(worked: Worked, open_context: Opener) -> None:
    page = opened(worked, open_context, 1280)
    page.keyboard.press("n")
    page.get_by_text("Keys", exact=True).click()
    page.get_by_role("checkbox", name="Letters and digits do something").uncheck()
    page.locator("body").press("2")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    page.reload()
    page.locator("body").press("n")
    expect(page.get_by_text("Document d3")).to_be_visible()


def test_a_withheld_pair_is_read_blind_from_the_page_of_its_batch(worked: Worked, open_context: Opener) -> None:
    Item.objects.filter(pk=worked.items["d5"].pk).update(withheld=True)
    page = opened(worked, open_context, 390)
    page.goto(reverse("batch", args=["bees", worked.batch.token]))
    shoot(page, "batch-withheld-390")
    assert barriers(page) == []
    page.get_by_role("button", name="Decide on topic 1, document d5").press("Enter")
    expect(page.get_by_role("heading", name="1. Your own grade")).to_be_visible()
    expect(page.get_by_role("heading", name="2. What people said")).to_have_count(0)
    page.get_by_role("link", name="Contested pairs", exact=True).first.click()
    expect(page.get_by_role("row", name="d5")).to_contain_text("could not be judged")


def test_on_a_phone(worked: Worked, open_context: Opener) -> None:
    page = opened(worked, open_context, 390)
    shoot(page, "contested-390")
    page.get_by_role("button", name="Take the first").click()
    for stage, button in (("blind", "This is my grade"), ("seen", "Decide, next pair")):
        expect(page.get_by_role("button", name=button)).to_be_visible()
        shoot(page, f"contested-{stage}-390")
        page.emulate_media(color_scheme="dark")
        assert barriers(page) == []
        assert overflow(page) <= 0
        page.locator("label.grade", has_text="Marginally relevant").click()
        if stage == "blind":
            page.get_by_role("button", name=button).click()
            heading = page.get_by_role("heading", name="2. What people said")
            expect(heading).to_be_focused()
            expect(heading).to_be_in_viewport()
    page.get_by_label("Reason").fill("So it says")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_role("heading", name="Those who decide")).to_be_visible()
    shoot(page, "contested-after-390")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.get_by_role("link", name="Look at topic 1, document d3").click()
    expect(page.get_by_role("heading", name="Decided before")).to_be_visible()
    shoot(page, "contested-decided-390")
    assert barriers(page) == []
    assert overflow(page) <= 0
