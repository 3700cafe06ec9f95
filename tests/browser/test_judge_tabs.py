"""One person, two tabs, the same card in both."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Card
from tests.browser.conftest import ARGUMENTS, Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of, wait_for
from tests.browser.watcher import Watcher
from tests.live import Server, sign_in

pytestmark = pytest.mark.browser

KEEPS = "--enable-features=CacheControlNoStoreEnterBackForwardCache:level/restore-unless-http-only-cookie-change"


def asked_in_the_second_tab(open_context: Opener, watcher: Watcher) -> tuple[Desk, Desk, str]:
    """Graded 3 in the first tab, then 1 in the second. The desks, and the token that was graded."""
    watcher.expect("status of 409")
    batch = make_reading(3)
    context = open_context(user_of(batch))
    first = Desk.at(context, batch)
    second = Desk.at(context, batch, started=False)
    token = first.token
    assert second.token == token
    first.grade(3)
    second.press("1")
    expect(second.page.locator("h1")).to_have_text(
        "You graded this 3 (Highly relevant). Change it to 1 (Marginally relevant)?"
    )
    expect(second.page.locator("h1")).to_be_focused()
    second.gone(token)
    assert grades_in(batch) == [3]
    return first, second, token


def shows(page: Page, token: str) -> None:
    expect(page.locator("#card")).to_have_attribute("data-token", token)


def test_another_grade_in_the_second_tab_is_asked_about_and_the_first_kept(
    open_context: Opener, watcher: Watcher
) -> None:
    first, second, _ = asked_in_the_second_tab(open_context, watcher)
    second.press("4")  # grades nothing: there is no card
    second.press("Tab", "Enter")
    shows(second.page, first.token)
    assert grades_in(first.batch) == [3]
    expect(second.page.locator("#trouble")).to_be_hidden()


def test_another_grade_in_the_second_tab_is_asked_about_and_changed(open_context: Opener, watcher: Watcher) -> None:
    first, second, _ = asked_in_the_second_tab(open_context, watcher)
    second.press("Tab", "Tab", "Enter")
    expect(second.status).to_have_text("✓ Saved: 1 Marginally relevant")
    shows(second.page, first.token)
    assert grades_in(first.batch) == [3, 1]


def test_the_same_grade_in_the_second_tab_is_the_same_judgment(open_context: Opener) -> None:
    batch = make_reading(3)
    context = open_context(user_of(batch))
    first = Desk.at(context, batch)
    second = Desk.at(context, batch, started=False)
    first.grade(2)
    second.grade(2)
    shows(second.page, first.token)
    assert grades_in(batch) == [2]


def test_the_back_button_leads_to_no_second_judgment(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(2)
    current = desk.token
    desk.page.goto("/")
    desk.page.go_back()
    shows(desk.page, current)
    desk.grade(3)
    assert grades_in(batch) == [2, 3]


@pytest.mark.parametrize("closes", ["first", "second"])
def test_a_closed_tab_takes_no_card_from_the_other(open_context: Opener, closes: str) -> None:
    batch = make_reading(4)
    context = open_context(user_of(batch))
    first = Desk.at(context, batch)
    second = Desk.at(context, batch, started=False)
    following = first.next
    assert second.next == following
    going, staying = (first, second) if closes == "first" else (second, first)
    card = Card.objects.get(token=following)
    assert len(card.pages.split()) == 2
    assert first.waiting == second.waiting
    going.page.goto("/")
    held_by_one = Card.objects.filter(pk=card.pk).exclude(pages__contains=" ")
    wait_for(staying.page, held_by_one.exists, "the server heard the farewell")
    assert batch.assignments.filter(state="leased").count() == 4
    staying.press_and_go_on("3")
    assert staying.token == following
    staying.grade(1)
    assert grades_in(batch) == [3, 1]


@pytest.fixture
def keeping(browser: Browser, whole_chromium: str) -> Generator[Browser, None, None]:
    """Chromium as people have it: it keeps a page that one leaves, even one that says `no-store`."""
    kept = browser.browser_type.launch(
        executable_path=whole_chromium, args=[*ARGUMENTS, KEEPS], ignore_default_args=["--disable-back-forward-cache"]
    )
    yield kept
    kept.close()


@pytest.mark.parametrize("graded", ["before it was left", "in another tab"])
def test_a_page_that_comes_back_as_it_was_left_asks_what_is_current(
    server: Server, keeping: Browser, watcher: Watcher, graded: str
) -> None:
    """The browser shows it again without asking the server."""
    batch = make_reading(4)
    context = keeping.new_context(base_url=server.url)
    watcher.watch(context)
    context.add_cookies([{"name": "touchstone_session", "value": sign_in(user_of(batch)), "url": server.url}])
    left = Desk.at(context, batch)
    if graded == "before it was left":
        left.grade(2)
    token = left.token
    left.page.evaluate("addEventListener('pageshow', (event) => sessionStorage.setItem('kept', event.persisted))")
    left.page.goto("/")
    if graded == "in another tab":
        other = Desk.at(context, batch, started=False)
        other.grade(2)
        token = other.token
    left.page.evaluate("history.back()")
    shows(left.page, token)
    expect(left.status).not_to_contain_text("Saved")
    left.ready()
    assert left.page.evaluate("sessionStorage.getItem('kept')") == "true"
    left.grade(3)
    assert grades_in(batch) == [2, 3]
