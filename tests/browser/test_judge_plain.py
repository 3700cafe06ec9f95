"""Judging without JavaScript: by the forms alone. And the pages that stand where a card would."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Batch, Judgment, WorkSession
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of

pytestmark = pytest.mark.browser


def status(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_have_text(text)


@pytest.mark.parametrize("width", [1280, 390])
def test_judging_without_javascript(open_context: Opener, width: int) -> None:
    batch = make_reading(4)
    page = open_context(user_of(batch), width=width, script=False).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start judging").click()
    page.locator("#comment > summary").click()
    page.get_by_role("textbox", name="Comment").fill("In a word.")
    page.get_by_role("button", name="3 Highly relevant").click()
    status(page, "Saved: 3 Highly relevant")

    page.get_by_role("button", name="Undo").click()
    status(page, "You graded this 3. That stands until you save another grade.")
    page.get_by_role("button", name="Keep 3").click()
    expect(page.get_by_role("button", name="Keep 3")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="1 Marginally relevant").click()
    status(page, "Saved: 1 Marginally relevant")

    page.locator("#skip > summary").click()
    page.get_by_role("group", name="Why can it not be judged?").get_by_label("The topic is unclear").check()
    page.get_by_role("button", name="Skip this card").click()
    status(page, "Skipped.")
    page.get_by_role("button", name="Later").click()
    status(page, "Put off: it comes again at the end of its topic.")
    page.get_by_role("button", name="0 Not relevant").click()
    status(page, "Saved: 0 Not relevant")
    page.get_by_role("button", name="2 Fairly relevant").click()
    expect(page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_visible()

    assert list(Judgment.objects.order_by("pk").values_list("grade", "comment")) == [
        (3, "In a word."),
        (1, "In a word."),
        (0, ""),
        (2, ""),
    ]
    assert Assignment.objects.get(state=Assignment.State.SKIPPED).skip_reason == "unclear"


def test_a_break_comes_when_the_session_is_over(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=51))
    desk.grade(2)
    desk.grade(1)  # the card that was there already may be handed in
    heading = desk.page.get_by_role("heading", name="Time for a break")
    expect(heading).to_be_focused()
    expect(desk.page.locator("#card")).to_contain_text("You have been judging for 51 minutes")
    expect(desk.page.locator(".stats")).to_contain_text(re.compile(r"In this session\s*2\b"))
    desk.press("3", "u")
    desk.page.reload()
    expect(heading).to_be_visible()
    WorkSession.objects.update(break_until=timezone.now())
    desk.page.reload()
    desk.page.get_by_role("button", name="Continue").press("Enter")
    expect(desk.page.locator("#grades")).to_be_visible()
    assert grades_in(batch) == [2, 1]


def test_the_end_can_be_undone(open_context: Opener) -> None:
    batch = make_reading(1)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(2)
    expect(desk.page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_focused()
    desk.press("u")
    expect(desk.page.locator("#grades")).to_be_visible()
    desk.gone("")
    desk.grade(4)
    expect(desk.page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_visible()
    assert grades_in(batch) == [2, 4]


def test_pausing_stops_new_cards_but_not_the_one_in_hand(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    Batch.objects.update(state=Batch.State.PAUSED)
    desk.grade(3)
    desk.grade(1)  # the card that was there already may be handed in
    expect(desk.page.get_by_role("heading", name="This batch is paused")).to_be_focused()
    assert grades_in(batch) == [3, 1]
