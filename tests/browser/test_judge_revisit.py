"""Back to what was graded: the last one, those before it, and while a grade is still on its way."""

from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Route, expect

from annotation.models import Assignment, Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, Door, grades_in, make_reading, user_of, wait_for
from tests.browser.watcher import Watcher

pytestmark = pytest.mark.browser
both_widths = pytest.mark.parametrize("width", [1280, 390])
ON_ITS_WAY = "You chose 3 Highly relevant, which is on its way. Choose again, or keep it."


def test_a_grade_on_its_way_can_be_changed(open_context: Opener, watcher: Watcher) -> None:
    """It has left the page, so the new one follows it: nothing is asked, both are written, the new one stands."""
    watcher.expect("status of 409")
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    first, second = desk.token, desk.next
    door.is_shut = True
    desk.press_and_go_on("3")
    desk.press_and_go_on("u")
    assert desk.token == first
    expect(desk.status).to_have_text(ON_ITS_WAY)
    expect(desk.page.locator('.grade[value="3"]')).to_contain_text("on its way")
    desk.press_and_go_on("1")
    assert desk.token == second
    door.open()
    expect(desk.status).to_have_text("✓ Saved: 1 Marginally relevant")
    assert desk.token == second
    assert list(Judgment.objects.order_by("pk").values_list("grade", "revision")) == [(3, 1), (1, 2)]


