"""Keys as a person's own hands like them."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import JudgingChoices
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of

pytestmark = pytest.mark.browser


def test_keys_are_chosen_by_the_keyboard_alone(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    page = desk.page
    desk.press("?")
    page.get_by_role("link", name="Choose your own keys").press("Enter")
    undo = page.get_by_role("textbox", name="Undo: open the last card again")
    undo.fill("s")
    undo.press("Enter")
    expect(undo).to_have_accessible_description(re.compile(r"S is taken: Skip, .*\. Choose another for one of them\."))
    assert not JudgingChoices.objects.exists()
    undo.fill("q")
    page.get_by_role("textbox", name="Grade 3, besides its digit").fill("J")
    undo.press("Enter")
    expect(page.get_by_text("Your keys are saved.")).to_be_visible()
    page.get_by_role("link", name="Back to judging").press("Enter")
    desk.ready()

    first = desk.item()
    desk.press_and_go_on("j")
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    before = desk.token
    desk.press("u")
    assert desk.token == before
    desk.press_and_go_on("q")
    assert desk.item() == first
    desk.press_and_go_on("1")
    expect(desk.status).to_have_text("✓ Saved: 1 Marginally relevant")
    assert grades_in(batch) == [3, 1]
    expect(page.locator("#bar form.last button")).to_have_attribute("aria-keyshortcuts", "q")
    expect(page.locator("#bar form.last kbd")).to_have_text("Q")
    desk.press("?")
    expect(page.locator("#keys div").filter(has_text="Undo: open").locator("kbd")).to_have_text("Q")
    expect(page.locator("#keys div").filter(has_text="Grade 3, besides").locator("kbd")).to_have_text("J")
    expect(page.locator("#keys div").filter(has_text="Grade 2, besides")).to_be_hidden()


def test_the_usual_keys_come_back(open_context: Opener) -> None:
    batch = make_reading(2)
    JudgingChoices.objects.create(user=user_of(batch), keys={"undo": "z"})
    page = open_context(user_of(batch)).new_page()
    page.goto("/judging/keys")
    undo = page.get_by_role("textbox", name="Undo: open the last card again")
    expect(undo).to_have_value("z")
    page.get_by_role("button", name="Back to the usual keys").press("Enter")
    expect(undo).to_have_value("u")


def test_letters_are_found_by_their_place_where_the_layout_is_not_latin(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    wire = desk.page.context.new_cdp_session(desk.page)
    key = {"key": "п", "code": "KeyG", "windowsVirtualKeyCode": 71}
    wire.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": "п", **key})
    wire.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
    expect(desk.page.locator(".guideline-body")).to_be_visible()


def test_no_single_key_does_what_cannot_be_taken_back(open_context: Opener) -> None:
    """Skip asks for a reason and for Enter; every other letter leaves the card, or can be undone."""
    batch = make_reading(6)
    desk = Desk.at(open_context(user_of(batch)), batch)
    item, token = desk.item(), desk.token
    desk.press("s", "1", "2", "s")
    expect(desk.page.locator("#skip")).not_to_have_attribute("open", "")
    for letter in "abdefghijkmnopqrtvwxyz":
        desk.press(letter)
    desk.press("Escape", "Escape", "Escape")
    assert desk.token == token
    assert item.assignments.get().state == "leased"
    assert grades_in(batch) == []
