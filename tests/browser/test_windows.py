"""A window goes from test to test without what was left in it."""

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.windows import Windows
from tests.live import Server

pytestmark = pytest.mark.browser
STORED = "[localStorage.length, sessionStorage.length, document.cookie]"


@pytest.fixture
def window(windows: Windows, server: Server) -> BrowserContext:
    return windows.take(base_url=server.url)


def test_nothing_is_left_in_it(windows: Windows, window: BrowserContext, server: Server) -> None:
    page = window.new_page()
    page.goto("/healthz")
    page.evaluate("localStorage.setItem('a', 1); sessionStorage.setItem('b', 2); document.cookie = 'c=3'")
    assert page.evaluate(STORED) == [1, 1, "c=3"]
    windows.give_back(window)
    again = windows.take(base_url=server.url)
    assert again is window
    assert (len(again.pages), again.cookies()) == (1, [])
    page = again.new_page()
    page.goto("/healthz")
    assert page.evaluate(STORED) == [0, 0, ""]
    windows.give_back(again)


def test_one_whose_clock_was_set_is_not_lent_again(windows: Windows, window: BrowserContext, server: Server) -> None:
    page = window.new_page()
    page.clock.install()
    page.goto("/login")
    windows.give_back(window)
    another = windows.take(base_url=server.url)
    assert another is not window
    windows.give_back(another)


def test_one_with_other_options_is_another(windows: Windows, window: BrowserContext, server: Server) -> None:
    windows.give_back(window)
    dark = windows.take(base_url=server.url, color_scheme="dark")
    assert dark is not window
    windows.give_back(dark)
