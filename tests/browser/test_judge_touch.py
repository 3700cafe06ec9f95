"""The judging page under a thumb: everything by tapping alone, large enough, low enough."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from annotation.models import Assignment, Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of
from tests.browser.looks import overflow, shoot

pytestmark = pytest.mark.browser
SMALLEST = 48
PHONE, NARROWEST = 390, 320
BACKGROUND = "node => getComputedStyle(node).backgroundColor"
SHADE, EDGE = 8, 4  # shades of grey of 255; pixels


def sizes(page: Page) -> dict[str, tuple[float, float, float]]:
    """Width, height and top of every control in the bar that is on the screen, by its name."""
    boxes: dict[str, tuple[float, float, float]] = {}
    for control in page.locator("#bar button, #bar summary, #bar label, #bar a").all():
        box = control.bounding_box()
        if control.is_visible() and box is not None and control.get_attribute("for") is None:
            boxes[control.inner_text().split("\n")[0]] = (box["width"], box["height"], box["y"])
    return boxes


def test_everything_by_tapping_alone(open_context: Opener) -> None:
    batch = make_reading(6)
    page = open_context(user_of(batch), width=PHONE, touch=True).new_page()
    desk = Desk(page, batch)
    desk.open()
    page.get_by_role("button", name="Start judging").tap()
    desk.ready()

    def tap(name: str, *, turns: bool = True) -> None:
        before = desk.token
        desk.look()
        page.locator("#bar :is(button, summary, label):visible").filter(has_text=name).first.tap()
        if turns:
            desk.gone(before)

    item = desk.item()
    tap("Comment", turns=False)
    page.get_by_role("textbox", name="Comment").fill("Short.")
    tap("Done", turns=False)
    tap("Highly relevant")
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    desk.look()
    assert len({grade.evaluate(BACKGROUND) for grade in page.locator(".grade").all()}) == 1
    tap("Undo")
    assert desk.item() == item
    expect(page.locator("#comment-text")).to_have_value("Short.")
    tap("Keep 3")
    skipped = desk.item()
    tap("Skip", turns=False)
    tap("The topic is unclear", turns=False)
    tap("Skip this card")
    tap("Later")
    tap("More", turns=False)
    tap("Recent", turns=False)
    desk.look()
    before = desk.token
    page.locator("#recent-list button").first.tap()
    desk.gone(before)
    assert desk.item() == item
    tap("Fairly relevant")
    expect(desk.status).to_have_text("✓ Saved: 2 Fairly relevant")
    tap("More", turns=False)
    tap("Meanings", turns=False)
    expect(page.locator(".meaning").first).to_be_visible()
    tap("Answers a part of the topic.")
    expect(desk.status).to_have_text("✓ Saved: 2 Fairly relevant")
    assert list(Judgment.objects.order_by("pk").values_list("grade", "comment")) == [
        (3, "Short."),
        (2, "Short."),
        (2, ""),
    ]
    assert Assignment.objects.get(item=skipped).skip_reason == "unclear"


def test_controls_are_large_and_in_reach_of_the_thumb(open_context: Opener) -> None:
    batch = make_reading(3)
    page = open_context(user_of(batch), width=PHONE, touch=True).new_page()
    desk = Desk(page, batch)
    desk.open()
    page.get_by_role("button", name="Start judging").tap()
    desk.ready()
    viewport = page.viewport_size
    assert viewport is not None
    plain = sizes(page)
    assert {"0", "Undo", "Skip", "Later", "Comment", "Evidence", "More"} <= plain.keys()
    page.locator("#more").tap()
    more = sizes(page)
    assert {"Whole", "Marks", "Meanings", "Recent"} <= more.keys()
    page.locator("#skip > summary").tap()
    for name, (width, height, top) in (plain | more | sizes(page)).items():
        assert (width >= SMALLEST, height >= SMALLEST) == (True, True), f"{name}: {width} by {height}"
        assert top > viewport["height"] / 4, f"{name} is out of reach"
    assert overflow(page) <= 0


LARGER = "document.documentElement.dataset.text = 'larger'"
LONG = "name => { document.querySelector('.site .where span').textContent = name }"


def test_large_text_and_a_long_name_leave_the_document_its_room_and_stop_in_sight(open_context: Opener) -> None:
    batch = make_reading(2)
    batch.collection.topics.get().versions.update(narrative="What tells how birds sleep in flight is relevant. " * 30)
    desk = Desk.at(open_context(user_of(batch), width=PHONE, touch=True), batch)
    desk.page.evaluate(LARGER)
    desk.page.evaluate(LONG, "round" * 40)
    for width, tall in ((PHONE, 844), (1000, 844), (1280, 844), (NARROWEST, 844), (NARROWEST, 640), (360, 640)):
        desk.page.set_viewport_size({"width": width, "height": tall})
        assert overflow(desk.page) <= 0, width
        assert within(desk.page.get_by_role("link", name="Stop"), width)
        assert height(desk.page.locator("#document")) >= 150, (width, tall)
    desk.page.set_viewport_size({"width": PHONE, "height": 844})
    desk.press("d")
    assert height(desk.page.locator("#document")) >= 100
    assert sum(grade.is_visible() for grade in desk.page.locator(".meaning").all()) == 5
    desk.press("d")
    desk.grade(4)
    desk.press_and_go_on("u")
    desk.press("e")
    assert overflow(desk.page) <= 0


def within(part: Locator, width: int) -> bool:
    box = part.bounding_box()
    return box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width


def height(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["height"]


def test_a_second_tap_meets_no_card_unseen(open_context: Opener) -> None:
    batch = make_reading(3)
    page = open_context(user_of(batch), width=PHONE, touch=True).new_page()
    desk = Desk(page, batch)
    desk.open()
    page.get_by_role("button", name="Start judging").tap()
    desk.ready()
    desk.stop_clock()
    following = desk.next
    spot = page.locator('.grade[value="3"]').bounding_box()
    assert spot is not None
    for _ in range(2):
        page.touchscreen.tap(spot["x"] + 20, spot["y"] + 20)
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    desk.all_sent()
    assert (desk.token, list(Judgment.objects.values_list("grade", flat=True))) == (following, [3])


def test_on_a_phone_a_narrative_that_goes_on_is_shaded_at_its_edge(open_context: Opener) -> None:
    batch = make_reading(2)
    batch.collection.topics.get().versions.update(narrative="What tells how birds sleep in flight is relevant. " * 30)
    page = open_context(user_of(batch), width=PHONE, touch=True).new_page()
    desk = Desk(page, batch)
    desk.open()
    page.get_by_role("button", name="Start judging").tap()
    desk.ready()
    body = page.locator(".topic-body")
    assert body.evaluate("body => body.scrollHeight > body.clientHeight + 100")
    shoot(page, "judge-long-narrative")
    body.evaluate("body => { for (const child of body.children) child.style.visibility = 'hidden'; }")
    assert shaded_edges(body) == (False, True)
    body.evaluate("body => body.scrollTo(0, body.scrollHeight / 2 - body.clientHeight / 2)")
    assert shaded_edges(body) == (True, True)
    body.evaluate("body => body.scrollTo(0, body.scrollHeight)")
    assert shaded_edges(body) == (True, False)


def shaded_edges(part: Locator) -> tuple[bool, bool]:
    """Whether the first and the last rows of its pixels are clearly darker than its middle."""
    with Image.open(BytesIO(part.screenshot())) as picture:
        column = list(
            picture.convert("L").crop((picture.width // 2, 0, picture.width // 2 + 1, picture.height)).tobytes()
        )
    darkest = column[len(column) // 2] - SHADE
    return min(column[:EDGE]) < darkest, min(column[-EDGE:]) < darkest
