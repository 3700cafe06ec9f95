"""Guidelines with worked examples, texts to agree to and rounds of training: by keyboard, wide and narrow, by script
and without."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.corpus.steps.guidelines import revise_guideline
from annotation.models import (
    Batch,
    Case,
    Collection,
    Consent,
    DocumentVersion,
    GuidelineReading,
    JudgingChoices,
    Judgment,
    QualificationAttempt,
    User,
)
from annotation.people.steps.information import revise_information
from tests.annotation.qualified import make_round
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, Door, make_reading, user_of, wait_for
from tests.browser.looks import POLICY, barriers, inline_code, overflow, policy_of, shoot
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.browser
CASES = [
    Case(topic=f"Topic {n}", document=f"A page that says {n}", grade=n % 5, reason=f"Because of {n}") for n in range(12)
]


def looked_at(page: Page, name: str) -> None:
    """In light and dark: clean, without barriers, no wider than the window. Needs the page's scripts switched on."""
    answer = page.request.get(page.url)
    assert (policy_of(answer), inline_code(answer)) == (POLICY, [])
    width = page.viewport_size["width"] if page.viewport_size else 1280
    shoot(page, f"{name}-{width}")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert barriers(page) == []
    page.emulate_media(color_scheme="light")
    assert overflow(page) <= 0


def led(*, cases: list[Case] | None = None) -> tuple[User, Collection]:
    admin = make_user("lead-of-birds")
    collection = make_collection("birds", admin=admin)
    revise_guideline(
        collection, introduction="Judge **what** it says.", examples="", edge_cases="", cases=cases or [], actor=None
    )
    return admin, collection


def fill_row(page: Page, grade: str) -> None:
    """From the topic of a row through its fields by Tab."""
    page.keyboard.type("Ring on a finger")
    page.keyboard.press("Tab")
    page.keyboard.type("A leaflet with every step")
    page.keyboard.press("Tab")
    page.keyboard.type(grade)
    page.keyboard.press("Tab")
    page.keyboard.type("Nothing is left to look up")


def test_examples_are_written_moved_and_saved_by_keyboard(open_context: Opener) -> None:
    admin, collection = led(cases=CASES[:2])
    page = open_context(admin, width=390).new_page()
    page.goto("/c/birds/guideline/edit")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("No worked example has grade 2, 3 or 4.")
    page.get_by_role("button", name="Add an example").press("Enter")
    expect(page.locator("#id_case-2-topic")).to_be_focused()
    fill_row(page, "4")
    expect(preview).to_contain_text("No worked example has grade 2 or 3.")
    expect(preview).to_contain_text("A leaflet with every step")
    page.get_by_role("button", name="Up example 3").press("Enter")
    expect(page.locator("#id_case-1-topic")).to_have_value("Ring on a finger")
    expect(page.get_by_role("button", name="Up example 2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#id_case-0-topic")).to_have_value("Ring on a finger")
    expect(page.get_by_role("button", name="Down example 1")).to_be_focused()
    page.get_by_role("button", name="Remove example 2").press("Enter")
    expect(page.locator(".case-row")).to_have_count(2)
    expect(preview).to_contain_text("No worked example has grade 0, 2 or 3.")
    looked_at(page, "guideline-edit")
    page.get_by_role("button", name="Save the guideline").press("Enter")
    expect(page.get_by_role("heading", name="Guideline", exact=True)).to_be_visible()
    collection.refresh_from_db()
    assert collection.guideline is not None
    assert [(case["topic"], case["grade"]) for case in collection.guideline.cases] == [
        ("Ring on a finger", 4),
        ("Topic 1", 1),
    ]
    looked_at(page, "guideline")


def test_a_preview_lets_the_one_before_it_arrive(open_context: Opener) -> None:
    admin, _ = led()
    page = open_context(admin).new_page()
    door = Door.before(page, "preview")
    page.goto("/c/birds/guideline/edit")
    door.is_shut = True
    for text in ("Judge it.", "Judge it well.", "Judge it very well."):
        page.get_by_role("textbox", name="Introduction").fill(text)
        wait_for(page, lambda: len(door.asked) == 1, "the first is on its way")
    page.wait_for_timeout(500)  # so late the others are asked for, if at all
    assert len(door.asked) == 1
    door.open()
    expect(page.locator("#preview")).to_contain_text("Judge it very well.")
    assert len(door.asked) == 2


