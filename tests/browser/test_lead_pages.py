"""The pages of whoever leads with all that the demo holds: accessible, not too long, and they fit a phone.

With TOUCHSTONE_SHOTS=folder each is also photographed there (`make screenshots`): whole and wide, and on a phone.
"""

import os
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.lead import make_lead
from tests.browser.looks import (
    LARGEST_SHIFT,
    TALLEST,
    WHOLE,
    barriers,
    barriers_in_system_colours,
    height,
    overflow,
    pushed_sideways,
    shift_anew,
)
from tests.demo import MadeDemo

pytestmark = pytest.mark.browser


def photograph(page: Page, name: str, *, whole: bool) -> None:
    folder = os.environ.get("TOUCHSTONE_SHOTS")
    if folder:
        page.wait_for_timeout(300)  # a plot follows the width of its window a moment later
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=whole)


def test_every_page_of_whoever_leads_is_accessible_and_fits_with_a_campaign_in_it(
    transactional_db: None, open_context: Opener, made_demo: MadeDemo, subtests: pytest.Subtests
) -> None:
    lead = make_lead(made_demo)
    page = open_context(lead.user).new_page()
    for stop in lead.stops():
        page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
        answer = page.goto(stop.path)
        photograph(page, f"{stop.name}-wide", whole=True)
        with subtests.test(stop.name):
            assert answer is not None
            assert answer.status == 200
            assert barriers(page) == []
            assert height(page) <= TALLEST
            assert pushed_sideways(page) == []
            assert barriers_in_system_colours(page) == []
        page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
        photograph(page, f"{stop.name}-phone", whole=False)
        with subtests.test(f"{stop.name}, on a phone"):
            assert overflow(page) <= 0
            assert not WHOLE or barriers(page) + barriers_in_system_colours(page) == []
            assert not WHOLE or shift_anew(page) <= LARGEST_SHIFT
    with subtests.test("keys go from mark to mark"):
        ask_a_plot_by_key(page, reverse("leaderboard_plots", args=[lead.collection.slug]))
    with subtests.test("find goes to what was typed, at once"):
        find_by_key(page)


def ask_a_plot_by_key(page: Page, path: str) -> None:
    """A mark that the focus comes to is said, and its run stands out in all drawings; the next key goes to the next."""
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.goto(path)
    marks = page.locator("svg.wide").first.locator(".mark")
    marks.first.locator("a").focus()
    for mark in (marks.nth(0), marks.nth(1)):
        expect(page.locator(".plot-says")).to_have_text(mark.locator("title").text_content() or "nothing")
        names = page.locator("svg .same").evaluate_all("marks => marks.map(mark => mark.dataset.of)")
        assert names == [mark.get_attribute("data-of")] * 4, "in two plots, each wide and narrow"
        page.keyboard.press("Tab")


def find_by_key(page: Page) -> None:
    """Though the list of what was typed is still on its way."""
    page.keyboard.press("Control+k")
    expect(page.locator(".find-list .found").first).to_be_visible()
    page.keyboard.type("simulated-hasty")
    page.keyboard.press("Enter")
    page.wait_for_url("**/quality/annotators/simulated-hasty/")
