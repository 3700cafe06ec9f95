"""Gold from the browser: a suspect corrected by an admin, and an objection from the annotator to the answer."""

import pytest
from playwright.sync_api import FilePayload, Page, expect

from annotation.gold.read.current import current_gold
from annotation.models import Appeal, ExclusionEvent, Feedback, Planting, Role, Rule
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.worked_campaign import Worked, make_worked
from tests.browser.conftest import HEIGHTS, Opener
from tests.browser.looks import barriers, overflow, shoot
from tests.browser.watcher import Watcher
from tests.factories import make_collection, make_gold, make_member, make_user
from tests.live import Server

pytestmark = pytest.mark.browser


def look(page: Page, name: str) -> None:
    """Wide and light, then narrow and dark, as it stands."""
    shoot(page, f"{name}-1280")
    assert barriers(page) == []
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    shoot(page, f"{name}-390")
    page.emulate_media(color_scheme="dark")
    assert barriers(page) == []
    assert overflow(page) <= 0
    page.set_viewport_size({"width": 1280, "height": HEIGHTS[1280]})
    page.emulate_media(color_scheme="light")


def make_missed() -> Worked:
    """A gold pair that all four miss with the same grade; the watch has taken Cedar out."""
    worked = make_worked(make_collection("bees"))
    make_gold(worked.add_item("MISSED", number="g", planted=Planting.Purpose.GOLD), 0)
    for name in worked.people:
        worked.judge("MISSED", name, 4)
    return worked


def test_a_suspect_is_corrected_once_it_is_said_whom_that_touches(
    transactional_db: None, server: Server, open_context: Opener, watcher: Watcher
) -> None:
    worked = make_missed()
    exclude_annotator(worked.people["Cedar"], reason="The watch stopped them.", actor=None, rule=Rule.ACCURACY)
    admin = make_member(worked.collection, make_user("lead"), Role.ADMIN)
    for docno in ("G06", "G07"):
        make_gold(worked.items[docno], 1, accepted=[1, 4])
    page = open_context(admin).new_page()
    page.goto("/c/bees/gold/")
    expect(page.get_by_text("Whoever always answers 1 is right on")).to_be_visible()
    page.get_by_role("link", name="Suspects").click()
    suspect = page.get_by_role("region", name="Topic g, document MISSED", exact=True)
    expect(suspect).to_contain_text("4 of 4 people")
    suspect.get_by_text("Who gave what").press("Enter")
    expect(suspect.get_by_role("row", name="Cedar 4 missed")).to_be_visible()
    look(page, "gold-suspect-open")
    suspect.get_by_role("link", name="Correct to 4").press("Enter")
    expect(page.get_by_label("Grade", exact=True)).to_have_value("4")
    page.get_by_label("Reason").fill("Read again: it is perfectly relevant.")
    page.get_by_role("button", name="Set gold").press("Enter")
    expect(page.get_by_text("Nothing has changed yet")).to_be_visible()
    expect(page.get_by_text("grade 4. It is 0 now.")).to_be_visible()
    row = page.get_by_role("region", name="Whom it would touch").get_by_role("row", name="Cedar")
    expect(row).to_contain_text("8 of 13")
    expect(row).to_contain_text("9 of 13")
    expect(row).not_to_contain_text("Its reason would be gone")
    look(page, "gold-change")
    assert current_gold(worked.collection).get(document__docno="MISSED").grade == 0
    page.get_by_role("button", name="Set it so").press("Enter")
    expect(page.get_by_text("4 judgments are scored anew")).to_be_visible()
    assert current_gold(worked.collection).get(document__docno="MISSED").grade == 4
    page.goto("/c/bees/gold/set?number=g&docno=G08&accept=4")
    page.get_by_role("button", name="Set gold").click()
    box = page.get_by_role("checkbox", name="Cedar: excluded by a rule (accuracy); then 10 right of 13")
    expect(box).to_be_checked()
    look(page, "gold-change-freed")
    page.get_by_role("button", name="Set it so").click()
    expect(page.get_by_text("Brought back: Cedar.")).to_be_visible()
    assert ExclusionEvent.objects.latest("pk").action == "reinstate"
    watcher.expect("status of 422")
    correct_by_a_file(page, worked)


def correct_by_a_file(page: Page, worked: Worked) -> None:
    """Which pairs a file corrects is said first; the file is chosen again with the tick that confirms it."""
    file = FilePayload(name="gold.tsv", mimeType="text/plain", buffer=b"g\tG06\t2\n")
    page.goto("/c/bees/gold/file")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Take as gold").press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("region", name="Problems found")).to_contain_text("topic g, document G06: 1 → 2")
    look(page, "gold-file-refused")
    assert current_gold(worked.collection).get(document__docno="G06").grade == 1
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("checkbox", name="Correct pairs that are gold with another grade").press("Space")
    page.get_by_role("button", name="Take as gold").press("Enter")
    expect(page.get_by_text("Gold: 1 pair set")).to_be_visible()
    assert current_gold(worked.collection).get(document__docno="G06").grade == 2


def test_an_objection_is_answered_and_the_answer_read(
    transactional_db: None, server: Server, open_context: Opener
) -> None:
    worked = make_missed()
    admin = make_member(worked.collection, make_user("lead"), Role.ADMIN)
    person, item = worked.people["Dune"], worked.items["MISSED"]
    assignment = item.assignments.get(annotator=person)
    judgment = assignment.judgments.get()
    Feedback.objects.create(
        batch=worked.batch, annotator=person, assignment=assignment, grade=0, accepted=[0],
        created_at=judgment.created_at,
    )  # fmt: skip
    theirs = open_context(person.user).new_page()
    theirs.goto(f"/work/{worked.batch.token}/{judgment.token}")
    theirs.get_by_label("Why you see it otherwise").fill("The second paragraph answers the topic.")
    look(theirs, "own-objection")
    theirs.get_by_role("button", name="Object").press("Enter")
    expect(theirs.get_by_text("waits for an answer")).to_be_visible()
    look(theirs, "own-objection-waits")
    page = open_context(admin).new_page()
    page.goto("/c/bees/")
    page.locator(".task", has_text="1 objection to gold").get_by_role("link", name="Answer").click()
    expect(page.get_by_role("region", name="What they object to")).to_contain_text("The second paragraph")
    page.get_by_label("Uphold: correct the gold").press("Space")
    page.get_by_label("Grade (optional)").select_option("4")
    page.get_by_role("textbox", name="Answer").fill("You are right, it does.")
    page.get_by_role("button", name="Answer").press("Enter")
    expect(page.get_by_text("Nothing has changed yet")).to_be_visible()
    look(page, "gold-appeal-change")
    page.get_by_role("button", name="Set it so").press("Enter")
    expect(page.get_by_text("Dune reads your answer.")).to_be_visible()
    assert Appeal.objects.get().event == current_gold(worked.collection).get(document__docno="MISSED")
    theirs.goto("/")
    theirs.get_by_role("link", name="1 answer to your objections in first").click()
    theirs.get_by_role("link", name="A document").click()
    expect(theirs.get_by_text("you were right to object")).to_be_visible()
    expect(theirs.get_by_text("You are right, it does.")).to_be_visible()
    look(theirs, "own-objection-answered")