def test_examples_are_written_without_a_script(open_context: Opener) -> None:
    admin, collection = led()
    page = open_context(admin, script=False).new_page()
    page.goto("/c/birds/guideline/edit")
    page.get_by_role("button", name="Add an example").press("Enter")
    expect(page.locator("#id_case-0-topic")).to_be_focused()
    fill_row(page, "2")
    page.get_by_role("button", name="Preview", exact=True).last.press("Enter")
    expect(page.locator("#preview")).to_contain_text("Nothing is left to look up")
    page.locator(".case-row summary").press("Enter")
    page.locator("#id_case-0-topic").press("Enter")  # shows the preview again and saves nothing
    expect(page.locator("#id_case-0-topic")).to_have_value("Ring on a finger")
    page.get_by_role("button", name="Save the guideline").press("Enter")
    expect(page.get_by_role("heading", name="Guideline", exact=True)).to_be_visible()
    collection.refresh_from_db()
    assert collection.guideline is not None
    assert [case["grade"] for case in collection.guideline.cases] == [2]


def shown_cases(page: Page) -> list[str]:
    shown: list[str] = page.locator('#guideline [data-cases="first"] [data-case]').evaluate_all(
        "cases => cases.map(each => each.dataset.case)"
    )
    return shown


def test_the_examples_beside_the_cards_change_with_the_topic(open_context: Opener) -> None:
    batch = make_reading(n_documents=1, n_topics=3)
    revise_guideline(batch.collection, introduction="Judge it.", examples="", edge_cases="", cases=CASES, actor=None)
    desk = Desk.at(open_context(user_of(batch)), batch)
    seen = []
    for _ in range(3):
        by_script = shown_cases(desk.page)
        desk.page.reload()
        assert shown_cases(desk.page) == by_script, "the script and the server agree"
        assert sorted(CASES[int(place)]["grade"] for place in by_script) == [0, 1, 2, 3, 4]
        seen.append(by_script)
        desk.ready()
        desk.gone("")
        desk.grade(2)
    assert len({tuple(places) for places in seen}) > 1


def test_a_page_that_is_open_gets_the_guideline_that_was_read_elsewhere(open_context: Opener) -> None:
    """It has six cards of the old version, and keeps the old one beside them."""
    batch = make_reading(n_documents=8)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.gone("")
    newer = revise_guideline(
        batch.collection, introduction="Now strictly.", examples="", edge_cases="", cases=CASES, actor=None
    )
    person = batch.participations.get().annotator
    GuidelineReading.objects.create(annotator=person, guideline=newer, read_at=timezone.now())
    panel = desk.page.locator("#guideline .guideline-body")
    for _ in range(6):
        expect(panel).not_to_contain_text("Now strictly.")
        desk.grade(2)
    expect(panel).to_contain_text("Now strictly.")
    assert len(shown_cases(desk.page)) == 5
    desk.grade(3)
    wait_for(desk.page, lambda: Judgment.objects.count() == 7, "the seventh is saved")
    versions = Judgment.objects.order_by("pk").values_list("guideline__number", flat=True)
    assert list(versions) == [*[1] * 6, newer.number]


def informed() -> Batch:
    batch = make_reading(n_documents=3)
    text = revise_information(
        batch.collection, text="# What is kept\n\nYour grades, **under a pseudonym**.", based_on=0, actor=None
    )
    Batch.objects.update(information=text, name="Birds")
    batch.refresh_from_db()
    return batch


def test_consent_is_given_by_keyboard_and_asked_anew(open_context: Opener) -> None:
    batch = informed()
    page = open_context(user_of(batch), width=390).new_page()
    page.goto(f"/judge/{batch.token}/")
    looked_at(page, "judge-information")
    page.get_by_role("button", name="I do not agree").press("Enter")
    expect(page.get_by_text("You have not agreed, so nothing was handed to you.")).to_be_visible()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="I have read it and agree").press("Enter")
    expect(page.get_by_role("button", name="Start judging")).to_be_visible()
    assert Consent.objects.count() == 1
    revise_information(
        batch.collection, text="# What is kept\n\nYour grades, **under your name**.", based_on=1, actor=None
    )
    page.reload()
    expect(page.locator(".difference del")).to_have_text(["a", "pseudonym"])
    looked_at(page, "judge-information-again")


