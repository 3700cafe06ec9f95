"""The look at contrast asks of each look of a text once, and of every other."""

import pytest
from playwright.sync_api import Page

from tests.browser import looks
from tests.browser.conftest import Opener
from tests.browser.looks import barriers

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><html lang="en"><title>Birds</title><style>{style}</style>
<main><h1>Birds</h1><p class="one">Swifts sleep on the wing.</p><div><p class="two">{words}</p></div></main>"""


@pytest.fixture
def page(open_context: Opener, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(looks, "_passed", set())
    return open_context(None).new_page()


def faults(page: Page, style: str, words: str = "Nests are built of what the wind carries.") -> list[str]:
    page.set_content(PAGE.format(style=style, words=words))
    return [fault.partition("(")[0].split(" Fix")[0] for fault in barriers(page)]


def test_what_differs_from_all_that_passed_is_asked_about(page: Page) -> None:
    wrong = ["color-contrast: ['.two']"]
    assert faults(page, "") == []
    assert faults(page, ".two {color: #999}") == wrong
    assert faults(page, ".two {color: #999}") == wrong, "again: it has not passed"
    assert faults(page, ".two {background: #333}") == wrong
    assert faults(page, "div {background: #333}") == wrong
    assert faults(page, "div {opacity: 0.3}") == wrong
    assert faults(page, "p {color: #767676; font-size: 24px} .two {color: #888}") == []
    assert faults(page, "p {color: #767676} .two {color: #888}") == wrong, "it passed where it was large"


def test_what_has_passed_is_not_asked_about_again(page: Page) -> None:
    assert faults(page, "") == []
    passed = page.evaluate(looks.LOOK, [{}, []])[1]
    assert set(passed) == looks._passed
    assert len(passed) >= 2
    assert page.evaluate(looks.LOOK, [{}, passed]) == [[], []]


def test_other_rules_look_at_all_every_time(page: Page) -> None:
    assert faults(page, "", '<img src="x">') == ["image-alt: ['img']"]
    assert faults(page, "", '<img src="x">') == ["image-alt: ['img']"]
    assert barriers(page, "color-contrast") == []
