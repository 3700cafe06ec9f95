"""The page on replacements: proposed with what it takes, added only once an admin confirms."""

import pytest

from annotation.batches.steps.batches import close_batch
from annotation.models import Annotator, Batch, Slot
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from tests.annotation.batches.steps.test_replacements import judge_all
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db
PAGE = "/c/bees/quality/replacements"


def excluded() -> tuple[People, Batch]:
    people = make_people()
    annotator = Annotator.objects.get(pseudonym="A-ONE")
    batch = make_batch(people.collection, [annotator, make_annotator(people.collection)], judgments_per_item=1)
    judge_all(batch.participations.get(annotator=annotator))
    exclude_annotator(annotator, reason="Looked away", actor=None)
    return people, batch


def test_who_sees_it_and_who_adds() -> None:
    people, batch = excluded()
    assert people.statuses(PAGE) == RESEARCH_ONLY
    address = f"/c/bees/batches/{batch.token}/replace"
    assert people.statuses(address) == {
        **ADMINS_ONLY,
        **dict.fromkeys(("admin", "researcher", "annotator", "outsider"), 405),
    }
    answers = {who: people.client(who).post(address, {"n": 4}).status_code for who in ADMINS_ONLY if who != "admin"}
    assert answers == {who: status for who, status in ADMINS_ONLY.items() if who != "admin"}
    assert "Add 4 slots" not in people.client("researcher").get(PAGE).text
    assert Slot.objects.count() == 4


def test_nothing_is_added_before_it_is_confirmed() -> None:
    people, batch = excluded()
    people.collection.cost_per_judgment, people.collection.currency = 2, "EUR"
    people.collection.save()
    admin = people.client("admin")
    text = admin.get(PAGE).text
    assert "Add 4 slots" in text
    assert "8.00 EUR" in text
    missing = admin.get("/c/bees/quality/missing.csv").getvalue().decode().splitlines()
    assert missing[0] == "batch,judgments_missing,pairs,judgments_of,hours,cost,nobody_left"
    assert missing[1] == f"{batch.name},4,4,A-ONE,0.0333,8.0000,0"
    assert Slot.objects.count() == 4
    answer = admin.post(f"/c/bees/batches/{batch.token}/replace", {"n": 4}, follow=True)
    assert "4 slots added to 4 pairs" in answer.text
    assert "Nothing is missing" in answer.text
    assert admin.get("/c/bees/quality/missing.csv").getvalue().decode().count("\n") == 1
    assert admin.get("/c/bees/quality/added.csv").getvalue().decode().splitlines() == [
        "batch,slots_added,judged,more_than_asked_for,not_needed",
        f"{batch.name},4,0,0,0",
    ]
    assert "in place of judgments of A-ONE" in answer.text
    assert Slot.objects.count() == 8
    again = admin.post(f"/c/bees/batches/{batch.token}/replace", {"n": 4}, follow=True)
    assert "By now 0 judgments are missing" in again.text
    assert "say how many" in admin.post(f"/c/bees/batches/{batch.token}/replace", follow=True).text
    assert Slot.objects.count() == 8


def test_what_is_not_needed_any_more_is_withdrawn_by_admins_alone() -> None:
    people, batch = excluded()
    admin, address = people.client("admin"), f"/c/bees/batches/{batch.token}/withdraw"
    admin.post(f"/c/bees/batches/{batch.token}/replace", {"n": 4})
    reinstate_annotator(Annotator.objects.get(pseudonym="A-ONE"), reason="Looked again", actor=None)
    answers = {who: people.client(who).post(address).status_code for who in ADMINS_ONLY if who != "admin"}
    assert answers == {who: status for who, status in ADMINS_ONLY.items() if who != "admin"}
    assert "Withdraw 4 slots" not in people.client("researcher").get(PAGE).text
    assert "Withdraw 4 slots" in admin.get(PAGE).text
    answer = admin.post(address, follow=True)
    assert "4 slots withdrawn from 4 pairs" in answer.text
    assert "4 slots withdrawn, not needed any more" in answer.text
    assert "Withdraw 4" not in answer.text
    assert Slot.objects.count() == 4


def test_a_missing_cost_and_a_closed_batch_lead_on() -> None:
    people, batch = excluded()
    admin = people.client("admin")
    assert f"/c/bees/batches/{batch.token}/health" in admin.get(PAGE).text
    close_batch(batch, actor=None)
    assert f'reopen {batch.name} first"' in admin.get(PAGE).text


def test_without_anything_missing_the_page_says_so() -> None:
    people = make_people()
    text = people.client("admin").get(PAGE).text
    assert "Nothing is missing" in text
    assert "Added so far" not in text
