"""Pausing a person and letting them go on, over HTTP: what the admin sees, and what the person does."""

import re

import pytest
from django.utils import timezone
from django.utils.html import escape

from annotation.judging.steps.claiming import claim_next
from annotation.models import Annotator, Batch, ExclusionEvent, PauseEvent
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_batch, make_participation

pytestmark = pytest.mark.django_db
PAUSE, RESUME = "/c/bees/annotators/A-ONE/pause", "/c/bees/annotators/A-ONE/resume"
EXCLUDE, REINSTATE = "/c/bees/annotators/A-ONE/exclude", "/c/bees/annotators/A-ONE/reinstate"
QUALITY, PAUSING = "/c/bees/quality/annotators", "/c/bees/quality/pausing"
RULES = {
    "stop": "propose",
    "alarm": "propose",
    "accuracy": "propose",
    "speed": "propose",
    "speed_spreads": "3",
    "speed_answers": "40",
}
WHY = {"reason": "Too fast", "told": "Please write to the lead before you go on."}


def at_work() -> tuple[People, Annotator, Batch]:
    people = make_people()
    annotator = Annotator.objects.get(pseudonym="A-ONE")
    return people, annotator, make_batch(people.collection, [annotator])


def judge_page(people: People, batch: Batch) -> str:
    return people.client("annotator").get(f"/judge/{batch.token}/").text


def start(people: People, batch: Batch) -> None:
    people.client("annotator").post(f"/judge/{batch.token}/start")


@pytest.mark.parametrize("address", [PAUSE, RESUME])
def test_admins_only(address: str) -> None:
    people, _, _ = at_work()
    assert people.statuses(address) == ADMINS_ONLY
    for who in ("researcher", "annotator", "outsider", "anonymous"):
        assert people.client(who).post(address, WHY).status_code == ADMINS_ONLY[who]
    assert PauseEvent.objects.count() == 0


def test_a_paused_person_reads_why_and_gets_no_card() -> None:
    people, annotator, batch = at_work()
    admin = people.client("admin")
    assert admin.post(PAUSE, WHY).status_code == 302
    event = PauseEvent.objects.get()
    assert (event.annotator, event.reason, event.told, event.rule, event.created_by) == (
        annotator,
        "Too fast",
        WHY["told"],
        "",
        people.admin,
    )
    start(people, batch)
    text = judge_page(people, batch)
    assert "Judging is paused for you" in text
    assert WHY["told"] in text
    assert "Too fast" not in text
    assert "gold" not in text.lower()
    assert admin.post(RESUME, {"reason": "Spoken with"}).status_code == 302
    start(people, batch)
    assert "Judging is paused" not in judge_page(people, batch)


def test_the_note_of_the_collection_is_read_by_everybody_who_is_paused_or_excluded() -> None:
    people, _, batch = at_work()
    people.collection.pause_note = "Questions: lead@bees.example"
    people.collection.save()
    people.client("admin").post(EXCLUDE, {"reason": "Looked away"})
    text = judge_page(people, batch)
    assert "Judging is paused for you" in text
    assert "lead@bees.example" in text
    assert not re.search("exclu[ds]", text, re.IGNORECASE)


def test_where_nothing_was_written_the_page_says_whom_to_ask() -> None:
    people, annotator, batch = at_work()
    pause_annotator(annotator, reason="Too fast", actor=None)
    assert "ask the person who invited you" in judge_page(people, batch)


def test_a_script_gets_it_in_its_answer_after_the_last_card_in_hand() -> None:
    people, annotator, batch = at_work()
    place = batch.participations.get()
    card = claim_next(place, moment=timezone.now())
    assert card is not None
    pause_annotator(annotator, reason="Too fast", actor=None, told="A rest.")
    answer = people.client("annotator").post(
        f"/judge/{batch.token}/grade", {"token": card.token, "grade": 1}, headers={"X-Judge": card.token}
    )
    assert answer.status_code == 200
    assert "Saved" in answer.text
    assert "Judging is paused for you" in answer.text
    assert "A rest." in answer.text


