"""The pages of whoever leads with all that the demo holds: accessible, not too long, and they fit a phone.

With TOUCHSTONE_SHOTS=folder each is also photographed there (`make screenshots`): whole and wide, and on a phone.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.lead import make_lead
from tests.browser.looks import TALLEST, barriers, height, overflow, pushed_sideways
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
        page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
        photograph(page, f"{stop.name}-phone", whole=False)
        with subtests.test(f"{stop.name}, on a phone"):
            assert overflow(page) <= 0
