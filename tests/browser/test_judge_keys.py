"""Keys that must not grade, or not twice; and the minimum time, which makes a grade wait."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of

pytestmark = pytest.mark.browser


def test_a_double_press_gives_one_judgment(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.stop_clock()
    before = desk.token
    desk.press("3", "3")
    desk.gone(before)
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    desk.page.clock.run_for(550)
    desk.grade(1)
    assert grades_in(batch) == [3, 1]


@pytest.mark.parametrize("late_ms", [120, 250, 450])
def test_a_second_press_that_meets_the_next_card_is_a_slip(open_context: Opener, late_ms: int) -> None:
    """It neither grades the card nor waits on it for the minimum time, and the page says why."""
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.stop_clock()
    line = desk.page.locator("#too-soon")
    before = desk.token
    desk.press("3")
    desk.gone(before)
    second = desk.token
    expect(line).to_be_hidden()
    desk.page.clock.run_for(late_ms)
    desk.press("3")
    expect(line).to_be_visible()
    expect(desk.page.locator("#announce")).to_contain_text("press again")
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (second, [3])
    desk.page.clock.run_for(550)
    desk.press("3")
    desk.gone(second)
    expect(line).to_be_hidden()
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert grades_in(batch) == [3, 3]


def test_a_second_press_does_not_wait_for_the_minimum_time_of_the_next_card(open_context: Opener) -> None:
    batch = make_reading(4, minimum_seconds=2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.stop_clock()
    before = desk.token
    desk.press("3")
    desk.page.clock.run_for(250)
    desk.gone(before)
    second = desk.token
    desk.press("3")
    expect(desk.page.locator("#too-soon")).to_be_visible()
    expect(desk.page.locator(".grade[aria-pressed]")).to_have_count(0)
    desk.page.clock.run_for(3000)
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (second, [3])


def test_a_key_each_second_grades_a_card_each(open_context: Opener) -> None:
    batch = make_reading(5)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.stop_clock()
    for key in "3142":
        before = desk.token
        desk.page.clock.run_for(1000)
        desk.press(key)
        desk.gone(before)
        desk.all_sent()
        expect(desk.page.locator("#too-soon")).to_be_hidden()
    assert grades_in(batch) == [3, 1, 4, 2]


def test_a_key_held_down_gives_one_judgment(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    for _ in range(8):
        desk.page.keyboard.down("2")
        desk.page.wait_for_timeout(60)
    desk.page.keyboard.up("2")
    desk.gone(before)
    expect(desk.status).to_have_text("✓ Saved: 2 Fairly relevant")
    assert grades_in(batch) == [2]


def test_digits_and_letters_in_a_field_are_text(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    desk.press("c")
    desk.page.keyboard.type("3 slugs u?")
    desk.press("Escape", "s")
    desk.press("1", "2", "Tab")
    desk.page.keyboard.type("4l")
    assert desk.page.locator("#comment-text").input_value() == "3 slugs u?"
    assert desk.page.locator("#skip-note").input_value() == "4l"
    assert (desk.token, grades_in(batch)) == (before, [])


def test_other_presses_of_a_digit_grade_nothing(open_context: Opener) -> None:
    """Shortcuts of the browser, a grade the scale does not have, and PageDown, as 3 is with NumLock off."""
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("f")
    before = desk.token
    desk.press("Control+3", "Alt+2", "Meta+1", "7", "Numpad4", "Numpad3")
    desk.until("document.getElementById('document').scrollTop > 100")
    assert (desk.token, grades_in(batch)) == (before, [])


def test_a_grade_before_the_minimum_time_waits_for_it(open_context: Opener) -> None:
    batch = make_reading(3, minimum_seconds=2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    expect(desk.page.locator("#floor")).to_be_visible()
    desk.press("3")
    expect(desk.page.locator('.grade[value="3"]')).to_have_attribute("aria-pressed", "true")
    expect(desk.status).to_have_text("Waiting: 3 Highly relevant (Esc takes it back).")
    desk.press("4")
    expect(desk.page.locator('.grade[value="3"]')).not_to_have_attribute("aria-pressed", "true")
    assert (desk.token, grades_in(batch)) == (before, [])
    desk.gone(before)
    expect(desk.status).to_have_text("✓ Saved: 4 Perfectly relevant")
    judgment = Judgment.objects.get(batch=batch)
    assert (judgment.grade, judgment.early) == (4, False)
    assert judgment.wall_ms is not None
    assert judgment.wall_ms >= 2000


def test_escape_takes_a_waiting_grade_back(open_context: Opener) -> None:
    batch = make_reading(3, minimum_seconds=3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    desk.press("3", "Escape")
    expect(desk.status).to_have_text("Taken back. Choose a grade.")
    expect(desk.page.locator("#floor")).to_be_hidden()
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (before, [])
    desk.grade(1)
    assert grades_in(batch) == [1]


def test_a_waiting_grade_does_not_go_under_a_comment_being_written(open_context: Opener) -> None:
    batch = make_reading(3, minimum_seconds=3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    desk.press("3", "c")
    desk.page.keyboard.type("Half a")
    expect(desk.page.locator("#floor")).to_be_hidden()
    desk.page.wait_for_timeout(400)
    desk.page.keyboard.type(" thought")
    assert (desk.token, grades_in(batch)) == (before, [])
    desk.press("Escape")
    desk.gone(before)
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert list(Judgment.objects.values_list("grade", "comment")) == [(3, "Half a thought")]


def test_a_revision_need_not_wait(open_context: Opener) -> None:
    batch = make_reading(3, minimum_seconds=1)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(3)
    desk.press_and_go_on("u")
    expect(desk.page.locator("#floor")).to_be_hidden()
    expect(desk.page.locator('.grade[value="3"]')).to_contain_text(re.compile("your grade"))
    desk.grade(2)
    assert list(Judgment.objects.order_by("pk").values_list("grade", "revision", "early")) == [
        (3, 1, False),
        (2, 2, False),
    ]


def test_ctrl_enter_ends_what_is_being_written(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("c")
    desk.page.keyboard.type("Half a thought")
    desk.press("Control+Enter")
    expect(desk.page.locator("#comment")).not_to_have_attribute("open", "")
    expect(desk.page.locator("#document")).to_be_focused()
    desk.grade(3)
    assert list(Judgment.objects.values_list("grade", "comment")) == [(3, "Half a thought")]
    before = desk.token
    desk.press("s", "1", "Tab")
    desk.page.keyboard.type("cut off")
    desk.press("Control+Enter")
    desk.gone(before)
    desk.let_go()
    desk.all_sent()
    expect(desk.status).to_have_text("Skipped.")
    assert batch.assignments.get(state="skipped").skip_note == "cut off"
