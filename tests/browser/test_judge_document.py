"""What of a document is shown, and how: excerpt and whole, marks and own words, whatever the document is made of."""

import pytest
from playwright.sync_api import expect

from annotation.judging.read.card_documents import card_of, document_of
from annotation.models import ExtraTerms, JudgingChoices
from annotation.text.graphemes import may_cut
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, user_of, wait_for
from tests.browser.looks import barriers, inline_code, overflow, shoot
from tests.browser.odd import HTML, NAMES, PLAIN, SLEEP, make_odd

pytestmark = pytest.mark.browser
both_widths = pytest.mark.parametrize("width", [1280, 390])
TEXT = "document.getElementById('text')"
IS_WHOLE = f"{TEXT}.dataset.first === '0' && {TEXT}.dataset.last === {TEXT}.dataset.length"


def reading_line(desk: Desk) -> str:
    """What the line over the document says is shown."""
    return " ".join(desk.page.locator("#reading-choice > span:visible").inner_text().split())


def chosen(desk: Desk, **wanted: object) -> None:
    """It has reached the server, which hears of it on the way."""
    choices = JudgingChoices.objects.filter(user=user_of(desk.batch), **wanted)
    wait_for(desk.page, choices.exists, f"{wanted} chosen")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["wide-light", "narrow-dark"])
def test_every_odd_document_shows_safely_and_whole(open_context: Opener, width: int, dark: bool) -> None:
    """Each is shown character by character, breaks nothing, and the page stays as wide as its window."""
    names = [name for name in NAMES if name not in ("long", "line", "longhtml")]
    batch = make_odd(*names)
    desk = Desk.at(open_context(user_of(batch), width=width, dark=dark), batch)
    participation = batch.participations.get()
    for name in names:
        assert desk.title == name
        document = document_of(card_of(participation, desk.token), whole=True)
        stored = PLAIN.get(name)
        shown = desk.page.evaluate(f"{TEXT}.textContent")
        assert len(shown) == document.length
        assert stored is None or len(shown) == len(stored)
        assert desk.page.title().startswith("Judge: ")
        assert overflow(desk.page) <= 0
        shoot(desk.page, f"judge-document-{name}-{width}")
        desk.grade(1)
    assert grades_in(batch) == [1] * len(names)


@pytest.mark.parametrize("name", ["html", "table", "hebrew", "middling"])
def test_odd_documents_are_accessible(open_context: Opener, name: str) -> None:
    batch = make_odd(name)
    page = Desk.at(open_context(user_of(batch), width=390), batch).page
    assert barriers(page) == []
    assert inline_code(page.request.get(page.url)) == []


def test_control_characters_and_overrides_are_seen(open_context: Opener) -> None:
    batch = make_odd("control", "bidi")
    desk = Desk.at(open_context(user_of(batch)), batch)
    expect(desk.page.locator("#text p").first).to_contain_text("Swifts\ufffd sleep\ufffd[31m red\ufffd[0m\ufffd")
    desk.grade(1)
    expect(desk.page.locator("#text p").first).to_contain_text("The file ↤gpj.exe")


def test_each_paragraph_has_its_own_direction(open_context: Opener) -> None:
    batch = make_odd("hebrew")
    page = Desk.at(open_context(user_of(batch)), batch).page
    sides = page.evaluate(
        """[...document.querySelectorAll("#text p")].map((p) => {
            const range = document.createRange();
            range.selectNodeContents(p);
            const line = [...range.getClientRects()].at(-1), box = p.getBoundingClientRect();
            return line.left - box.left > box.right - line.right ? "right" : "left";
        })"""
    )
    assert sides == ["right", "left"]


def test_wide_tables_and_code_scroll_inside(open_context: Opener) -> None:
    batch = make_odd("table")
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    for wide in ("#text table", "#text pre"):
        assert desk.page.locator(wide).evaluate("node => node.scrollWidth > node.clientWidth")
    assert overflow(desk.page) <= 0
    assert desk.page.evaluate("document.getElementById('document').scrollWidth <= innerWidth")


@both_widths
def test_the_excerpt_comes_first_and_all_of_it_by_a_key(open_context: Opener, width: int) -> None:
    batch = make_odd("middling", "chinese", "short")
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    assert reading_line(desk).startswith("Excerpt: ")
    hidden = desk.page.locator("#text p.out").first
    expect(hidden).to_be_hidden()
    expect(desk.page.locator("#text")).to_contain_text(SLEEP.strip())

    desk.press("f")
    expect(hidden).to_be_attached()
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "whole")
    assert reading_line(desk).startswith("Whole document: 7,")
    desk.until(f"{TEXT}.querySelector('mark').getBoundingClientRect().top > 0")
    expect(desk.page.locator("#document")).to_be_focused()

    desk.grade(2)  # the choice goes on with the person
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "whole")
    chosen(desk, reading="whole")
    desk.page.reload()
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "whole")

    desk.press("f")
    expect(desk.page.locator(".reading")).to_have_attribute("data-view", "excerpt")
    desk.grade(2)
    assert reading_line(desk).startswith("Whole document: 1")
    desk.press("f")
    expect(desk.status).to_have_text("This document is short: all of it is shown.")


