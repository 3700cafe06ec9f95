"""The judging page by the keyboard alone, on a desk and on a phone."""

import pytest
from playwright.sync_api import expect

from annotation.models import Assignment, Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, make_reading, user_of

pytestmark = pytest.mark.browser
DOCUMENT = "document.getElementById('document')"
ROOT = "document.documentElement"
both_widths = pytest.mark.parametrize("width", [1280, 390])


@both_widths
def test_twenty_items_by_the_keyboard_alone(open_context: Opener, width: int) -> None:
    batch = make_reading(8, n_topics=3)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    wanted: list[tuple[int, int, str]] = []  # item, grade, comment: as they were pressed

    wanted.extend((desk.grade(grade).pk, grade, "") for grade in (3, 0, 4, 1, 2, 2, 0))

    for digit in (4, 1, 0):
        item, before = desk.item(), desk.token
        desk.numpad(digit)
        desk.gone(before)
        wanted.append((item.pk, digit, ""))

    desk.press("c")
    desk.page.keyboard.type("Says 3 of 4 things.")
    desk.press("Escape")
    wanted.append((desk.grade(3).pk, 3, "Says 3 of 4 things."))

    skipped = desk.item()
    desk.press("s", "2", "Tab")
    desk.page.keyboard.type("Blank after 2 lines")
    desk.press("Tab")
    desk.press_and_go_on("Enter")

    put_off = desk.item()
    desk.press_and_go_on("l")

    item = desk.grade(1)
    wanted.append((item.pk, 1, ""))
    desk.press_and_go_on("u")
    expect(desk.status).to_have_text("You graded this 1. That stands until you save another grade.")
    assert desk.item() == item
    desk.grade(2)
    wanted.append((item.pk, 2, ""))

    desk.press_and_go_on("u")
    desk.press_and_go_on("k")
    assert desk.item() != item

    wanted.extend((desk.grade(grade).pk, grade, "") for grade in (0, 1, 2, 3, 4, 0, 1))

    written = Judgment.objects.filter(batch=batch).order_by("pk").values_list("item", "grade", "comment")
    assert list(written) == wanted
    assert len({item for item, _, _ in wanted}) >= 19
    assert Assignment.objects.get(item=skipped).skip_reason == Assignment.SkipReason.LANGUAGE
    assert Assignment.objects.get(item=skipped).skip_note == "Blank after 2 lines"
    assert Assignment.objects.get(item=put_off).state != Assignment.State.SKIPPED
    assert not Judgment.objects.filter(batch=batch, early=True).exists()


@both_widths
def test_the_document_keeps_the_focus_and_is_all_that_scrolls(open_context: Opener, width: int) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    desk.press("f")
    desk.grade(2)
    document = desk.page.locator("#document")
    expect(document).to_be_focused()
    desk.press("ArrowDown", "ArrowDown", "Space")
    desk.until(f"{DOCUMENT}.scrollTop > 100")
    desk.press("End")
    desk.until(f"{DOCUMENT}.scrollTop + {DOCUMENT}.clientHeight >= {DOCUMENT}.scrollHeight - 1")
    assert desk.page.evaluate("[scrollX, scrollY]") == [0, 0]
    assert desk.page.evaluate(f"{ROOT}.scrollHeight <= innerHeight")
    assert desk.page.evaluate(f"{ROOT}.scrollWidth <= innerWidth")
    desk.grade(3)
    assert document.evaluate("node => node.scrollTop") == 0, "a new document begins at its beginning"


@both_widths
def test_the_grades_are_large_and_in_reach(open_context: Opener, width: int) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    desk.press("End")
    sizes = [button.bounding_box() for button in desk.page.locator(".grade").all()]
    assert len(sizes) == 5
    viewport = desk.page.viewport_size
    assert viewport is not None
    for box in sizes:
        assert box is not None
        assert (box["width"] >= 48, box["height"] >= 48) == (True, True)
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= viewport["width"]
        assert box["y"] + box["height"] <= viewport["height"]


@pytest.mark.parametrize(("width", "height"), [(1280, 420), (390, 560)])
def test_in_a_low_window_the_page_scrolls_and_the_grades_stay(open_context: Opener, width: int, height: int) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch), width=width, height=height), batch)
    desk.press("f")
    desk.page.evaluate("scrollTo(0, 0)")
    for button in desk.page.locator(".grade").all():
        expect(button).to_be_in_viewport(ratio=1)
    assert desk.page.evaluate(f"{ROOT}.scrollWidth <= innerWidth")


def test_a_grade_by_click_or_by_enter_on_the_button_counts_once(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    before = desk.token
    desk.page.locator(".grade").nth(4).click()
    desk.gone(before)
    before = desk.token
    desk.page.locator(".grade").nth(1).focus()
    desk.press("Enter")
    desk.gone(before)
    expect(desk.status).to_have_text("✓ Saved: 1 Marginally relevant")
    assert grades_in(batch) == [4, 1]


@both_widths
def test_panels_open_and_close_by_their_keys(open_context: Opener, width: int) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    page = desk.page
    document = page.locator("#document")

    for key, panel, inside in (
        ("g", "#guideline", ".guideline-body"),
        ("c", "#comment", "#comment-text"),
        ("s", "#skip", "#skip input[value=broken]"),
    ):
        desk.press(key)
        expect(page.locator(inside)).to_be_visible()
        expect(page.locator(inside)).to_be_focused()
        desk.press("Escape")
        expect(page.locator(panel)).not_to_have_attribute("open", "")
        expect(document).to_be_focused()

    desk.press("g", "g")
    expect(page.locator(".guideline-body")).to_be_hidden()

    desk.press("t")
    expect(page.locator(".topic-body")).to_be_hidden()
    desk.press("t")
    expect(page.locator(".topic-body")).to_be_visible()

    assert page.locator("#document mark").count() > 0
    desk.press("h")
    expect(page.locator("#marks")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("body")).to_have_class("judging no-marks")
    desk.press("h")
    expect(page.locator("#marks")).to_have_attribute("aria-pressed", "true")

    desk.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    desk.press("3", "Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    expect(document).to_be_focused()
    assert grades_in(batch) == []


def test_folding_and_marks_stay_for_the_next_card(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("t", "h")
    desk.grade(1)
    expect(desk.page.locator(".topic-body")).to_be_hidden()
    expect(desk.page.locator("#marks")).to_have_attribute("aria-pressed", "false")


def test_a_new_topic_is_said_and_unfolded(open_context: Opener) -> None:
    batch = make_reading(1, n_topics=2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    expect(desk.page.locator("#topic-new")).to_be_hidden()
    desk.press("t")
    desk.grade(1)
    expect(desk.page.locator("#topic-new")).to_be_visible()
    expect(desk.page.locator(".topic-body")).to_be_visible()
    expect(desk.page.locator("#announce")).to_contain_text("New topic")


def test_the_keys_can_be_switched_off(open_context: Opener) -> None:
    batch = make_reading(2)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("?")
    desk.page.get_by_role("checkbox", name="Use these keys").focus()
    desk.press("Space", "Escape")
    desk.press("3", "g")
    expect(desk.page.locator(".guideline-body")).to_be_hidden()
    desk.page.reload()
    expect(desk.page.get_by_role("checkbox", name="Use these keys", include_hidden=True)).not_to_be_checked()
    assert grades_in(batch) == []
