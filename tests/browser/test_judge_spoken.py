"""The judging page for ears and for the Tab key: what is read out, where the focus is, in which order it goes."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of

pytestmark = pytest.mark.browser
FOCUSED = """(() => {
    const node = document.activeElement;
    const within = node.closest("form[id], details");
    return node.id || within?.id || node.textContent.trim().split("\\n")[0];
})()"""


def stops(page: Page) -> list[str]:
    """What the Tab key comes to from the document on, until it leaves the page's bar."""
    page.locator("#document").focus()
    names: list[str] = []
    while len(names) < 40:
        page.keyboard.press("Tab")
        if not page.evaluate("Boolean(document.activeElement.closest('#bar'))"):
            return names
        names.append(page.evaluate(FOCUSED))
    return names


def test_the_order_of_tab_is_the_same_on_every_card(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(1)
    first = stops(desk.page)
    assert first == [
        "Undo U", "skip", "later-form", "comment", "evidence", "whole", "marks", "meanings", "recent", *["grades"] * 5,
    ]  # fmt: skip
    desk.grade(2)
    expect(desk.page.locator("#document")).to_be_focused()
    assert stops(desk.page) == first


def test_what_happens_is_read_out_once(open_context: Opener) -> None:
    batch = make_reading(2, n_topics=2)
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    heard = desk.page.locator("#announce")
    expect(heard).to_have_attribute("role", "status")
    desk.grade(3)
    expect(heard.locator("p")).to_have_text(["Saved: 3 Highly relevant"])
    desk.grade(3)
    topic = desk.page.locator("#card").get_attribute("data-topic")
    news = f"New topic {topic}: {desk.page.locator('h1').inner_text()}"
    expect(heard.locator("p")).to_have_text(["Saved: 3 Highly relevant", news, "Saved: 3 Highly relevant"])


def test_the_document_names_itself_when_it_gets_the_focus(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(3)
    expect(desk.page.get_by_role("article", name=desk.title)).to_be_focused()


def test_every_grade_says_its_number_its_name_and_what_it_means(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    names = [
        "0 Not relevant",
        "1 Marginally relevant",
        "2 Fairly relevant",
        "3 Highly relevant",
        "4 Perfectly relevant",
    ]
    for button, name, step in zip(desk.page.locator(".grade").all(), names, batch.scale.grades, strict=True):
        expect(button).to_have_accessible_name(name)
        expect(button).to_have_accessible_description(step["definition"])
        expect(button).to_have_attribute("aria-keyshortcuts", name[0])
    meaning = desk.page.locator(".meaning").first
    expect(meaning).to_be_hidden()
    desk.press("d")
    expect(meaning).to_have_text(batch.scale.grades[0]["definition"])
    expect(meaning).to_be_visible()
    desk.grade(2)
    expect(meaning).to_be_visible()
    desk.page.reload()
    desk.ready()
    expect(meaning).to_be_visible()
    desk.press("d")
    expect(meaning).to_be_hidden()


def test_a_waiting_grade_is_read_out(open_context: Opener) -> None:
    batch = make_reading(2, minimum_seconds=30)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("2")
    expect(desk.page.locator("#announce p").last).to_have_text("Waiting: 2 Fairly relevant (Esc takes it back).")
    desk.press("Escape")
    expect(desk.page.locator(".grade[aria-pressed]")).to_have_count(0)


def test_a_card_that_is_opened_again_says_its_grade(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(3)
    desk.press_and_go_on("u")
    stands = "You graded this 3. That stands until you save another grade."
    expect(desk.page.locator("#announce p").last).to_have_text(stands)
    expect(desk.status).to_have_text(stands)


def test_a_panel_opened_by_its_button_is_left_by_escape(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    for name in ("skip", "comment", "recent"):
        panel = desk.page.locator(f"#{name}")
        panel.locator("summary").focus()
        desk.press("Enter")
        expect(panel).to_have_attribute("open", "")
        desk.press("Escape")
        expect(panel).not_to_have_attribute("open", "")
        expect(desk.page.locator("#document")).to_be_focused()
