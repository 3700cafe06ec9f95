"""Every page an annotator meets: axe finds nothing in light and in dark, and it fits where it has to.

With TOUCHSTONE_SHOTS=folder each is also photographed there (`make screenshots`): wide in light and dark, and a phone.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.annotator import make_way, walk
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import (
    LARGEST_SHIFT,
    WATCH_SHIFTS,
    WHOLE,
    barriers,
    barriers_in_system_colours,
    overflow,
    pushed_sideways,
    shift,
    shift_anew,
)

pytestmark = pytest.mark.browser

PHONE = 390
NARROWEST = 320  # pixels: a window of 1280 at a zoom of 400 % (WCAG 1.4.10)
SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
    p { margin-bottom: 2em !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
USUAL = "() => { document.adoptedStyleSheets = [] }"


def photograph(page: Page, name: str) -> None:
    folder = os.environ.get("TOUCHSTONE_SHOTS")
    if folder:
        page.wait_for_timeout(300)  # a plot follows the width of its window a moment later
        page.screenshot(path=Path(folder) / f"{name}.png")


def small_targets(page: Page) -> list[str]:
    """WCAG 2.5.8, which axe leaves out unless asked."""
    return barriers(page, "target-size")


def look_wide(page: Page, stop: str, subtests: pytest.Subtests) -> None:
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.emulate_media(color_scheme="dark")
    photograph(page, f"{stop}-dark")
    with subtests.test(f"{stop}, dark"):
        assert barriers(page) == []
    page.emulate_media(color_scheme="light")
    photograph(page, f"{stop}-light")
    with subtests.test(f"{stop}, light"):
        assert barriers(page) == []
        assert barriers_in_system_colours(page) == []
    if WHOLE:
        page.set_viewport_size({"width": 640, "height": HEIGHTS[1280] // 2})
        with subtests.test(f"{stop}, at 200 %"):
            assert barriers(page) == []


def look_narrow(page: Page, stop: str, subtests: pytest.Subtests) -> None:
    page.set_viewport_size({"width": PHONE, "height": HEIGHTS[PHONE]})
    photograph(page, f"{stop}-phone")
    with subtests.test(f"{stop}, on a phone"):
        assert overflow(page) <= 0
        assert pushed_sideways(page) == []
        assert small_targets(page) == []
        assert barriers_in_system_colours(page) == []
        if WHOLE and not stop.startswith("judging"):  # a second tab would take the cards of the first
            assert shift_anew(page) <= LARGEST_SHIFT
    page.set_viewport_size({"width": NARROWEST, "height": HEIGHTS[PHONE]})
    with subtests.test(f"{stop}, narrow and with wide spaces"):
        assert overflow(page) <= 0
        page.evaluate(SPACED)
        assert overflow(page) <= 0
    page.evaluate(USUAL)
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})


def test_every_page_of_an_annotator_is_accessible_and_fits(
    transactional_db: None, open_context: Opener, subtests: pytest.Subtests
) -> None:
    way = make_way()
    page = open_context(way.user).new_page()
    page.add_init_script(WATCH_SHIFTS)
    stops = 0
    for stop in walk(page, way):
        stops += 1
        with subtests.test(f"{stop}, at rest"):
            assert shift(page) <= LARGEST_SHIFT
        look_wide(page, stop, subtests)
        look_narrow(page, stop, subtests)
    assert stops > 18