@pytest.mark.parametrize("name", ["long", "line", "longhtml"])
def test_a_megabyte_comes_on_demand_and_stays_where_one_reads(open_context: Opener, name: str) -> None:
    batch = make_odd(name)
    desk = Desk.at(open_context(user_of(batch)), batch)
    assert len(desk.page.content()) < 40_000
    before = desk.page.locator("#text mark").first.bounding_box()
    desk.press("f")
    desk.until(IS_WHOLE)
    stored = (PLAIN | HTML)[name]
    assert desk.page.evaluate(f"{TEXT}.textContent.length") == desk.page.evaluate(f"Number({TEXT}.dataset.length)")
    assert name == "longhtml" or desk.page.evaluate(f"{TEXT}.textContent.length") == len(stored)
    after = desk.page.locator("#text mark").first.bounding_box()
    assert before is not None
    assert after is not None
    assert 0 < after["y"] < 800
    desk.press("End")
    frame = "document.getElementById('document')"
    desk.until(f"{frame}.scrollTop + {frame}.clientHeight >= {frame}.scrollHeight - 40")
    desk.press("f")
    desk.until(f"{TEXT}.closest('.reading').dataset.view === 'excerpt'")
    desk.grade(3)


def test_the_marks_go_and_stay_away(open_context: Opener) -> None:
    batch = make_odd("short", "middling")
    desk = Desk.at(open_context(user_of(batch)), batch)
    mark = desk.page.locator("#text mark").first
    assert mark.evaluate("node => getComputedStyle(node).backgroundColor") != "rgba(0, 0, 0, 0)"
    desk.press("h")
    assert mark.evaluate("node => getComputedStyle(node).backgroundColor") == "rgba(0, 0, 0, 0)"
    desk.grade(1)
    chosen(desk, marks=False)
    desk.page.reload()
    expect(desk.page.locator("#marks")).to_have_attribute("aria-pressed", "false")
    expect(desk.page.locator("body")).to_have_class("judging no-marks")


@both_widths
def test_own_words_by_the_keyboard(open_context: Opener, width: int) -> None:
    batch = make_odd("short", "middling", "long")
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    desk.press("w")
    field = desk.page.get_by_role("textbox", name="Words to mark besides the topic’s")
    expect(field).to_be_focused()
    desk.page.keyboard.type("wings, weather 3")
    desk.press("Enter")
    own = desk.page.locator("#text mark.own")
    expect(own).to_have_text(["wing", "wing"])
    expect(field).to_be_hidden()
    expect(desk.page.locator("#document")).to_be_focused()
    style = "node => [getComputedStyle(node).textDecorationLine, getComputedStyle(node).textDecorationStyle]"
    assert own.first.evaluate(style) == ["underline", "dotted"]
    shoot(desk.page, f"judge-own-words-{width}")
    assert ExtraTerms.objects.get().words == ["wings", "weather", "3"]
    expect(desk.page.locator("#words-n")).to_have_text(" (3)")

    desk.grade(2)  # a card that was fetched before
    expect(desk.page.locator("#text mark.own").first).to_be_attached()
    assert desk.page.locator("#text mark.own").filter(has_text="weather").count() == PLAIN["middling"].count("weather")
    assert grades_in(batch) == [2]
    desk.press("w", "Control+a", "Delete", "Enter")
    expect(own).to_have_count(0)
    assert not ExtraTerms.objects.exists()


def test_own_words_in_the_whole_of_a_long_document(open_context: Opener) -> None:
    batch = make_odd("long")
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("f")
    desk.until(IS_WHOLE)
    desk.press("w")
    desk.page.keyboard.type("minute")
    desk.press("Enter")
    expect(desk.page.locator("#text mark.own")).to_have_text(["minute"] * 3)
    desk.until(IS_WHOLE)


@both_widths
def test_without_javascript(open_context: Opener, width: int) -> None:
    batch = make_odd("long", "middling")
    page = open_context(user_of(batch), width=width, script=False).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start judging").click()
    expect(page.locator("#reading-choice")).to_contain_text("Excerpt: ")
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".reading")).to_have_attribute("data-view", "whole")
    expect(page.locator("#text")).to_have_attribute("data-last", str(len(PLAIN["long"])))
    page.locator("#words > summary").click()
    page.get_by_role("textbox", name="Words to mark").fill("minute")
    page.get_by_role("button", name="Mark them").click()
    expect(page.locator("#text mark.own")).to_have_count(3)
    page.get_by_role("button", name="Excerpt").click()
    expect(page.locator("#text")).not_to_have_attribute("data-last", str(len(PLAIN["long"])))


def test_an_excerpt_cuts_no_character_that_the_browser_knows(open_context: Opener) -> None:
    """Cut by cut against the browser's own segmenter."""
    batch = make_odd("short")
    page = Desk.at(open_context(user_of(batch)), batch).page
    text = PLAIN["emoji"] * 20 + PLAIN["hebrew"] + "नमस्ते दुनिया हिन्दी 한국어 각 \u1112\u1161\u11ab ไทยกำลัง \r\n" * 40
    borders = page.evaluate(
        "(text) => [...new Intl.Segmenter().segment(text)].map(({ index }) => [...text.slice(0, index)].length)",
        text,
    )
    ours = [place for place in range(len(text)) if may_cut(text, place)]
    assert set(ours) <= set(borders)
    assert len(ours) > 0.95 * len(borders)
