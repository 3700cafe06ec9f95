"""Policies side by side, as an admin chooses and reads them."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.campaign import make_campaign
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.live import Server

pytestmark = pytest.mark.browser


def say_what_is_pointed_at(page: Page) -> None:
    """A mark of the plot: at once, and in place of what the browser would show a second later."""
    mark, says = page.locator("svg.wide .mark").first, page.locator(".plot-says")
    words = mark.locator("title").text_content()
    assert words
    mark.locator("circle").hover()
    expect(says).to_have_text(words)
    assert mark.locator("title").text_content() == ""
    assert page.locator("svg .same").count() == 2, "the same policy, also in the drawing for a narrow page"
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(says).to_have_count(0)
    assert mark.locator("title").text_content() == words


def test_choosing_and_reading_a_comparison(transactional_db: None, server: Server, open_context: Opener) -> None:
    campaign = make_campaign()
    page = open_context(campaign.session).new_page()
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.goto(reverse("policies", kwargs=campaign.values("policies", frozenset({"slug"}))))
    page.get_by_role("link", name="Compare policies on the same judgments").click()
    page.get_by_label("MACE: who looks and who does not").check()
    page.get_by_role("button", name="Compare").click()
    rows = page.get_by_role("region", name="Side by side").get_by_role("rowheader")
    expect(rows).to_have_count(6)
    expect(rows.first).to_contain_text("default v1")
    expect(rows.last).to_contain_text("trial: mace")
    shoot(page, "policies-compared-1280")
    assert barriers(page) == []
    say_what_is_pointed_at(page)
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    page.emulate_media(color_scheme="dark")
    shoot(page, "policies-compared-390")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    rows.last.get_by_role("link", name="Make a policy of it").click()
    expect(page.get_by_label("Several judgments become one grade by")).to_have_value("mace")