def test_the_quality_page_shows_it_and_leads_there_and_back() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    assert PAUSE in admin.get(QUALITY).text
    elsewhere = Annotator.objects.create(collection=people.collection, pseudonym="w1")
    make_participation(Batch.objects.get(), elsewhere)
    assert "/annotators/w1/exclude" in admin.get(QUALITY).text
    assert "/annotators/w1/pause" not in admin.get(QUALITY).text, "nobody hands them cards"
    elsewhere.participations.all().delete()
    admin.post(PAUSE, WHY)
    text = admin.get(QUALITY).text
    assert "1 of these annotators gets no cards now" in text
    assert RESUME in text
    assert PAUSE not in text
    assert "Let A-ONE go on" in admin.get(RESUME).text
    assert "Paused" in admin.get(RESUME).text
    assert RESUME not in people.client("researcher").get(QUALITY).text
    admin.post(EXCLUDE, {"reason": "Looked away"})
    (row,) = admin.get(QUALITY).context["page_obj"]
    assert (row.is_paused, row.exclusion is not None) == (False, True)
    admin.post(REINSTATE, {"reason": "Looked again"})
    (row,) = admin.get(QUALITY).context["page_obj"]
    assert (row.is_paused, row.exclusion) == (False, None)


def test_whoever_pauses_comes_back_to_where_they_were() -> None:
    people, _, _ = at_work()
    admin, person = people.client("admin"), "/c/bees/quality/annotators/A-ONE/"
    for deed, query, back in (
        (PAUSE, "?rule=stop", person),
        (RESUME, "?back=pausing", PAUSING),
        (PAUSE, "?back=", f"{QUALITY}?"),
        (EXCLUDE, "?back=policy%3Ddefault%2Bv1", f"{QUALITY}?policy=default+v1"),
        (REINSTATE, "", person),
    ):
        assert f'href="{escape(back)}">Cancel' in admin.get(deed + query).text
        assert admin.post(deed + query, WHY)["Location"] == back


def test_the_page_of_a_person_says_so() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    page = "/c/bees/quality/annotators/A-ONE/"
    assert PAUSE in admin.get(page).text
    admin.post(PAUSE, WHY)
    text = admin.get(page).text
    assert RESUME in text
    assert "paused</span>" in text


def test_the_page_of_a_person_keeps_the_history_for_admins() -> None:
    people, annotator, _ = at_work()
    admin = people.client("admin")
    page = "/c/bees/quality/annotators/A-ONE/"
    assert "Never paused and never excluded." in admin.get(page).text
    pause_annotator(annotator, reason="Answers in 1.1 s", actor=None, rule="speed")
    admin.post(RESUME, {"reason": "A fast reader"})
    admin.post(EXCLUDE, {"reason": "Looked away"})
    admin.post(REINSTATE, {"reason": "Was a fault of ours"})
    answer = admin.get(page)
    assert [(row.action, row.by, row.reason) for row in answer.context["history"]] == [
        ("Reinstated", "lead", "Was a fault of ours"),
        ("Excluded", "lead", "Looked away"),
        ("Resumed", "lead", "A fast reader"),
        ("Paused", "the rule “Speed”", "Answers in 1.1 s"),
    ]
    assert "UTC by the rule “Speed”: Answers in 1.1 s" in answer.text
    assert answer.text.index("A fast reader") > answer.text.index("Looked away")
    researcher = people.client("researcher").get(page)
    assert "Looked away" not in researcher.text
    assert "paused and never" not in researcher.text


def test_what_is_so_already_is_said_and_a_reason_is_needed() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    assert "is not paused" in admin.post(RESUME, {"reason": "x"}, follow=True).text
    assert admin.post(PAUSE, {"reason": ""}).status_code == 422
    assert PauseEvent.objects.count() == 0


def test_a_proposal_that_is_followed_keeps_the_name_of_its_rule() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    admin.post(f"{EXCLUDE}?rule=stop", {"reason": "The watch"})
    admin.post(REINSTATE, {"reason": "Looked again"})
    admin.post(f"{EXCLUDE}?rule=nonsense", {"reason": "By hand"})
    assert list(ExclusionEvent.objects.order_by("pk").values_list("action", "rule")) == [
        ("exclude", "stop"),
        ("reinstate", ""),
        ("exclude", ""),
    ]
    text = admin.get(REINSTATE).text
    assert "lead and the rule “Watch, before clearing”" in text


