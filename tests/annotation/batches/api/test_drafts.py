"""A batch from draft to the end by the API: as the page does it, for those whom the page lets."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.batches.api.batch_serializers import SettingsSerializer
from annotation.batches.api.drafts import ChangedBatchSerializer, NewBatchSerializer
from annotation.batches.forms.batches import SETTINGS, BatchForm
from annotation.batches.read.batches import annotators_of
from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Batch, Item, Job, PoolPair
from annotation.people.steps.information import revise_information
from annotation.quality.policy import Policy
from annotation.trust.steps.policies import store_policy
from tests.annotation.callers import caller, callers, send
from tests.annotation.campaign import Campaign, make_campaign
from tests.annotation.qualified import make_round
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people

pytestmark = pytest.mark.django_db

LIST = reverse("api_batches", args=["bees"])
ADMIN_DEEDS = {"admin": 409, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
DEEDS = ("lay_out", "open", "pause", "reopen", "close")


def beginning(**sizes: int) -> tuple[People, Campaign, Client]:
    people = make_people()
    return people, make_campaign(people.collection, **{"n_topics": 2, **sizes}), caller(people.admin)


def entries(campaign: Campaign, **changes: object) -> dict[str, object]:
    names = [annotator.pseudonym for annotator in campaign.annotators]
    settings = {"judgments_per_item": 2, "gold_share": 0.125, "block_size": 15, "seed": 7}
    return {"name": "first", "pool": campaign.pool.name, "annotators": names, **settings, **changes}


def deed(name: str, batch: Batch | str, *more: str) -> str:
    return reverse(f"api_batch_{name}", args=["bees", batch if isinstance(batch, str) else batch.token, *more])


def verbs() -> list[str]:
    return list(AuditEvent.objects.exclude(verb__startswith="API").order_by("pk").values_list("verb", flat=True))


def laid(campaign: Campaign) -> Batch:
    batch = campaign.draft()
    lay_out(batch, actor=None)
    batch.refresh_from_db()
    return batch


def test_only_admins_draft_and_nothing_of_it_stays_otherwise() -> None:
    people, campaign, _ = beginning()
    codes = {who: send(client, "post", LIST, entries(campaign)).status_code for who, client in callers(people).items()}
    assert codes == {"admin": 201, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert Batch.objects.count() == 1


@pytest.mark.parametrize("name", DEEDS)
def test_only_admins_take_a_step(name: str) -> None:
    people, campaign, _ = beginning()
    batch = laid(campaign)
    Batch.objects.update(
        state={"pause": "closed", "close": "closed"}.get(name, "open" if name != "reopen" else "laid_out")
    )
    codes = {who: send(client, "post", deed(name, batch)).status_code for who, client in callers(people).items()}
    assert codes == ADMIN_DEEDS
    assert caller(people.admin).get(deed(name, batch)).status_code == 405


@pytest.mark.parametrize("name", [*DEEDS, "assign", "unassign", "feedback"])
def test_a_batch_of_another_collection_is_not_found(name: str) -> None:
    _, _, client = beginning()
    foreign = make_campaign(n_topics=1).draft()
    assert send(client, "post", deed(name, foreign)).status_code == 404
    one = reverse("api_batch", args=["bees", foreign.token])
    assert [send(client, method, one).status_code for method in ("patch", "delete")] == [404, 404]
    foreign.refresh_from_db()
    assert foreign.state == Batch.State.DRAFT


@pytest.mark.both("reads")
def test_a_draft_has_every_setting_and_tells_it() -> None:
    people, campaign, client = beginning()
    information = revise_information(people.collection, text="We keep your grades.", based_on=0, actor=None)
    steering = Policy(consolidation="dawid_skene", max_range=None)
    policy = store_policy(people.collection, name="steering", parameters=steering, actor=people.admin)
    settings = {
        "judgments_per_item": 2,
        "steered_by": str(policy),
        "most_judgments": 4,
        "target_probability": 0.85,
        "gold_share": 0.07,
        "check_share": 0.02,
        "repeat_share": 0.03,
        "opening_cards": 0,
        "minimum_seconds": 3,
        "nudge_minutes": 0,
        "session_minutes": 60,
        "break_minutes": 5,
        "feedback": "delayed",
        "feedback_hours": 48,
        "information": information.number,
        "qualification": make_round(people.collection).name,
        "block_size": 20,
        "seed": 11,
    }
    answer = send(client, "post", LIST, entries(campaign, topics=["T2"], **settings))
    assert answer.status_code == 201, answer.content
    body = answer.json()
    values = {**body["settings"], "judgments_per_item": body["judgments_per_item"]}
    assert values == settings
    assert (body["state"], body["chosen_topics"], body["n_people"], body["pool"]) == ("draft", ["T2"], 4, "pool")
    batch = Batch.objects.get()
    assert (batch.gold_share, batch.target_probability, batch.created_by) == (0.07, 0.85, people.admin)
    assert verbs()[-1] == "batch drafted"
    assert client.get(body["url"]).json() == body


def test_the_api_asks_for_every_field_of_the_page() -> None:
    of_page = set(BatchForm.base_fields) - {"numbers"}
    assert set(NewBatchSerializer().fields) == {*of_page, "preset"}
    assert set(ChangedBatchSerializer().fields) == of_page
    assert set(SETTINGS) - {"name", "pool", "judgments_per_item"} == set(SettingsSerializer().fields)


def test_what_is_left_out_is_as_the_page_begins() -> None:
    _, campaign, client = beginning()
    body = send(client, "post", LIST, {"name": "bare", "pool": campaign.pool.name}).json()
    assert (body["judgments_per_item"], body["settings"]["gold_share"]) == (3, 0.12)
    assert (body["chosen_topics"], body["n_people"]) == (["T1", "T2"], 0)
    assert 0 <= body["settings"]["seed"] < 2**31


REFUSED: list[tuple[dict[str, Any], set[str]]] = [
    ({"name": ""}, {"name"}),
    ({"pool": "nowhere"}, {"pool"}),
    ({"topics": ["T1", "T9"]}, {"topics"}),
    ({"topics": []}, {"topics"}),
    ({"annotators": ["A-1", "Nobody"]}, {"annotators"}),
    ({"gold_share": 12}, {"gold_share"}),
    ({"gold_share": 0.5, "check_share": 0.2}, {"gold_share"}),
    ({"information": 9}, {"information"}),
    ({"qualification": "Elsewhere"}, {"qualification"}),
    ({"steered_by": "default v1"}, {"most_judgments"}),
    ({"steered_by": "default v1", "most_judgments": 4}, {"steered_by"}),
    ({"most_judgments": 4}, {"steered_by"}),
    ({"feedback": "soon"}, {"feedback"}),
    ({"block_size": 3, "seed": -1}, {"block_size", "seed"}),
    ({"pool": "pool\x00"}, {"pool"}),
]


@pytest.mark.parametrize(("changes", "fields"), REFUSED)
def test_what_the_page_refuses_is_refused_by_field(changes: dict[str, Any], fields: set[str]) -> None:
    _, campaign, client = beginning()
    answer = send(client, "post", LIST, entries(campaign, **changes))
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Batch.objects.exists()
    kept = campaign.draft(name="kept", block_size=15)
    answer = send(client, "patch", reverse("api_batch", args=["bees", kept.token]), changes)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)


def test_a_name_is_given_once() -> None:
    _, campaign, client = beginning()
    other = campaign.draft(name="second", block_size=15)
    campaign.draft(name="first")
    assert refused_fields(send(client, "post", LIST, entries(campaign))) == {"name"}
    one = reverse("api_batch", args=["bees", other.token])
    assert refused_fields(send(client, "patch", one, {"name": "first"})) == {"name"}
    assert send(client, "patch", one, {"name": "second"}).status_code == 200


@pytest.mark.both("reads")
def test_a_change_leaves_the_rest_as_it_is() -> None:
    _, campaign, client = beginning()
    batch = campaign.draft(gold_share=0.07, judgments_per_item=2, block_size=15)
    one = reverse("api_batch", args=["bees", batch.token])
    before = client.get(one).json()
    after = send(client, "patch", one, {"minimum_seconds": 4, "topics": ["T1"]}).json()
    assert after == {
        **before,
        "chosen_topics": ["T1"],
        "settings": {**before["settings"], "minimum_seconds": 4},
    }
    assert send(client, "patch", one, {"topics": None, "annotators": []}).json()["chosen_topics"] == ["T1", "T2"]
    assert batch.participations.count() == 0
    assert verbs()[-1] == "batch changed"
    Batch.objects.update(state="open")
    assert send(client, "patch", one, {"minimum_seconds": 9}).status_code == 409
    assert Batch.objects.get().minimum_seconds == 4


def test_a_draft_is_deleted_and_what_was_opened_stays() -> None:
    _, campaign, client = beginning()
    batch = campaign.draft()
    one = reverse("api_batch", args=["bees", batch.token])
    Batch.objects.update(state="open")
    assert send(client, "delete", one).status_code == 409
    Batch.objects.update(state="draft")
    assert send(client, "delete", one).status_code == 204
    assert (Batch.objects.count(), verbs()[-1]) == (0, "batch deleted")


def test_a_dry_run_counts_what_the_layout_then_gives() -> None:
    _, campaign, client = beginning()
    batch = campaign.draft(judgments_per_item=2, block_size=15)
    forecast = client.get(deed("dry_run", batch)).json()
    assert not Item.objects.exists()
    assert (forecast["refusals"], len(forecast["people"]), forecast["overlap"]) == ([], 4, None)
    answer = send(client, "post", deed("lay_out", batch))
    assert (answer.status_code, answer["Location"]) == (202, answer.json()["job_url"])
    assert send(client, "post", deed("lay_out", batch)).json() == answer.json()
    assert Job.objects.get().token in answer.json()["job_url"]
    run_layouts()
    assert client.get(answer.json()["job_url"]).json()["state"] == "done"
    assert Item.objects.filter(batch=batch).count() == forecast["counts"]["n_items"]
    batch.refresh_from_db()
    assert (batch.state, batch.n_expected) == ("laid_out", forecast["counts"]["n_judgments"])
    assert AuditEvent.objects.get(verb="batch laid out").actor is not None
    assert client.get(deed("dry_run", batch)).status_code == 409
    assert send(client, "post", deed("lay_out", batch)).status_code == 409


def test_a_layout_that_cannot_be_says_why_in_its_job() -> None:
    _, campaign, client = beginning()
    batch = campaign.draft(annotators=campaign.annotators[:1])
    assert client.get(deed("dry_run", batch)).json()["refusals"]
    job = send(client, "post", deed("lay_out", batch)).json()["job_url"]
    run_layouts()
    outcome = client.get(job).json()
    assert (outcome["state"], "different people" in outcome["error"]) == ("failed", True)
    batch.refresh_from_db()
    assert (batch.state, Item.objects.count()) == ("draft", 0)


@pytest.mark.both("reads")
def test_a_layout_of_a_batch_that_is_gone_fails() -> None:
    _, campaign, client = beginning()
    batch = campaign.draft()
    job = send(client, "post", deed("lay_out", batch)).json()["job_url"]
    send(client, "delete", reverse("api_batch", args=["bees", batch.token]))
    run_layouts()
    assert client.get(job).json()["state"] == "failed"


def run_layouts() -> None:
    while run := claim_job():
        run_job(run)


def test_the_steps_of_its_life() -> None:
    _, campaign, client = beginning()
    batch = laid(campaign)
    for name, state in [("open", "open"), ("pause", "paused"), ("reopen", "open"), ("close", "closed")]:
        answer = send(client, "post", deed(name, batch))
        assert (answer.status_code, answer.json()["state"], Batch.objects.get().state) == (200, state, state)
    assert send(client, "post", deed("pause", batch)).status_code == 409
    assert verbs()[-4:] == ["batch opened", "batch paused", "batch reopened", "batch closed"]


@pytest.mark.both("reads")
def test_people_are_assigned_and_taken_off_by_their_pseudonyms() -> None:
    people, campaign, client = beginning()
    batch = campaign.draft(annotators=[])
    assert send(client, "post", deed("assign", batch), {"annotators": ["A-1", "A-2"]}).json()["n_people"] == 2
    assert send(client, "post", deed("unassign", batch), {"annotator": "A-1"}).json()["n_people"] == 1
    assert list(batch.participations.filter(is_active=True).values_list("annotator__pseudonym", flat=True)) == ["A-2"]
    assert send(client, "post", deed("unassign", batch), {"annotator": "A-1"}).status_code == 409
    everybody = annotators_of(people.collection).count()
    assert send(client, "post", deed("assign", batch), {"everybody": True}).json()["n_people"] == everybody
    foreign = make_campaign(n_topics=1).annotators[0].pseudonym + "x"
    for name, body, field in [
        ("assign", {"annotators": []}, "annotators"),
        ("assign", {"annotators": [foreign]}, "annotators"),
        ("assign", {}, "annotators"),
        ("unassign", {"annotator": foreign}, "annotator"),
    ]:
        answer = send(client, "post", deed(name, batch), body)
        assert (answer.status_code, refused_fields(answer)) == (400, {field})
    assert send(caller(people.researcher), "post", deed("assign", batch), {"annotators": ["A-1"]}).status_code == 403
    Batch.objects.update(state=Batch.State.CLOSED)
    answers = [
        send(client, "post", deed("assign", batch), {"annotators": ["A-1"]}),
        send(client, "post", deed("unassign", batch), {"annotator": "A-2"}),
    ]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert len({answer.json()["detail"] for answer in answers}) == 1
    assert batch.participations.filter(annotator__pseudonym="A-2", is_active=True).exists()


def test_when_people_are_told_is_changed_later() -> None:
    _, campaign, client = beginning()
    batch = laid(campaign)
    body = {"feedback": "delayed", "feedback_hours": 3}
    assert send(client, "post", deed("feedback", batch), body).json()["settings"]["feedback"] == "delayed"
    batch.refresh_from_db()
    assert (batch.feedback, batch.feedback_hours, verbs()[-1]) == ("delayed", 3, "feedback changed")
    assert refused_fields(send(client, "post", deed("feedback", batch), {"feedback": "x"})) == {
        "feedback",
        "feedback_hours",
    }
    Batch.objects.update(state="closed")
    assert send(client, "post", deed("feedback", batch), body).status_code == 409


@pytest.mark.both("reads")
def test_a_withheld_pair_is_listed_and_released() -> None:
    people, campaign, client = beginning()
    batch = laid(campaign)
    open_batch(batch, actor=None)
    item = batch.items.select_related("topic", "document").earliest("pk")
    Item.objects.filter(pk=item.pk).update(withheld=True)
    (row,) = caller(people.researcher).get(deed("withheld", batch)).json()["results"]
    assert row == {
        "item": item.token,
        "number": item.topic.number,
        "docno": item.document.docno,
        "skips": [],
        "decided": None,
    }
    address = deed("release", batch, item.token)
    codes = {who: send(each, "post", address).status_code for who, each in callers(people).items() if who != "admin"}
    assert codes == {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert send(client, "post", address).status_code == 200
    assert (Item.objects.filter(withheld=True).count(), verbs()[-1]) == (0, "item released")
    assert send(client, "post", address).status_code == 409
    assert send(client, "post", deed("release", batch, "x" * 22)).status_code == 404


@pytest.mark.both("reads")
def test_a_large_draft_is_planned_in_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same figures, on the page and for programs, until a step of somebody changes what they rest on."""
    people, campaign, client = beginning()
    batch = campaign.draft(judgments_per_item=2, block_size=15)
    at_once, page = client.get(deed("dry_run", batch)).json(), f"/c/bees/batches/{batch.token}/"
    monkeypatch.setattr("annotation.batches.steps.layout.rehearsal.AT_ONCE", 3)
    admin, n_pairs = people.client("admin"), PoolPair.objects.filter(pool=batch.pool).count()
    assert client.get(deed("dry_run", batch)).status_code == 409
    assert f"This draft has {n_pairs} pairs." in admin.get(f"{page}dry-run").text
    job = admin.post(f"{page}plan")["Location"]
    assert "The dry run is under way" in admin.get(f"{page}dry-run").text
    asked = send(client, "post", deed("dry_run", batch))
    assert (asked.status_code, job.split("/")[2] in asked.json()["job_url"]) == (202, True)
    run_layouts()
    assert f'href="{page}dry-run"' in admin.get(job).text
    assert client.get(deed("dry_run", batch)).json() == at_once
    assert "Pairs laid out" in admin.get(f"{page}dry-run").text
    campaign.set_gold(0, 11, 1)
    assert client.get(deed("dry_run", batch)).status_code == 409
    send(client, "post", deed("dry_run", batch))
    send(client, "delete", reverse("api_batch", args=["bees", batch.token]))
    run_layouts()
    assert Job.objects.latest("pk").error == "The batch is gone."
