"""No wait: the next card is there before the key is pressed, and nothing is doubled or swallowed for it."""

import pytest
from playwright.sync_api import expect

from annotation.models import Assignment, Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, Door, grades_in, make_reading, user_of, wait_for

pytestmark = pytest.mark.browser
both_widths = pytest.mark.parametrize("width", [1280, 390])


@both_widths
def test_the_next_card_comes_in_before_the_answer_and_saved_is_said_after_it(open_context: Opener, width: int) -> None:
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch), width=width).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    first, second = desk.token, desk.next
    assert second
    door.is_shut = True
    desk.press("3")
    desk.gone(first)
    assert desk.token == second
    expect(desk.page.locator("#document")).to_be_focused()
    expect(desk.said).to_have_text("Saving: 3 Highly relevant …")
    assert grades_in(batch) == []
    door.open()
    expect(desk.said).to_have_text("✓ Saved: 3 Highly relevant")
    assert (desk.token, grades_in(batch)) == (second, [3])
    assert desk.next not in {"", first, second}


def test_deeds_go_one_at_a_time_in_their_order(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    first, second = desk.token, desk.next
    door.is_shut = True
    desk.press_and_go_on("3")
    desk.press("1", "2")  # the second of these finds no card to grade: none waits behind this one
    desk.until("document.querySelector('.grade.chosen')?.value === '1'")
    assert (desk.token, len(door.asked)) == (second, 1)
    door.open()
    desk.gone(second)
    expect(desk.said).to_have_text("✓ Saved: 1 Marginally relevant")
    assert [f"token={token}&" in body for token, body in zip((first, second), door.asked, strict=True)] == [True, True]
    assert grades_in(batch) == [3, 1]


def test_a_page_loaded_again_has_a_next_card_again(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    token, following = desk.token, desk.next
    desk.page.reload()
    desk.ready()
    assert (desk.token, desk.next) == (token, following)
    assert batch.assignments.filter(state="leased").count() == 2


def test_the_card_ahead_goes_back_when_the_page_goes(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    following = Assignment.objects.get(cards__token=desk.next)
    desk.page.goto("/")
    freed = Assignment.objects.filter(pk=following.pk, state="expired")
    wait_for(desk.page, freed.exists, "the card ahead went back")
    assert batch.assignments.filter(state="leased").count() == 1


def test_the_minimum_time_of_the_next_card_begins_when_it_is_shown(open_context: Opener) -> None:
    batch = make_reading(4, minimum_seconds=1)
    desk = Desk.at(open_context(user_of(batch)), batch)
    expect(desk.page.locator("#floor")).to_be_hidden()
    first = desk.token
    desk.press("3")
    desk.gone(first)
    expect(desk.page.locator("#floor")).to_be_visible()
    second = desk.token
    desk.press("2")
    expect(desk.page.locator('.grade[value="2"]')).to_have_attribute("aria-pressed", "true")
    desk.gone(second)
    expect(desk.said).to_have_text("✓ Saved: 2 Fairly relevant")
    for judgment in Judgment.objects.all():
        assert not judgment.early
        assert judgment.wall_ms is not None
        assert judgment.wall_ms >= 1000
        assert judgment.active_ms is not None
        assert judgment.active_ms <= judgment.wall_ms


def test_a_double_click_grades_one_card(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before, following = desk.token, desk.next
    desk.page.locator(".grade").nth(3).dblclick(delay=20)
    desk.gone(before)
    expect(desk.said).to_have_text("✓ Saved: 3 Highly relevant")
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (following, [3])


def test_two_keys_hit_at_once_grade_one_card(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    following = desk.next
    desk.strike(3, 4)
    expect(desk.said).to_have_text("✓ Saved: 3 Highly relevant")
    assert (desk.token, grades_in(batch)) == (following, [3])