def test_the_page_on_pausing_is_for_research_and_choosing_for_admins() -> None:
    people, _, _ = at_work()
    assert people.statuses(PAUSING) == RESEARCH_ONLY
    answers = {who: people.client(who).post(PAUSING).status_code for who in ADMINS_ONLY}
    assert answers == {**ADMINS_ONLY, "admin": 422}
    assert "Use these rules" not in people.client("researcher").get(PAUSING).text


def test_one_click_brings_back_who_is_paused_and_who_is_excluded() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    assert "Everybody who takes part gets cards" in admin.get(PAUSING).text
    for away, back in ((PAUSE, RESUME), (EXCLUDE, REINSTATE)):
        admin.post(away, WHY)
        page = admin.get(PAUSING)
        assert [row.pseudonym for row in page.context["held"]] == ["A-ONE"]
        assert f'action="{back}?back=pausing"' in page.text
        assert back not in people.client("researcher").get(PAUSING).text
        answer = admin.post(f"{back}?back=pausing", {"reason": "Brought back from the page on pausing."})
        assert answer.headers["Location"] == PAUSING
        assert Annotator.objects.get(pseudonym="A-ONE").gets_cards


def test_proposals_lead_to_the_form_with_rule_and_reason() -> None:
    people = make_people()
    make_worked(people.collection)
    admin = people.client("admin")
    text = admin.get(PAUSING).text
    assert "6 critical errors in 12 gold pairs" in text
    assert "Accuracy on gold 50 % (6 of 12 right)" in text
    assert "from 30 on" in text
    (address,) = [part.split('"')[0] for part in text.split('href="') if part.startswith("/c/bees/annotators/Cedar/p")]
    form = admin.get(address.replace("&amp;", "&"))
    assert "6 critical errors in 12 gold pairs" in form.text
    admin.post(address.replace("&amp;", "&"), {"reason": "6 critical errors"})
    event = PauseEvent.objects.get()
    assert (event.rule, event.created_by) == ("stop", people.admin)
    assert "Nobody. The rules look" in admin.get(PAUSING).text
    assert "Nobody" in people.client("researcher").get(PAUSING).text


def test_rules_are_chosen_with_their_error_rates_beside_them() -> None:
    people, _, _ = at_work()
    admin = people.client("admin")
    page = admin.get(PAUSING)
    errs = page.context["errs"]
    assert [(row.rate, row.first) for row in errs.accuracy][1:4] == [
        ("0.90", "1.3 %"),
        ("0.85", "5.0 %"),
        ("0.80", "12.1 %"),
    ]
    assert ("3", "0.1 %") in errs.speed
    assert "before 30 of them" in page.text
    assert "it stops 91.6 % before it clears them" in page.text
    assert "at 3 spreads 3.7 % of 5, 1.5 % of 10, 0.8 % of 20, 0.4 % of 50" in page.text
    answer = admin.post(PAUSING, {**RULES, "stop": "pause", "note": "Ask us"})
    assert answer.status_code == 302
    people.collection.refresh_from_db()
    assert (people.collection.pausing["stop"], people.collection.pausing["speed_answers"]) == ("pause", 40)
    assert people.collection.pause_note == "Ask us"
    assert admin.post(PAUSING, {**RULES, "speed_spreads": "0"}).status_code == 422


def test_where_a_person_arrives_and_who_leads_the_batch_see_it() -> None:
    people, _, batch = at_work()
    assert "judging is paused for you" not in people.client("annotator").get("/").text
    people.client("admin").post(PAUSE, WHY)
    assert "judging is paused for you" in people.client("annotator").get("/").text
    assert "(gets no cards)" in people.client("admin").get(f"/c/bees/batches/{batch.token}/").text
    lines = people.client("admin").get("/c/bees/quality/annotators.csv").getvalue().decode().splitlines()
    assert [line.split(",")[:4] for line in lines] == [
        ["annotator", "standing", "excluded", "paused"],
        ["A-ONE", "unproven", "no", "yes"],
    ]
