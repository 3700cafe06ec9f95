"""Snapshots by the API: what would be frozen, freezing in a job, verifying, what is left out."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.store import path_of
from annotation.models import AuditEvent, Job, Snapshot
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.callers import RESEARCH, caller, callers, send, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

LIST, DRY_RUN = (reverse(name, args=["bees"]) for name in ("api_snapshots", "api_snapshot_dry_run"))


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    return people, make_worked(people.collection), caller(people.researcher)


def frozen(worked: Worked, name: str = "first") -> Snapshot:
    rule = unsaved_default(worked.collection)
    return freeze_snapshot(worked.collection, name=name, batches=[worked.batch], policy=rule, created_by=None)


def at(name: str, snapshot: Snapshot) -> str:
    return reverse(f"api_snapshot_{name}", args=["bees", snapshot.pk])


def run_jobs() -> None:
    while run := claim_job():
        run_job(run)


def test_who_may() -> None:
    people, worked, _ = started()
    snapshot = frozen(worked)
    assert statuses(people, DRY_RUN) == statuses(people, at("dropped", snapshot)) == RESEARCH
    assert statuses(people, at("verify", snapshot), "post") == RESEARCH
    codes = {who: send(client, "post", LIST, {"name": who}).status_code for who, client in callers(people).items()}
    assert codes == {**RESEARCH, "admin": 202, "researcher": 202}
    assert Job.objects.count() == 2


def test_one_of_another_collection_is_not_found() -> None:
    _people, _, client = started()
    foreign = frozen(make_worked())
    assert client.get(at("dropped", foreign)).status_code == 404
    assert send(client, "post", at("verify", foreign)).status_code == 404
    body = {"name": "x", "batches": [foreign.batches.get().token]}
    assert refused_fields(send(client, "post", LIST, body)) == {"batches"}


def test_a_dry_run_then_the_freezing_as_it_said() -> None:
    people, worked, client = started()
    preview = client.get(DRY_RUN, {"batch": worked.batch.token, "policy": "default v1"}).json()
    assert (preview["batches"], preview["policy"], preview["n_kept"]) == ([worked.batch.token], "default v1", 22)
    assert sum(row["n"] for row in preview["kept"]) == 22
    assert preview["n_dropped"] == sum(row["n"] for row in preview["dropped"])
    page = people.client("researcher").get("/c/bees/quality/").context["report"]
    assert preview["reading"] == [sentence.whole for sentence in page.verdict] != []
    assert not Snapshot.objects.exists()
    answer = send(client, "post", LIST, {"name": "Round one", "batches": [worked.batch.token], "policy": "default v1"})
    assert answer.status_code == 202
    assert client.get(answer.json()["job_url"]).json()["state"] == "queued"
    run_jobs()
    (row,) = client.get(answer.json()["snapshots_url"]).json()["results"]
    assert (row["name"], row["n_pairs"], row["n_dropped"]) == ("Round one", 22, preview["n_dropped"])
    assert Snapshot.objects.get().created_by == people.researcher
    assert AuditEvent.objects.filter(verb="snapshot frozen", actor=people.researcher).exists()


def test_all_judged_batches_and_the_default_policy_unless_said_otherwise() -> None:
    _, worked, client = started()
    send(client, "post", LIST, {"name": "all"})
    run_jobs()
    snapshot = Snapshot.objects.get()
    assert (list(snapshot.batches.all()), str(snapshot.policy)) == ([worked.batch], "default v1")


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"name"}),
        ({"name": " "}, {"name"}),
        ({"name": "taken"}, {"name"}),
        ({"name": "x" * 101}, {"name"}),
        ({"name": "x", "batches": []}, {"batches"}),
        ({"name": "x", "batches": ["nowhere"]}, {"batches"}),
        ({"name": "x", "policy": "mild v9"}, {"policy"}),
    ],
)
def test_what_the_page_refuses_is_refused_by_field(body: dict[str, object], fields: set[str]) -> None:
    _, worked, client = started()
    frozen(worked, "taken")
    answer = send(client, "post", LIST, body)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Job.objects.exists()


def test_where_nothing_is_judged_there_is_nothing_to_freeze() -> None:
    people = make_people()
    client = caller(people.admin)
    assert client.get(DRY_RUN).status_code == 404
    assert refused_fields(send(client, "post", LIST, {"name": "x"})) == {"batches"}


def test_it_is_proved_whole_or_not() -> None:
    people, worked, client = started()
    snapshot = frozen(worked)
    assert send(client, "post", at("verify", snapshot)).json() == {"sound": True, "rebuilt": True, "faults": []}
    imported = make_snapshot(people.collection, "1 0 a 1\n")
    assert send(client, "post", at("verify", imported)).json() == {"sound": True, "rebuilt": False, "faults": []}
    path_of(snapshot.qrels_sha256).unlink()
    answer = send(client, "post", at("verify", snapshot)).json()
    assert (answer["sound"], len(answer["faults"])) == (False, 1)


def test_what_it_leaves_out_is_listed_with_the_reason() -> None:
    people, worked, client = started()
    snapshot = frozen(worked)
    rows = client.get(at("dropped", snapshot)).json()["results"]
    assert len(rows) == snapshot.n_dropped > 0
    assert {"number", "docno", "reason", "n_judgments", "min", "median", "max"} == set(rows[0])
    few = client.get(at("dropped", snapshot), {"reason": "too_few"}).json()
    far = client.get(at("dropped", snapshot), {"reason": "too_far_apart"}).json()
    assert few["count"] + far["count"] == len(rows)
    assert refused_fields(client.get(at("dropped", snapshot), {"reason": "bees"})) == {"reason"}
    imported = make_snapshot(people.collection, "1 0 a 1\n")
    assert client.get(at("dropped", imported)).status_code == 404