def test_a_grade_on_its_way_can_be_kept(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    second = desk.next
    door.is_shut = True
    desk.press_and_go_on("3")
    desk.press_and_go_on("u")
    desk.press_and_go_on("k")
    assert desk.token == second
    expect(desk.status).to_have_text("Saving: 3 Highly relevant …")
    door.open()
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert grades_in(batch) == [3]


def test_a_grade_that_was_saved_can_be_kept(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(3)
    following = desk.token
    desk.press_and_go_on("u")
    for key in "sl":
        desk.press("n")
        expect(desk.status).to_contain_text("ark")
        desk.press(key)
        expect(desk.status).to_contain_text("cannot be skipped or put off")
    desk.press_and_go_on("k")
    expect(desk.status).to_have_text("Kept: 3 Highly relevant")
    assert (desk.token, grades_in(batch)) == (following, [3])


def test_the_time_of_a_card_that_was_put_aside_goes_on(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch, hasty=True)
    desk.grade(3)
    desk.page.clock.fast_forward(60_000)
    desk.press_and_go_on("u")
    desk.press_and_go_on("k")
    with desk.page.expect_request(
        lambda request: request.post_data is not None and "wall_ms" in request.post_data
    ) as sent:
        desk.press("2")
    assert int(parse_qs(sent.value.post_data or "")["wall_ms"][0]) >= 60_000


def test_without_a_network_the_last_grade_can_be_changed_before_it_goes(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("ERR_INTERNET_DISCONNECTED")
    batch = make_reading(4)
    context = open_context(user_of(batch))
    desk = Desk.at(context, batch)
    context.set_offline(True)
    desk.press_and_go_on("3")
    expect(desk.trouble).to_contain_text("1 judgment waits")
    desk.press_and_go_on("u")
    desk.press_and_go_on("1")
    expect(desk.trouble).to_contain_text("1 judgment waits")
    context.set_offline(False)
    expect(desk.status).to_have_text("✓ Saved: 1 Marginally relevant")
    assert grades_in(batch) == [1]


def test_undo_goes_back_one_after_the_other(open_context: Opener) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    items = [desk.grade(grade) for grade in (0, 1, 2)]
    last = desk.token
    for item, grade in reversed(list(zip(items, (0, 1, 2), strict=True))):
        desk.press_and_go_on("u")
        assert desk.item() == item
        expect(desk.status).to_have_text(f"You graded this {grade}. That stands until you save another grade.")
    expect(desk.page.get_by_role("button", name="Undo")).to_be_disabled()
    desk.press_and_go_on("4")
    assert desk.token == last
    expect(desk.status).to_have_text("✓ Saved: 4 Perfectly relevant")
    assert grades_in(batch) == [0, 1, 2, 4]


def test_undo_meets_each_card_once_also_what_was_graded_anew_or_before_the_page(open_context: Opener) -> None:
    batch = make_reading(6)
    desk = Desk.at(open_context(user_of(batch)), batch, hasty=True)
    earlier = [desk.grade(grade) for grade in (0, 1)]
    desk.page.reload()
    desk.ready()
    first, second = (desk.grade(grade) for grade in (2, 3))
    desk.press_and_go_on("u")
    desk.grade(4)
    met = []
    for _ in range(5):
        desk.press_and_go_on("u")
        met.append(desk.item())
        if desk.page.get_by_role("button", name="Undo").is_disabled():
            break
    assert met == [second, first, *reversed(earlier)]


def test_an_undo_whose_answer_is_lost_opens_the_same_card(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("ERR_FAILED")
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    lost: list[str] = []

    def lose_first_answer(route: Route) -> None:
        if lost:
            return route.continue_()
        lost.append(route.request.post_data or "")
        route.fetch()
        return route.abort()

    desk.page.route("**/undo", lose_first_answer)
    desk.open()
    desk.begin()
    desk.grade(0)
    item = desk.grade(1)
    desk.press("u")
    expect(desk.trouble).to_have_text("Opening it again: no connection; trying again in 2 s.")
    desk.press("3")  # not on the card that is about to go
    before = desk.token
    desk.page.get_by_role("button", name="Try now").press("Enter")
    desk.gone(before)
    assert desk.item() == item
    assert grades_in(batch) == [0, 1]


def test_an_undo_that_waits_can_be_taken_back(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("ERR_INTERNET_DISCONNECTED")
    batch = make_reading(4)
    context = open_context(user_of(batch))
    desk = Desk.at(context, batch)
    desk.grade(0)
    token = desk.token
    context.set_offline(True)
    desk.press("u")
    expect(desk.trouble).to_contain_text("Opening it again: no connection")
    desk.press("Escape")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    context.set_offline(False)
    desk.grade(2)
    assert desk.token != token
    assert grades_in(batch) == [0, 2]


DEEDS = pytest.mark.parametrize(("deed", "keys"), [("later", "l"), ("skip", "s1")])


def put_aside(desk: Desk, keys: str) -> str:
    """Put the card off, or skip it with the first reason; its token."""
    token = desk.token
    desk.press(keys[0])
    if keys[1:]:
        desk.press(keys[1], "Enter")
    desk.gone(token)
    return token


@both_widths
@DEEDS
def test_a_card_skipped_or_put_off_comes_back(open_context: Opener, deed: str, keys: str, width: int) -> None:
    """Nobody has heard of it: the card is graded as if nothing had been pressed."""
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch), width=width).new_page(), batch)
    door = Door.before(desk.page, deed)
    desk.open()
    desk.begin()
    following = desk.next
    first = put_aside(desk, keys)
    expect(desk.status).to_contain_text("Undo brings it back.")
    desk.press_and_go_on("u")
    assert desk.token == first
    expect(desk.status).to_have_text("Taken back: here it is again.")
    expect(desk.page.get_by_role("button", name="Undo")).to_be_disabled()
    desk.grade(3)
    assert (desk.token, door.asked) == (following, [])
    assert Assignment.objects.get(cards__token=first).state == "judged"


@DEEDS
def test_it_goes_before_the_next_deed(open_context: Opener, deed: str, keys: str) -> None:
    batch = make_reading(9)
    desk = Desk.at(open_context(user_of(batch)), batch)
    first = put_aside(desk, keys)
    item = desk.grade(2)
    assert Assignment.objects.get(cards__token=first).state == {"later": "later", "skip": "skipped"}[deed]
    desk.press_and_go_on("u")
    assert desk.item() == item


@DEEDS
def test_it_goes_when_the_page_goes(open_context: Opener, deed: str, keys: str) -> None:
    batch = make_reading(9)
    desk = Desk.at(open_context(user_of(batch)), batch)
    first = put_aside(desk, keys)
    desk.page.goto("/")
    gone = Assignment.objects.filter(cards__token=first, state={"later": "later", "skip": "skipped"}[deed])
    wait_for(desk.page, gone.exists, "what was held has arrived")


@DEEDS
def test_where_no_card_waits_it_goes_at_once(open_context: Opener, deed: str, keys: str) -> None:
    batch = make_reading(1)
    desk = Desk.at(open_context(user_of(batch)), batch)
    with desk.page.expect_response(f"**/{deed}"):
        desk.press(keys[0])
        if keys[1:]:
            desk.press(keys[1], "Enter")


@pytest.mark.parametrize("keys", ["l", "s1"])
def test_an_undo_after_what_was_sent_says_so_first(open_context: Opener, keys: str) -> None:
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    item = desk.grade(3)
    put_aside(desk, keys)
    desk.let_go()
    desk.all_sent()
    after = desk.token
    desk.press("u")
    expect(desk.status).to_contain_text("Undo once more opens the card you graded before it.")
    desk.all_sent()
    assert desk.token == after
    desk.press_and_go_on("u")
    assert desk.item() == item


@both_widths
def test_the_list_of_recent_judgments(open_context: Opener, width: int) -> None:
    batch = make_reading(5)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    items = [desk.grade(grade) for grade in (0, 1, 2)]
    last = desk.token
    desk.press("r")
    rows = desk.page.locator("#recent-list button")
    expect(rows).to_have_count(3)
    expect(rows.first).to_be_focused()
    expect(rows.first).to_contain_text("2 Fairly relevant")
    desk.press("Tab", "Tab")
    desk.press_and_go_on("Enter")
    assert desk.item() == items[0]
    expect(desk.page.locator("#recent")).not_to_have_attribute("open", "")
    desk.press_and_go_on("3")
    assert desk.token == last
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert list(items[0].judgments.order_by("pk").values_list("grade", flat=True)) == [0, 3]
    desk.press("r")
    expect(rows.last).to_contain_text("3 Highly relevant")
    desk.press("Escape")
    expect(desk.page.locator("#document")).to_be_focused()


def test_the_list_without_a_script(open_context: Opener) -> None:
    batch = make_reading(3)
    page = open_context(user_of(batch), script=False).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start judging").click()
    page.get_by_role("button", name="3 Highly relevant").click()
    expect(page.locator("#status")).to_have_text("Saved: 3 Highly relevant")
    page.locator("#recent > summary").click()
    page.get_by_role("link", name="Open the list").click()
    page.get_by_role("button", name="3 Highly relevant").click()
    expect(page.locator("#status")).to_have_text("You graded this 3. That stands until you save another grade.")
