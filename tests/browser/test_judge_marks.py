"""From mark to mark by a key: in the excerpt, and on beyond it into what of a long document was not there yet."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Batch
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of
from tests.browser.odd import FILL, SLEEP
from tests.factories import make_document, make_item

pytestmark = pytest.mark.browser
GAP = f"\n\n{FILL * 8}" * 180  # some 90,000 characters
TEXT = f"{SLEEP * 3}{GAP}\n\nA swift, far away.{GAP}\n\nThe last of the swifts."
HERE = "#text mark.here"
IN_SIGHT = """(() => {
    const mark = document.querySelector('#text mark.here')?.getBoundingClientRect();
    const frame = document.getElementById('document').getBoundingClientRect();
    return mark && mark.top >= frame.top && mark.bottom <= frame.bottom;
})()"""


def make_spread(*texts: str) -> Batch:
    """A batch of documents with these texts, in this order for its one person."""
    batch = make_reading(0)
    for place, text in enumerate(texts):
        document = make_document(batch.collection, f"S{place}", title=f"Spread {place}", text=text)
        make_item(batch, batch.collection.topics.get(), document, shuffle=place + 1)
    Batch.objects.filter(pk=batch.pk).update(n_expected=len(texts))
    batch.participations.update(salt=1)
    batch.refresh_from_db()
    return batch


@pytest.mark.parametrize("width", [1280, 390])
def test_marks_beyond_the_excerpt_are_reached_by_the_key(open_context: Opener, width: int) -> None:
    batch = make_spread(TEXT, TEXT)
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    here = desk.page.locator(HERE)
    n_shown = desk.page.locator("#text mark").count()
    for _ in range(n_shown):
        desk.press("n")
    expect(here).to_have_count(1)
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "excerpt")
    desk.press("n")  # the next one lies 90,000 characters on
    expect(here).to_have_text("swift")
    expect(desk.status).to_contain_text(f"Mark {n_shown + 1} of {n_shown + 2}")
    desk.until(IN_SIGHT)
    desk.press("n")
    expect(here).to_have_text("swifts")
    desk.until(IN_SIGHT)
    desk.press("n")
    expect(desk.status).to_have_text("That is the last mark.")
    desk.press("p", "p")
    expect(desk.status).to_contain_text(f"Mark {n_shown} of {n_shown + 2}")
    desk.until(IN_SIGHT)
    expect(desk.page.locator("#document")).to_be_focused()

    desk.grade(1)  # it was this document that was opened, not every one
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "excerpt")
    expect(here).to_have_count(0)


def test_marks_are_stepped_through_by_buttons_too(open_context: Opener) -> None:
    batch = make_spread(SLEEP * 2)
    page = Desk.at(open_context(user_of(batch), width=390, touch=True), batch).page
    page.get_by_role("button", name="Next mark").tap()
    expect(page.locator(HERE)).to_have_text("Swifts sleep")
    page.get_by_role("button", name="Next mark").tap()
    page.get_by_role("button", name="Previous mark").tap()
    expect(page.locator("#status")).to_contain_text("Mark 1 of ")


def test_after_scrolling_the_steps_go_on_from_what_is_in_sight(open_context: Opener) -> None:
    batch = make_reading(1)
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    desk.press("n", "n")
    expect(desk.status).to_contain_text("Mark 2 of")
    desk.page.locator("#document").evaluate("part => part.scrollTo(0, part.scrollHeight)")
    desk.press("p")
    expect(desk.status).to_contain_text(re.compile("Mark [3-9] of"))
    desk.until(IN_SIGHT)


def test_without_marks_the_page_says_why_it_stays(open_context: Opener) -> None:
    batch = make_spread("Nothing of the kind.", SLEEP)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("n")
    expect(desk.status).to_have_text("Nothing is marked in this document.")
    desk.grade(1)
    desk.press("h", "n")  # they are shown again for it
    expect(desk.page.locator("#marks")).to_have_attribute("aria-pressed", "true")
    expect(desk.page.locator(HERE)).to_have_count(1)
