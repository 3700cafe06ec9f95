"""A campaign by the API alone: drafted, laid out, judged by three programs in turn, frozen, its qrels taken."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import GoldEvent, Judgment, Slot
from tests.annotation.callers import caller, send
from tests.annotation.campaign import make_campaign
from tests.annotation.roles import make_people

pytestmark = [pytest.mark.django_db, pytest.mark.both("journeys")]

MILD = {"min_gold": 0, "accuracy_threshold": 0, "count_unproven": True, "min_judgments": 1}


def done(client: Client, method: str, address: str, body: object = None) -> Any:
    """The answer; a job that it names is worked."""
    answer = client.get(address) if method == "get" else send(client, method, address, body)
    assert answer.status_code < 300, answer.content
    while answer.status_code == 202 and (run := claim_job()):
        assert run_job(run).state == "done", run.job.error
    return answer.json() if answer.content else None


def by_number(card: Any) -> int:
    return int(card["topic"]["number"][1:])


def judged_to_the_end(clients: list[Client], batch: str, grade: Callable[[Any], int] = by_number) -> int:
    """Each grades a card in turn, by the topic's number unless said, until nothing is left; how many grades there
    were."""
    desks = [done(client, "post", f"/api/v1/judging/{batch}/next") for client in clients]
    n = 0
    while any(desk["cards"] for desk in desks):
        for place, client in enumerate(clients):
            if cards := desks[place]["cards"]:
                body = {"token": cards[0]["token"], "grade": grade(cards[0])}
                desks[place] = done(client, "post", f"/api/v1/judging/{batch}/grade", body)
                n += 1
            else:
                desks[place] = done(client, "post", f"/api/v1/judging/{batch}/next")
    desks = [done(client, "post", f"/api/v1/judging/{batch}/next") for client in clients]  # who waited for the last
    assert {desk["state"] for desk in desks} == {"done"}
    return n


def test_from_a_pool_to_qrels() -> None:
    people = make_people()
    campaign = make_campaign(people.collection, n_topics=2, n_gold=4, n_people=3)
    admin, here = caller(people.admin), "/api/v1/collections/bees"
    names = [annotator.pseudonym for annotator in campaign.annotators]
    draft = {"name": "first", "pool": "pool", "annotators": names, "judgments_per_item": 2, "gold_share": 0.1}
    batch = done(admin, "post", f"{here}/batches", {**draft, "minimum_seconds": 0, "seed": 7})["token"]
    dry_run = done(admin, "get", f"{here}/batches/{batch}/dry-run")
    assert dry_run["refusals"] == []
    done(admin, "post", f"{here}/batches/{batch}/lay-out")
    done(admin, "post", f"{here}/batches/{batch}/open")
    programs = [caller(annotator.user) for annotator in campaign.annotators if annotator.user]
    n = judged_to_the_end(programs, batch)
    assert n == Judgment.objects.count() == Slot.objects.filter(state="judged").count()
    assert done(admin, "get", f"{here}/batches/{batch}")["n_judged"] == n
    assert done(admin, "post", f"{here}/batches/{batch}/close")["state"] == "closed"
    policy = done(admin, "post", f"{here}/policies", {"name": "mild", "parameters": MILD})
    named = f"{policy['name']} v{policy['version']}"
    would_be = done(admin, "get", f"{here}/snapshots/dry-run?policy={named.replace(' ', '+')}")
    frozen = done(admin, "post", f"{here}/snapshots", {"name": "first", "batches": [batch], "policy": named})
    (snapshot,) = done(admin, "get", frozen["snapshots_url"])["results"]
    assert snapshot["n_pairs"] == would_be["n_kept"] > 0
    verified = reverse("api_snapshot_verify", args=["bees", snapshot["id"]])
    assert done(admin, "post", verified)["sound"] is True
    lines = [line.split() for line in admin.get(snapshot["qrels_url"]).getvalue().decode().splitlines()]
    gold = set(GoldEvent.objects.values_list("topic__number", "document__docno"))
    judged = [(number, grade) for number, _, docno, grade in lines if (number, docno) not in gold]
    assert judged
    assert all(f"T{grade}" == number for number, grade in judged)
