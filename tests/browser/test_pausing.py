"""Somebody is paused while they judge: they hand in what they hold, read why, and go on with one click of an admin."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, PauseEvent, Slot
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from tests.annotation.batches.steps.test_replacements import judge_all
from tests.browser.conftest import Opener
from tests.browser.desk import SLIP, grades_in, make_reading, person_of, user_of
from tests.browser.looks import barriers, overflow, shoot
from tests.factories import make_member, make_user

pytestmark = pytest.mark.browser
TOLD = "Please write to lead@birds.example before you go on."


def lead(batch: Batch, open_context: Opener, **options: object) -> Page:
    admin = make_member(batch.collection, make_user("lead"), "admin")
    return open_context(admin, **options).new_page()


def begin(page: Page, batch: Batch) -> None:
    page.goto(f"/judge/{batch.token}/")
    page.get_by_role("button", name="Start judging").click()
    expect(page.locator("#grades")).to_be_visible()
    page.wait_for_load_state()


def grade(page: Page, batch: Batch, digit: str) -> None:
    n = len(grades_in(batch))
    page.keyboard.press(digit)
    expect(page.locator("#card .status, #bar:not([hidden]) .status").first).to_contain_text("Saved")
    page.wait_for_timeout(SLIP * 1000)  # until a press is for the card that has come
    assert len(grades_in(batch)) == n + 1


def test_a_paused_person_reads_why_and_goes_on_after_one_click(open_context: Opener) -> None:
    batch = make_reading(5)
    name, path = person_of(batch).pseudonym, f"/c/{batch.collection.slug}/quality/pausing"
    page, admin = open_context(user_of(batch)).new_page(), lead(batch, open_context)
    begin(page, batch)
    grade(page, batch, "3")
    admin.goto(f"/c/{batch.collection.slug}/annotators/{name}/pause?back=pausing")
    admin.get_by_label("Reason").fill("Grades everything within two seconds.")
    admin.get_by_label("What the person reads").fill(TOLD)
    admin.get_by_role("button", name="Pause").click()
    expect(admin.get_by_text(f"Told to them: {TOLD}")).to_be_visible()
    grade(page, batch, "2")
    page.keyboard.press("1")
    expect(page.get_by_role("heading", name="Judging is paused for you")).to_be_visible()
    expect(page.get_by_text(TOLD)).to_be_visible()
    expect(page.get_by_text("two seconds")).to_have_count(0)
    assert (grades_in(batch), overflow(page), barriers(page)) == ([3, 2, 1], 0, [])
    shoot(page, "paused-wide")
    page.set_viewport_size({"width": 390, "height": 844})
    shoot(page, "paused-phone")
    assert overflow(page) <= 0
    admin.goto(path)
    assert barriers(admin) == []
    shoot(admin, "pausing-wide")
    admin.get_by_role("button", name=f"Let {name} go on").focus()
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("Everybody who takes part gets cards.")).to_be_visible()
    page.get_by_role("link", name="Look again").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#grades")).to_be_visible()
    assert list(PauseEvent.objects.order_by("pk").values_list("action", flat=True)) == ["pause", "resume"]


def test_missing_judgments_are_proposed_and_added_on_a_phone(open_context: Opener) -> None:
    batch = make_reading(4, n_people=2)
    batch.collection.cost_per_judgment, batch.collection.currency = 2, "EUR"
    batch.collection.save()
    person = batch.participations.earliest("pk")
    judge_all(person)
    exclude_annotator(person.annotator, reason="Graded everything within two seconds.", actor=None)
    admin = lead(batch, open_context, width=390)
    admin.goto(f"/c/{batch.collection.slug}/quality/replacements")
    shoot(admin, "replacements-phone")
    assert (overflow(admin) <= 0, barriers(admin)) == (True, [])
    admin.get_by_role("button", name="Add 4 slots").focus()
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("4 slots added to 4 pairs")).to_be_visible()
    expect(admin.get_by_text("Nothing is missing")).to_be_visible()
    assert Slot.objects.filter(batch=batch, state=Slot.State.OPEN).count() == 4
    admin.set_viewport_size({"width": 1280, "height": 800})
    shoot(admin, "replacements-added-wide")
    reinstate_annotator(person.annotator, reason="Looked again.", actor=None)
    admin.reload()
    assert (overflow(admin) <= 0, barriers(admin)) == (True, [])
    shoot(admin, "replacements-spare-wide")
    admin.set_viewport_size({"width": 390, "height": 844})
    assert (overflow(admin) <= 0, barriers(admin)) == (True, [])
    shoot(admin, "replacements-spare-phone")
    admin.get_by_role("button", name="Withdraw 4 slots").focus()
    admin.keyboard.press("Enter")
    expect(admin.get_by_text("4 slots withdrawn from 4 pairs")).to_be_visible()
    assert not Slot.objects.filter(batch=batch, state=Slot.State.OPEN).exists()
