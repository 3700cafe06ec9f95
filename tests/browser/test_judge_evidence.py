"""Evidence: by selection, by keys and by touch; saved as places in the stored text, shown again, taken away."""

import pytest
from playwright.sync_api import Locator, expect

from annotation.models import Judgment
from annotation.text.shape import text_of_html
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, user_of
from tests.browser.looks import barriers, overflow, shoot
from tests.browser.odd import HTML, PLAIN, make_odd

pytestmark = pytest.mark.browser
both_widths = pytest.mark.parametrize("width", [1280, 390])

# Selects, in the document's text as the browser has it, the first place of a string.
SELECT = """(wanted) => {
    const text = document.getElementById("text"), at = text.textContent.indexOf(wanted);
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), range = document.createRange();
    let place = 0, started = false;
    while (walker.nextNode()) {
        const node = walker.currentNode, next = place + node.data.length;
        if (!started && at < next) { range.setStart(node, at - place); started = true; }
        if (at + wanted.length <= next) { range.setEnd(node, at + wanted.length - place); break; }
        place = next;
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
}"""


def marked(desk: Desk) -> Locator:
    return desk.page.locator("#text mark.evidence")


def marked_text(desk: Desk) -> str:
    return "".join(marked(desk).all_text_contents())


def saved(desk: Desk, text: str) -> str:
    """What the evidence of the last judgment says in the text as it is stored."""
    judgment = Judgment.objects.filter(batch=desk.batch).latest("pk")
    return text[judgment.evidence_start : judgment.evidence_end] if judgment.evidence_end is not None else ""


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("short", "on the wing, high"),
        ("emoji", "👩🏽‍🔬👨‍👩‍👧‍👦 of 🇩🇪🇫🇷"),
        ("arabic", "تنام في الهواء (swifts"),
        ("chinese", "飞行中睡觉。它们"),
        ("control", "red\ufffd[0m"),
        ("html", "sleep on wi"),
        ("middling", "Swifts sleep on the wing, high above"),
        ("long", "Swifts sleep on the wing"),
        ("longhtml", "Swifts sleep on the wing"),
    ],
)
def test_a_selection_becomes_the_evidence(open_context: Opener, name: str, wanted: str) -> None:
    batch = make_odd(name)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.page.evaluate(SELECT, wanted)
    desk.press("e")
    assert marked_text(desk) == wanted
    expect(desk.page.locator("#evidence-line")).to_be_visible()
    desk.press("2")
    desk.gone(desk.token)
    text = text_of_html(HTML[name]) if name in HTML else PLAIN[name]
    assert saved(desk, text).replace("\x1b", "\ufffd") == wanted


def test_blanks_around_a_selection_are_left_out(open_context: Opener) -> None:
    batch = make_odd("short")
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.page.evaluate(SELECT, " on the wing, ")
    desk.press("e")
    assert marked_text(desk) == "on the wing,"
    assert desk.page.evaluate("getSelection().isCollapsed")


@both_widths
def test_sentence_by_sentence_with_the_arrow_keys(open_context: Opener, width: int) -> None:
    """No selection, no mouse: the first press chooses a sentence, the arrow keys another or more."""
    batch = make_odd("middling", "short")
    desk = Desk.at(open_context(user_of(batch), width=width), batch)
    one = "Swifts sleep on the wing, high above the city, for half a minute at a time."
    weather = "The weather of that day was as it is on most days of the year."
    desk.press("e")
    assert marked_text(desk) == one
    shoot(desk.page, f"judge-evidence-{width}")
    desk.press("ArrowDown", "ArrowDown")
    assert marked_text(desk) == weather
    desk.press("ArrowUp")
    assert marked_text(desk) == one
    desk.press("Shift+ArrowUp")
    assert marked_text(desk) == f"{one} {one}"
    desk.press("Enter", "ArrowDown")
    assert marked_text(desk) == f"{one} {one}", "kept: the arrow keys scroll again"
    assert barriers(desk.page) == []
    assert overflow(desk.page) <= 0
    desk.grade(3)
    assert saved(desk, PLAIN["middling"]) == f"{one} {one}"
    expect(marked(desk)).to_have_count(0)
    expect(desk.page.locator("#evidence-line")).to_be_hidden()
    desk.grade(2)
    assert saved(desk, PLAIN["short"]) == "", "evidence is of one card"