def test_a_guideline_changed_in_the_middle_is_read_before_the_next_card(open_context: Opener) -> None:
    batch = make_reading(n_documents=4)
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    revise_guideline(
        batch.collection,
        introduction="Judge **only** what the text says.",
        examples="",
        edge_cases="- Torn between two: take the lower.",
        cases=CASES[:5],
        actor=None,
    )
    page = desk.page
    desk.press_and_go_on("3")
    desk.press("1")
    expect(page.get_by_role("heading", name="The guideline has changed")).to_be_visible()
    page.get_by_role("link", name="See what changed").press("Enter")
    expect(page.locator(".difference ins").first).to_have_text("only ")
    looked_at(page, "judge-guideline")
    assert Judgment.objects.count() == 2
    page.get_by_role("button", name="I have read what changed: go on").press("Enter")
    desk.ready()
    assert list(GuidelineReading.objects.order_by("pk").values_list("guideline__number", flat=True)) == [1, 2]
    expect(page.locator("#guideline h2").first).to_have_text("Guideline, version 2")
    desk.grade(2)
    assert list(Judgment.objects.order_by("pk").values_list("guideline__number", flat=True)) == [1, 1, 2]


@pytest.mark.parametrize(("width", "script"), [(390, True), (1280, False)])
def test_a_round_is_failed_then_passed_by_keyboard(open_context: Opener, width: int, script: bool) -> None:
    batch = make_reading(n_documents=1)
    Batch.objects.update(qualification=make_round(batch.collection, accepted=[[0], [2, 3]]))
    page = open_context(user_of(batch), width=width, script=script).new_page()
    page.goto(f"/judge/{batch.token}/")
    look = looked_at if script else (lambda _page, _name: None)
    look(page, "judge-qualification")
    page.get_by_role("button", name="Start training").press("Enter")
    for grade, heading in (("1", "You said 1 Marginally relevant; right is 0 Not relevant"), ("2", "Right: 2")):
        answer_pair(page, grade, script=script)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        look(page, f"judge-qualify-answered-{grade}")
        go_on(page, script=script)
    expect(page.get_by_role("heading", name="Not yet")).to_be_visible()
    look(page, "judge-qualify-failed")
    page.get_by_role("button", name="Try again").press("Enter")
    for at in range(2):
        question = page.locator("#card h1").inner_text()
        answer_pair(page, "0" if question == "Question 1" else "3", script=script)
        if at == 0:
            go_on(page, script=script)
    expect(page.get_by_role("button", name="Start judging")).to_be_visible()
    look(page, "judge-qualify-last")
    page.get_by_role("link", name="See how it went").press("Enter")
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()
    look(page, "judge-qualify-passed")
    page.get_by_role("link", name="Read the guideline first").press("Enter")
    expect(page.get_by_role("button", name="Start judging")).to_be_visible()
    assert list(QualificationAttempt.objects.order_by("pk").values_list("passed", flat=True)) == [False, True]


def answer_pair(page: Page, grade: str, *, script: bool) -> None:
    expect(page.locator("#grades")).to_be_visible()
    if script:
        expect(page.locator("#grades [aria-keyshortcuts]").first).to_be_visible()  # the keys are heard
        page.keyboard.press(f"Digit{grade}")
    else:
        page.locator(f'#grades button[value="{grade}"]').press("Enter")


def go_on(page: Page, *, script: bool) -> None:
    link = page.locator("#go-on")
    if script:
        expect(link).to_be_focused()
    link.press("Enter")
    expect(link).not_to_be_visible()


def test_who_is_out_is_told_so(open_context: Opener) -> None:
    batch = make_reading(n_documents=1)
    Batch.objects.update(qualification=make_round(batch.collection, accepted=[[0]], most_attempts=1))
    page = open_context(user_of(batch), width=390).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start training").click()
    page.locator('#grades button[value="4"]').click()
    page.get_by_role("link", name="See how it went").click()
    page.goto(f"/judge/{batch.token}/")
    expect(page.get_by_text("It says nothing against you")).to_be_visible()
    looked_at(page, "judge-qualification-out")


