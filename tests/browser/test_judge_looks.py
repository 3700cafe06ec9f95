"""Every state of the judging page: accessible in light and dark, wide and narrow, and clean of inline code."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Batch, WorkSession
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.desk import Desk, Door, make_reading, user_of
from tests.browser.looks import (
    LARGEST_SHIFT,
    POLICY,
    WATCH_SHIFTS,
    barriers,
    barriers_in_system_colours,
    inline_code,
    overflow,
    policy_of,
    shift,
    shoot,
)
from tests.browser.watcher import Watcher

pytestmark = pytest.mark.browser


def start(desk: Desk) -> None:
    desk.open()
    expect(desk.page.get_by_role("button", name="Start judging")).to_be_visible()


def card(desk: Desk) -> None:
    desk.open()
    desk.begin()


def saved(desk: Desk) -> None:
    card(desk)
    desk.grade(3)


def waiting_grade(desk: Desk) -> None:
    Batch.objects.update(minimum_seconds=60)
    card(desk)
    desk.press("2")
    expect(desk.status).to_contain_text("Waiting: 2")


def undone(desk: Desk) -> None:
    saved(desk)
    desk.press_and_go_on("u")


def refused(desk: Desk) -> None:
    Door.before(desk.page).status = 403
    card(desk)
    desk.press_and_go_on("2")
    expect(desk.trouble).to_contain_text("The server refused it")


def not_saved(desk: Desk) -> None:
    Door.before(desk.page).status = 503
    card(desk)
    desk.press_and_go_on("2")
    expect(desk.trouble).to_contain_text("Not saved yet")


def signed_out(desk: Desk) -> None:
    card(desk)
    Session.objects.all().delete()
    desk.press_and_go_on("2")
    expect(desk.trouble).to_contain_text("You are signed out")


def recent(desk: Desk) -> None:
    saved(desk)
    desk.press("r")
    expect(desk.page.locator("#recent-list button")).to_have_count(1)


def nudged(desk: Desk) -> None:
    card(desk)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=26))
    desk.page.reload()
    expect(desk.page.locator("#nudge")).to_be_visible()


def conflict(desk: Desk) -> None:
    card(desk)
    other = Desk.at(desk.page.context, desk.batch, started=False)
    other.grade(1)
    other.page.close()
    desk.press("3")
    expect(desk.page.get_by_role("button", name="Change to 3")).to_be_visible()


def time_for_a_break(desk: Desk) -> None:
    card(desk)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=55))
    desk.grade(2)
    desk.grade(1)
    expect(desk.page.get_by_role("heading", name="Time for a break")).to_be_visible()


def gone(desk: Desk) -> None:
    card(desk)
    desk.page.evaluate("document.getElementById('gone').hidden = false")


def finished(desk: Desk) -> None:
    card(desk)
    for grade in (0, 1, 2):
        desk.grade(grade)
    expect(desk.page.get_by_role("heading", name="That was the last one. Thank you.")).to_be_visible()


def paused(desk: Desk) -> None:
    Batch.objects.update(state=Batch.State.PAUSED)
    desk.open()
    expect(desk.page.get_by_role("heading", name="This batch is paused")).to_be_visible()


STATES = [
    start, card, saved, waiting_grade, recent, undone, refused, not_saved, signed_out, nudged, gone, conflict,
    time_for_a_break, finished, paused,
]  # fmt: skip
# What opens on a card: by which key or script, what is seen then, and the key that closes it.
OPENED = {
    "guideline": ("g", "#guideline[open]", "Escape"),
    "skip": ("s", "#skip[open]", "Escape"),
    "keys": ("?", "#keys[open]", "Escape"),
    "comment": ("c", "#comment[open]", "Escape"),
    "more": ("document.getElementById('more').click()", "#more-tools.open", "Escape"),
    "meanings": ("d", "#grades .meaning >> nth=0", "d"),
}
EXPECTED = ["status of 401", "status of 403", "status of 409", "status of 503", "503: "]


@pytest.mark.parametrize("state", STATES)
def test_the_state_is_accessible_and_clean(
    open_context: Opener, watcher: Watcher, state: Callable[[Desk], None]
) -> None:
    """Reached narrow and dark, and looked at wide and light, too."""
    watcher.expect(*EXPECTED)
    batch = make_reading(3)
    page = open_context(user_of(batch), width=390, dark=True).new_page()
    page.add_init_script(WATCH_SHIFTS)
    state(Desk(page, batch))
    assert state not in {start, card, nudged, gone} or shift(page) <= LARGEST_SHIFT
    look_at_both_widths(page, f"judge-{state.__name__}")
    if state is not signed_out:
        received = page.request.get(page.url)
        assert policy_of(received) == POLICY
        assert inline_code(received) == []


def test_what_opens_on_a_card_is_accessible(open_context: Opener, subtests: pytest.Subtests) -> None:
    """Opened narrow and dark, one after the other, and looked at wide and light, too."""
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch), width=390, dark=True), batch)
    for name, (opened_by, what, closed_by) in OPENED.items():
        with subtests.test(name):
            desk.page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
            desk.page.emulate_media(color_scheme="dark")
            if len(opened_by) == 1:
                desk.press(opened_by)
            else:
                desk.page.evaluate(opened_by)
            expect(desk.page.locator(what)).to_be_visible()
            if name == "comment":
                desk.page.keyboard.type("Only the second paragraph is about it.")
            look_at_both_widths(desk.page, f"judge-{name}")
        desk.page.keyboard.press(closed_by)


def look_at_both_widths(page: Page, name: str) -> None:
    """As it is, narrow and dark, then wide and light."""
    look(page, f"{name}-390")
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.emulate_media(color_scheme="light")
    look(page, f"{name}-1280")


def look(page: Page, name: str) -> None:
    shoot(page, name)
    assert barriers(page) == []
    assert barriers_in_system_colours(page) == []
    assert overflow(page) <= 0


BACKGROUND = "node => getComputedStyle(node).backgroundColor"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_where_the_system_gives_the_colours_what_is_chosen_stands_out(open_context: Opener, dark: bool) -> None:
    batch = make_reading(2, minimum_seconds=60)
    desk = Desk(open_context(user_of(batch), dark=dark).new_page(), batch)
    desk.page.emulate_media(forced_colors="active", color_scheme="dark" if dark else "light")
    card(desk)
    desk.press("n", "e", "Enter", "3")
    expect(desk.status).to_contain_text("Waiting: 3")
    backgrounds = [grade.evaluate(BACKGROUND) for grade in desk.page.locator(".grade").all()]
    assert [backgrounds.count(each) for each in backgrounds] == [4, 4, 4, 1, 4]
    outline = desk.page.locator("#text mark.evidence").first.evaluate("node => getComputedStyle(node).outlineStyle")
    assert outline == "solid"
    ring = desk.page.locator("#text mark.here").evaluate("node => getComputedStyle(node).outlineColor")
    assert ring != desk.page.locator("body").evaluate(BACKGROUND)
