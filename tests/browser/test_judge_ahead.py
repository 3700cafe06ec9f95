"""No wait: the next cards are there before a key is pressed, and nothing is doubled or swallowed for it."""

import pytest
from playwright.sync_api import expect

from annotation.judging.steps.claiming import MOST_AHEAD
from annotation.judging.steps.putting_off import skip_item
from annotation.kernel import clock
from annotation.models import Assignment, Card, Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, Door, grades_in, make_reading, user_of, wait_for
from tests.browser.watcher import Watcher

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
    expect(desk.status).to_have_text("Saving: 3 Highly relevant …")
    assert grades_in(batch) == []
    door.open()
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert (desk.token, grades_in(batch)) == (second, [3])
    assert desk.next not in {"", first, second}


def test_deeds_go_one_at_a_time_in_their_order(open_context: Opener) -> None:
    batch = make_reading(2, n_topics=2)  # of the next topic, nothing is there yet
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
    expect(desk.status).to_have_text("✓ Saved: 1 Marginally relevant")
    assert [f"token={token}&" in body for token, body in zip((first, second), door.asked, strict=True)] == [True, True]
    assert grades_in(batch) == [3, 1]


@both_widths
def test_five_deeds_pressed_while_no_answer_comes_all_land_in_order(open_context: Opener, width: int) -> None:
    batch = make_reading(12)
    desk = Desk(open_context(user_of(batch), width=width).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    tokens = [desk.token, *desk.waiting]
    assert len(tokens) == 1 + MOST_AHEAD
    door.is_shut = True
    for digit in (4, 0, 3, 1, 2):
        desk.press_and_go_on(str(digit))
    assert (desk.token, desk.waiting, grades_in(batch)) == (tokens[5], [], [])
    door.open()
    expect(desk.status).to_have_text("✓ Saved: 2 Fairly relevant")
    desk.all_sent()
    assert desk.token == tokens[5], "it is not taken from under the eyes"
    assert len(desk.waiting) == MOST_AHEAD
    assert grades_in(batch) == [4, 0, 3, 1, 2]
    assert list(Judgment.objects.order_by("pk").values_list("token", flat=True)) == tokens[:5]
    assert not Judgment.objects.filter(surplus=True).exists()


def test_deeds_of_all_kinds_wait_in_their_turn(open_context: Opener) -> None:
    """What is put off comes at the end, and the last grade on its way can be opened again."""
    batch = make_reading(12)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    doors = [Door.before(desk.page, deed) for deed in ("grade", "later", "skip")]
    desk.open()
    desk.begin()
    tokens = [desk.token, *desk.waiting]
    for door in doors:
        door.is_shut = True
    desk.press_and_go_on("3")
    desk.press_and_go_on("l")
    desk.press("s", "5")
    desk.press_and_go_on("Enter")
    desk.press_and_go_on("1")
    desk.press_and_go_on("u")
    assert desk.token == tokens[3]
    desk.press_and_go_on("0")
    assert desk.token == tokens[4]
    for door in doors:
        door.open()
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (tokens[4], [3, 0])
    states = [Assignment.objects.get(cards__token=token).state for token in tokens]
    assert states == ["judged", "later", "skipped", "judged", "leased", "leased"]
    for _ in range(8):
        desk.grade(2)
    assert Card.objects.get(token=desk.token).assignment == Card.objects.get(token=tokens[1]).assignment


def test_a_grade_refused_in_the_middle_holds_up_none_behind_it(open_context: Opener, watcher: Watcher) -> None:
    """The card was skipped in another window meanwhile."""
    batch = make_reading(12)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    tokens = [desk.token, *desk.waiting]
    door.is_shut = True
    for digit in (4, 0, 3, 1, 2):
        desk.press_and_go_on(str(digit))
    reason = Assignment.SkipReason.OTHER
    skip_item(batch.participations.get(), token=tokens[2], reason=reason, moment=clock.now(), ahead=MOST_AHEAD)
    door.open()
    desk.all_sent()
    assert grades_in(batch) == [4, 0, 1, 2]
    assert list(Judgment.objects.order_by("pk").values_list("token", flat=True)) == [*tokens[:2], *tokens[3:5]]
    assert desk.token == tokens[5]
    expect(desk.page.locator("#announce")).to_contain_text("Saved: 2 Fairly relevant")
    desk.grade(3)


def test_a_page_loaded_again_has_the_same_cards_in_the_same_order(open_context: Opener) -> None:
    batch = make_reading(12)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(3)
    desk.all_sent()
    tokens = [desk.token, *desk.waiting]
    for _ in range(3):
        desk.page.reload()
        desk.ready()
        assert [desk.token, *desk.waiting] == tokens
    assert batch.assignments.filter(state="leased").count() == len(tokens) == 1 + MOST_AHEAD


def test_what_waits_unsent_outlives_a_reload_and_the_card_behind_it_stays(open_context: Opener) -> None:
    batch = make_reading(12)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    tokens = [desk.token, *desk.waiting]
    door.is_shut = True
    for digit in (4, 0, 3):
        desk.press_and_go_on(str(digit))
    desk.page.reload()
    door.open()
    desk.ready()
    assert grades_in(batch) == [4, 0, 3]
    assert desk.token == tokens[3]
    assert len(desk.waiting) == MOST_AHEAD
    assert list(Judgment.objects.order_by("pk").values_list("token", flat=True)) == tokens[:3]


def test_the_cards_ahead_go_back_when_the_page_goes(open_context: Opener) -> None:
    batch = make_reading(12)
    desk = Desk.at(open_context(user_of(batch)), batch)
    waiting = Assignment.objects.filter(cards__token__in=desk.waiting)
    assert waiting.filter(state="leased").count() == MOST_AHEAD
    desk.page.goto("/")
    wait_for(desk.page, lambda: waiting.filter(state="expired").count() == MOST_AHEAD, "the cards ahead went back")
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
    expect(desk.status).to_have_text("✓ Saved: 2 Fairly relevant")
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
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    desk.all_sent()
    assert (desk.token, grades_in(batch)) == (following, [3])


def test_two_keys_hit_at_once_grade_one_card(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    following = desk.next
    desk.strike(3, 4)
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert (desk.token, grades_in(batch)) == (following, [3])