def test_digits_answer_nothing_where_keys_are_switched_off(open_context: Opener) -> None:
    batch = make_reading(n_documents=1)
    Batch.objects.update(qualification=make_round(batch.collection, accepted=[[0]]))
    page = open_context(user_of(batch)).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start training").click()
    expect(page.locator("#grades [aria-keyshortcuts]").first).to_be_visible()
    page.evaluate("localStorage.setItem('judge-keys', 'off')")
    page.reload()
    expect(page.locator("#grades [aria-keyshortcuts]")).to_have_count(0)
    page.keyboard.press("Digit0")
    expect(page.locator("#grades")).to_be_visible()
    page.locator("#grades button").first.press("Enter")
    expect(page.locator("#go-on")).to_be_focused()
    assert QualificationAttempt.objects.get().answers.count() == 1


def test_a_round_s_grades_are_large_enough_for_a_thumb(open_context: Opener) -> None:
    batch = make_reading(n_documents=1)
    Batch.objects.update(qualification=make_round(batch.collection, accepted=[[0]]))
    page = open_context(user_of(batch), width=390).new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start training").click()
    expect(page.locator("#grades")).to_be_visible()
    boxes = [button.bounding_box() for button in page.locator("#grades button").all()]
    assert len(boxes) == 5
    assert [box for box in boxes if box is None or min(box["width"], box["height"]) < 44] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_lesson_stands_on_the_judging_page(open_context: Opener, width: int) -> None:
    """Topic, document, bar and grades where a card has them, with its marks and keys; then what was right."""
    batch = make_reading(n_documents=1)
    qualification = make_round(batch.collection, accepted=[[0], [1]])
    text = "Question after question about swifts. " * 400
    DocumentVersion.objects.filter(pk=qualification.items.get(position=0).document_version_id).update(text=text)
    Batch.objects.update(qualification=qualification)
    context = open_context(user_of(batch), width=width)
    page = context.new_page()
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start training").press("Enter")
    expect(page.locator("#grades [aria-keyshortcuts]").first).to_be_visible()
    lesson = places(page)
    expect(page.locator("#document")).to_be_focused()
    expect(page.locator("#text mark").first).to_be_attached()
    for key, message in (("n", "Mark 1 of "), ("d", "")):
        page.keyboard.press(key)
        expect(page.locator("#status")).to_contain_text(message)
    expect(page.locator("body.meanings")).to_be_attached()
    page.keyboard.press("f")
    expect(page.locator(".reading")).to_have_attribute("data-view", "whole")
    wait_for(page, JudgingChoices.objects.filter(reading="whole").exists, "the choice is kept")
    page.keyboard.press("f")
    page.keyboard.press("h")
    expect(page.locator("body.no-marks")).to_be_attached()
    looked_at(page, "judge-lesson")
    for deed in ("d", "u", "s", "l", "c", "e", "w"):  # meanings off; what is done to a card is not done here
        page.keyboard.press(deed)
    page.keyboard.press("Digit1")
    expect(page.get_by_role("heading", name="You said 1 Marginally relevant; right is 0 Not relevant")).to_be_visible()
    expect(page.locator("#grades")).to_have_count(0)
    expect(page.locator("#go-on")).to_be_focused()
    assert QualificationAttempt.objects.get().answers.count() == 1
    for grade in ("", "1"):
        if grade:
            answer_pair(page, grade, script=True)
        go_on(page, script=True)
    page.get_by_role("button", name="Try again").press("Enter")
    for _ in range(2):
        answer_pair(page, {"Question 1": "0"}.get(page.locator("#card h1").inner_text(), "1"), script=True)
        go_on(page, script=True)
    expect(page.locator("#bar #later-form")).to_be_visible()
    assert places(page) == lesson


def places(page: Page) -> list[tuple[str, int, int]]:
    """Where the grades, the first key cap of a grade and the topic's line begin."""
    positions: list[tuple[str, int, int]] = []
    for name in ("#grades .grade >> nth=0", "#grades .digit >> nth=0", ".topic-line"):
        box = page.locator(name).bounding_box()
        assert box is not None
        positions.append((name, round(box["x"]), round(box["width"] if name != ".topic-line" else box["y"])))
    return positions
