"""Drafting a batch, its dry run and its steps, over HTTP."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.corpus.steps.scales import store_scale
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import DEFAULT_GRADES, Batch, Item, Job, Qualification
from annotation.people.steps.information import revise_information
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.policies import store_policy
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.qualified import make_round
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db

ADMIN_POSTS = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}


def beginning(**sizes: int) -> tuple[People, Campaign]:
    people = make_people()
    return people, make_campaign(people.collection, **{"n_topics": 2, **sizes})


def entered(campaign: Campaign, **changes: object) -> dict[str, object]:
    return {
        "name": "first",
        "pool": campaign.pool.pk,
        "topics": "all",
        "annotators": [annotator.pk for annotator in campaign.annotators],
        "judgments_per_item": 2,
        "gold_share": 12.5,
        "check_share": 0,
        "repeat_share": 0,
        "minimum_seconds": 0,
        "session_minutes": 50,
        "break_minutes": 10,
        "nudge_minutes": 25,
        "opening_cards": 3,
        "feedback": "never",
        "feedback_hours": 24,
        "block_size": 15,
        "seed": 7,
        **changes,
    }


def test_who_sees_what() -> None:
    people, campaign = beginning()
    token = campaign.draft().token
    for page in ("", f"{token}/", f"{token}/hours.csv"):
        assert people.statuses(f"/c/bees/batches/{page}") == RESEARCH_ONLY
    for page in ("new", f"{token}/edit", f"{token}/dry-run"):
        assert people.statuses(f"/c/bees/batches/{page}") == ADMINS_ONLY


@pytest.mark.parametrize("deed", ["lay-out", "step", "delete", "assign", "unassign"])
def test_only_admins_act_and_only_by_post(deed: str) -> None:
    people, campaign = beginning()
    batch = campaign.draft()
    address = f"/c/bees/batches/{batch.token}/{deed}"
    statuses = {who: people.client(who).post(address, {"step": "open"}).status_code for who in ADMIN_POSTS}
    assert statuses == ADMIN_POSTS
    assert people.client("admin").get(address).status_code == 405
    assert Batch.objects.get().state == Batch.State.DRAFT


def test_a_batch_of_another_collection_is_not_found() -> None:
    people, _ = beginning()
    other = make_campaign(n_topics=1).draft()
    assert people.client("admin").get(f"/c/bees/batches/{other.token}/").status_code == 404
    assert people.client("admin").post(f"/c/bees/batches/{other.token}/delete").status_code == 404


def test_from_draft_to_closed() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    answer = client.post("/c/bees/batches/new", entered(campaign), follow=True)
    batch = Batch.objects.get()
    assert answer.redirect_chain == [(f"/c/bees/batches/{batch.token}/dry-run", 302)]
    assert (batch.gold_share, batch.topics.count(), batch.participations.count()) == (0.125, 2, 4)
    assert not Item.objects.exists()
    result = answer.context["result"]
    page = client.post(f"/c/bees/batches/{batch.token}/lay-out", follow=True)
    job = Job.objects.get()
    assert page.redirect_chain == [(reverse("job", args=[job.token]), 302)]
    assert "Cancel this job" in page.text
    assert not Item.objects.exists()
    run_jobs()
    page = client.get(reverse("job", args=[job.token]))
    assert f"{result.n_items} pairs laid out." in page.text
    assert f'href="/c/bees/batches/{batch.token}/"' in page.text
    assert Item.objects.filter(batch=batch).count() == result.n_items
    for step, state in [("open", "open"), ("pause", "paused"), ("reopen", "open"), ("close", "closed")]:
        answer = client.post(f"/c/bees/batches/{batch.token}/step", {"step": step}, follow=True)
        assert Batch.objects.get().state == state
        assert f"The batch is {state}." in answer.text
    answer = client.post(f"/c/bees/batches/{batch.token}/step", {"step": "pause"}, follow=True)
    assert "A batch that is closed cannot be paused." in answer.text
    assert client.post(f"/c/bees/batches/{batch.token}/step", {"step": "explode"}).status_code == 400


@pytest.mark.both("reads")
def test_what_comes_before_the_first_card_is_chosen() -> None:
    people, campaign = beginning()
    text = revise_information(people.collection, text="We keep your grades.", based_on=0, actor=None)
    qualification = make_round(people.collection)
    client = people.client("admin")
    client.post("/c/bees/batches/new", entered(campaign, information=text.pk, qualification=qualification.pk))
    batch = Batch.objects.get()
    assert (batch.information, batch.qualification) == (text, qualification)
    page = client.get(f"/c/bees/batches/{batch.token}/").text
    assert "consent text, version 1" in page
    assert "qualification round Basics" in page
    form = client.get(f"/c/bees/batches/{batch.token}/edit").context["form"]
    assert (form["information"].value(), form["qualification"].value()) == (text.pk, qualification.pk)
    client.post(f"/c/bees/batches/{batch.token}/edit", entered(campaign))
    batch.refresh_from_db()
    assert (batch.information, batch.qualification) == (None, None)


@pytest.mark.both("reads")
def test_nothing_of_another_collection_is_chosen_and_no_round_on_another_scale() -> None:
    people, campaign = beginning()
    other = make_campaign(n_topics=1).collection
    text = revise_information(other, text="Theirs", based_on=0, actor=None)
    mine = make_round(people.collection)
    coarse = store_scale(people.collection, DEFAULT_GRADES[:2])
    Qualification.objects.filter(pk=mine.pk).update(scale=coarse)
    entry = entered(campaign, information=text.pk, qualification=make_round(other, prefix="o").pk)
    client = people.client("admin")
    assert list(client.post("/c/bees/batches/new", entry).context["form"].errors) == ["information", "qualification"]
    form = client.post("/c/bees/batches/new", entered(campaign, qualification=mine.pk)).context["form"]
    assert form.errors == {"qualification": ["This round is on a scale with another number of grades."]}
    assert not Batch.objects.exists()


@pytest.mark.both("reads")
def test_topics_can_be_listed() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    for numbers, error in (("", "List at least one topic, or choose all."), ("T1 T9", "Not in this pool: T9.")):
        form = client.post("/c/bees/batches/new", entered(campaign, topics="listed", numbers=numbers)).context["form"]
        assert form.errors == {"numbers": [error]}
    form = client.post("/c/bees/batches/new", entered(campaign, topics="all", numbers="T2")).context["form"]
    assert form.errors == {"numbers": ["Choose “These topics” above, or leave this empty."]}
    assert not Batch.objects.exists()
    client.post("/c/bees/batches/new", entered(campaign, topics="listed", numbers="T2"))
    assert list(Batch.objects.get().topics.values_list("number", flat=True)) == ["T2"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"gold_share": 51}, "gold_share"),
        ({"gold_share": 50, "check_share": 20}, "gold_share"),
        ({"judgments_per_item": 0}, "judgments_per_item"),
        ({"pool": 99_999}, "pool"),
        ({"name": ""}, "name"),
        ({"seed": -1}, "seed"),
        ({"annotators": [99_999]}, "annotators"),
        ({"nudge_minutes": -1}, "nudge_minutes"),
        ({"nudge_minutes": 481}, "nudge_minutes"),
        ({"session_minutes": 4}, "session_minutes"),
        ({"opening_cards": 10}, "opening_cards"),
        ({"block_size": 14}, "block_size"),
        ({"feedback": "sometimes"}, "feedback"),
        ({"feedback_hours": 0}, "feedback_hours"),
        ({"feedback_hours": 2161}, "feedback_hours"),
    ],
)
def test_settings_that_make_no_sense_are_refused(change: dict[str, object], field: str) -> None:
    people, campaign = beginning()
    answer = people.client("admin").post("/c/bees/batches/new", entered(campaign, **change))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not Batch.objects.exists()


def test_a_draft_is_changed_in_the_form_it_was_made_with() -> None:
    people, campaign = beginning()
    client = people.client("admin")
    fair = {"nudge_minutes": 20, "opening_cards": 4, "feedback": "delayed", "feedback_hours": 48}
    client.post("/c/bees/batches/new", entered(campaign, **fair))
    batch = Batch.objects.get()
    address = f"/c/bees/batches/{batch.token}/edit"
    form = client.get(address).context["form"]
    assert (form["gold_share"].value(), form["numbers"].value(), form["topics"].value()) == (12.5, "T1 T2", "listed")
    assert {name: form[name].value() for name in fair} == fair
    assert {name: getattr(batch, name) for name in fair} == fair
    client.post(address, entered(campaign, name="second", gold_share=10, annotators=[]))
    batch.refresh_from_db()
    assert (batch.name, batch.gold_share, batch.participations.count()) == ("second", 0.1, 0)
    Batch.objects.update(state=Batch.State.OPEN)
    assert (
        client.post(address, entered(campaign, name="third")).headers["Location"] == f"/c/bees/batches/{batch.token}/"
    )
    batch.refresh_from_db()
    assert batch.name == "second"


def test_a_name_is_taken_once() -> None:
    people, campaign = beginning()
    campaign.draft()
    answer = people.client("admin").post("/c/bees/batches/new", entered(campaign))
    assert answer.context["form"].errors == {"name": ["The collection already has a batch of this name."]}


def test_a_dry_run_with_errors_cannot_be_laid_out() -> None:
    people, campaign = beginning()
    batch = campaign.draft(annotators=campaign.annotators[:1])
    client = people.client("admin")
    answer = client.get(f"/c/bees/batches/{batch.token}/dry-run")
    assert "Cannot be laid out." in answer.text
    assert "/lay-out" not in answer.text
    client.post(f"/c/bees/batches/{batch.token}/lay-out")
    run_jobs()
    page = client.get(reverse("job", args=[Job.objects.get().token])).text
    assert "but there is 1 participant." in page
    assert f'href="/c/bees/batches/{batch.token}/dry-run"' in page
    assert Batch.objects.get().state == Batch.State.DRAFT


def test_a_draft_without_people_leads_to_them_and_back() -> None:
    people, campaign = beginning()
    batch = campaign.draft(annotators=[])
    address = f"/c/bees/batches/{batch.token}/"
    ways = [f'href="{address}edit#people"', 'href="/c/bees/invitations/"']
    for page in (address, f"{address}dry-run"):
        text = people.client("admin").get(page).text
        assert [way in text for way in [*ways, "/lay-out"]] == [True, True, False], page
    draft = people.client("admin").get(address).text
    assert f'href="{address}dry-run"' in draft
    assert "Nobody takes part yet." in draft
    assert "Nobody takes part yet." not in people.client("researcher").get(address).text


def test_a_layout_under_way_is_said_and_not_begun_twice() -> None:
    people, campaign = beginning()
    batch = campaign.draft()
    client, at = people.client("admin"), f"/c/bees/batches/{batch.token}"
    assert "/lay-out" in client.get(f"{at}/dry-run").text
    first, second = client.post(f"{at}/lay-out"), client.post(f"{at}/lay-out")
    assert first["Location"] == second["Location"] == reverse("job", args=[Job.objects.get().token])
    assert f"Lay out: {batch.name}" in client.get(first["Location"]).text
    page = client.get(f"{at}/dry-run").text
    assert "This batch is being laid out." in page
    assert "/lay-out" not in page
    client.post(f"{first['Location']}cancel")
    assert "/lay-out" in client.get(f"{at}/dry-run").text
    run_jobs()
    assert Batch.objects.get().state == Batch.State.DRAFT


@pytest.mark.both("reads")
def test_what_made_a_layout_fail_stands_on_the_dry_run_until_it_can_be_done() -> None:
    people, campaign = beginning()
    batch = campaign.draft(annotators=campaign.annotators[:1])
    client, at = people.client("admin"), f"/c/bees/batches/{batch.token}"
    client.post(f"{at}/lay-out")
    run_jobs()
    assert "The last layout failed" not in client.get(f"{at}/dry-run").text
    Batch.objects.update(judgments_per_item=1)
    assert "The last layout failed: 3 judgments" in client.get(f"{at}/dry-run").text


def run_jobs() -> None:
    while run := claim_job():
        run_job(run)


def test_the_dry_run_names_who_cannot_reach_ten_gold_and_what_it_assumes() -> None:
    people, campaign = beginning(n_gold=2)
    batch = campaign.draft()
    answer = people.client("admin").get(f"/c/bees/batches/{batch.token}/dry-run")
    assert [person.pseudonym for person in answer.context["result"].short_of_gold] == ["A-1", "A-2", "A-3", "A-4"]
    assert "Supply: the chosen topics have 4 gold pairs that this person has not met." in answer.text
    assert "Hours assume 30 seconds a judgment" in answer.text


@pytest.mark.parametrize(
    ("n_gold", "settings", "policy", "verdict", "ways"),
    [
        (0, {}, {}, "Without gold no pair will count.", ["gold/file", "gold/set", "edit#id_gold_share", "unproven"]),
        (2, {"gold_share": 0.2}, {}, "With so little gold no pair will count.", ["gold/file", "gold/set", "unproven"]),
        (12, {"gold_share": 0.3}, {"min_gold": 2}, "All 4 people can come to count.", []),
        (0, {}, {"count_unproven": True}, "All 4 people can come to count.", []),
        (2, {}, {"min_gold": 1}, "All 4 people can come to count.", []),
    ],
)
def test_the_dry_run_says_first_what_will_count(
    n_gold: int, settings: dict[str, Any], policy: dict[str, Any], verdict: str, ways: list[str]
) -> None:
    people, campaign = beginning(n_gold=n_gold)
    if policy:
        store_policy(people.collection, name="default", parameters=Parameters(**policy), actor=None)
    batch, client = campaign.draft(**settings), people.client("admin")
    page = client.get(f"/c/bees/batches/{batch.token}/dry-run").text
    section = page[page.index("What will count") : page.index('<dl class="stats">')]
    assert f"<strong>{verdict}</strong>" in section
    offered = [way for way in ("gold/file", "gold/set", "edit#id_gold_share", "unproven") if f"{way}" in section]
    assert offered == ways if ways else "button" not in section
    api = client.get(f"/api/v1/collections/bees/batches/{batch.token}/dry-run").json()["counting"]
    assert (api["verdict"], api["n_people"]) == (verdict, 4)
    for link in re.findall(r'href="([^"#]+)', section):
        assert client.get(html.unescape(link)).status_code == 200, link


def test_people_are_chosen_by_name_or_all_at_once() -> None:
    people, campaign = beginning()
    admin = people.client("admin")
    page = admin.get("/c/bees/batches/new").text
    for annotator in campaign.annotators:
        assert annotator.user is not None
        assert f"{annotator.pseudonym} ({annotator.user.username})" in page
    assert admin.post("/c/bees/batches/new", entered(campaign, annotators=[], everybody="on")).status_code == 302
    taking_part = Batch.objects.get().participations.values_list("annotator__pseudonym", flat=True)
    assert set(taking_part) == {*(annotator.pseudonym for annotator in campaign.annotators), "A-ONE"}


def test_a_draft_is_deleted_from_its_page() -> None:
    people, campaign = beginning()
    batch = campaign.draft()
    answer = people.client("admin").post(f"/c/bees/batches/{batch.token}/delete")
    assert answer.headers["Location"] == "/c/bees/batches/"
    assert not Batch.objects.exists()


def test_the_number_of_queries_does_not_grow_with_batches() -> None:
    people, campaign = beginning()
    client = people.client("admin")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/c/bees/batches/").status_code == 200
        return len(seen)

    campaign.draft(name="one")
    one = queries()
    campaign.draft(name="two")
    campaign.draft(name="three")
    assert queries() == one