def test_escape_leaves_it_as_it_was_and_delete_takes_it_away(open_context: Opener) -> None:
    batch = make_odd("short")
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("e", "Escape")
    expect(marked(desk)).to_have_count(0)
    desk.press("e", "Enter", "e", "ArrowDown", "Escape")
    assert marked_text(desk) == PLAIN["short"][:75]
    desk.press("e", "Delete")
    expect(marked(desk)).to_have_count(0)
    desk.press("1")
    desk.gone(desk.token)
    assert saved(desk, PLAIN["short"]) == ""


def test_the_evidence_is_there_after_undo_and_can_be_changed(open_context: Opener) -> None:
    batch = make_odd("short", "middling")
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.page.evaluate(SELECT, "high above")
    desk.press("e")
    desk.grade(3)
    desk.press_and_go_on("u")
    assert marked_text(desk) == "high above"
    desk.page.reload()
    assert marked_text(desk) == "high above"
    desk.page.evaluate(SELECT, "the city")
    desk.press("e")
    desk.grade(3)
    assert saved(desk, PLAIN["short"]) == "the city"
    desk.press_and_go_on("u")
    desk.page.get_by_role("button", name="Remove").click()
    desk.grade(3)
    revisions = Judgment.objects.order_by("pk").values_list("revision", "evidence_start")
    assert list(revisions) == [(1, 26), (2, 37), (3, None)]


def test_it_stays_when_the_text_around_it_changes(open_context: Opener) -> None:
    """Marks, own words, all of a long document: the evidence stays where it is."""
    batch = make_odd("long")
    desk = Desk.at(open_context(user_of(batch)), batch)
    wanted = "Swifts sleep on the wing"
    desk.page.evaluate(SELECT, wanted)
    desk.press("e", "f")
    desk.until("document.getElementById('text').dataset.first === '0'")
    assert marked_text(desk) == wanted
    desk.press("w")
    desk.page.keyboard.type("wing")
    desk.press("Enter")
    expect(desk.page.locator("#text mark.own").first).to_be_attached()
    desk.press("h")
    assert marked_text(desk) == wanted
    desk.press("2")
    desk.gone(desk.token)
    assert saved(desk, PLAIN["long"]) == wanted


def test_by_buttons_and_a_tap(open_context: Opener) -> None:
    """As a finger has it: no key pressed, targets of 44 pixels at least."""
    batch = make_odd("middling")
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    page = desk.page
    page.get_by_role("button", name="Evidence").click()
    one = "Swifts sleep on the wing, high above the city, for half a minute at a time."
    assert marked_text(desk) == one
    for name in ("Sentence before", "Sentence after", "Longer", "Done", "Remove"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 36, name
    page.get_by_role("button", name="Longer").click()
    assert marked_text(desk) == f"{one} {one}"
    paragraph = page.locator("#text p:not(.out)", has_text="The weather").first
    paragraph.click(position={"x": 30, "y": 8})
    assert marked_text(desk).startswith("The weather of that day")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Longer")).to_be_hidden()
    page.locator('.grade[value="2"]').click()
    desk.gone(desk.token)
    assert saved(desk, PLAIN["middling"]).startswith("The weather of that day")


def test_a_selection_survives_the_finger_on_the_button(open_context: Opener) -> None:
    batch = make_odd("short")
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    desk.page.evaluate(SELECT, "high above")
    desk.page.get_by_role("button", name="Evidence").click()
    assert marked_text(desk) == "high above"


def test_an_empty_document_has_none(open_context: Opener) -> None:
    batch = make_odd("empty")
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.press("e")
    expect(desk.status).to_have_text("This document has no text to choose from.")
    desk.press("0")
    desk.gone(desk.token)
    assert saved(desk, "") == ""
