"""Thresholds of alerts and costs by the API."""

from datetime import date
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, Batch
from annotation.quality.alerts import THRESHOLDS
from tests.annotation.callers import caller, callers, send
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.commands import ran
from tests.factories import make_batch, make_collection

pytestmark = pytest.mark.django_db

SETTINGS = reverse("api_alerts_settings", args=["bees"])
REFUSED = {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
SHARE = next(name for name, threshold in THRESHOLDS.items() if threshold.share)
WHOLE = next(name for name, threshold in THRESHOLDS.items() if isinstance(threshold.default, int))


def started() -> tuple[People, Client]:
    people = make_people()
    return people, caller(people.admin)


def cost(batch: Batch) -> str:
    return reverse("api_batch_cost", args=["bees", batch.token])


def test_only_admins() -> None:
    people, client = started()
    batch = make_batch(people.collection, [])
    others = {who: each for who, each in callers(people).items() if who != "admin"}
    assert {who: each.get(SETTINGS).status_code for who, each in others.items()} == REFUSED
    assert {who: send(each, "patch", SETTINGS, {}).status_code for who, each in others.items()} == REFUSED
    body = {"cost_per_judgment": "1"}
    assert {who: send(each, "post", cost(batch), body).status_code for who, each in others.items()} == REFUSED
    foreign = make_batch(make_collection(), [])
    assert send(client, "post", cost(foreign), body).status_code == 404
    assert not Batch.objects.filter(cost_per_judgment__isnull=False).exists()


def test_the_built_in_ones_are_there_and_one_is_changed_alone() -> None:
    people, client = started()
    before = client.get(SETTINGS).json()
    defaults = {name: threshold.default for name, threshold in THRESHOLDS.items()}
    assert before == {**defaults, "cost_per_judgment": None, "currency": ""}
    share = round(THRESHOLDS[SHARE].lowest + 0.01, 4)
    after = send(client, "patch", SETTINGS, {SHARE: share, "cost_per_judgment": "0.05", "currency": "EUR"}).json()
    assert after == {**before, SHARE: share, "cost_per_judgment": "0.0500", "currency": "EUR"}
    people.collection.refresh_from_db()
    assert people.collection.alerts[SHARE] == share
    assert people.collection.cost_per_judgment == Decimal("0.05")
    assert AuditEvent.objects.get(verb="alerts chosen").actor == people.admin
    assert send(client, "patch", SETTINGS, {}).json() == after
    assert AuditEvent.objects.filter(verb="alerts chosen").count() == 1
    assert send(client, "patch", SETTINGS, {"cost_per_judgment": None}).json()["cost_per_judgment"] is None


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({SHARE: 50}, {SHARE}),
        ({WHOLE: -1}, {WHOLE}),
        ({WHOLE: "many"}, {WHOLE}),
        ({"cost_per_judgment": -1}, {"cost_per_judgment"}),
        ({"cost_per_judgment": "0.00001"}, {"cost_per_judgment"}),
        ({"currency": "x" * 11}, {"currency"}),
    ],
)
def test_what_cannot_be_is_refused_by_field(body: dict[str, object], fields: set[str]) -> None:
    people, client = started()
    answer = send(client, "patch", SETTINGS, body)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    people.collection.refresh_from_db()
    assert people.collection.alerts == {}


def test_a_batch_says_what_its_judgments_cost() -> None:
    people, client = started()
    batch = make_batch(people.collection, [])
    answer = send(client, "post", cost(batch), {"cost_per_judgment": 0.25})
    assert answer.json() == {"token": batch.token, "cost_per_judgment": "0.2500"}
    batch.refresh_from_db()
    assert (batch.cost_per_judgment, AuditEvent.objects.get(verb="cost stated").subject) == (
        Decimal("0.25"),
        batch.name,
    )
    assert refused_fields(send(client, "post", cost(batch), {"cost_per_judgment": "x"})) == {"cost_per_judgment"}
    assert send(client, "post", cost(batch), {"cost_per_judgment": None}).json()["cost_per_judgment"] is None


def test_a_batch_says_when_it_is_due() -> None:
    people, client = started()
    batch = make_batch(people.collection, [])
    address = reverse("api_batch_due", args=["bees", batch.token])
    assert {who: send(each, "post", address, {"due": None}).status_code for who, each in callers(people).items()} == {
        "admin": 200,
        **REFUSED,
    }
    assert send(client, "post", address, {"due": "2030-12-24"}).json() == {"token": batch.token, "due": "2030-12-24"}
    batch.refresh_from_db()
    assert batch.due == date(2030, 12, 24)
    assert refused_fields(send(client, "post", address, {"due": "soon"})) == {"due"}
    assert send(client, "post", address, {"due": None}).json()["due"] is None
    assert AuditEvent.objects.filter(verb="due date set").count() == 2
    Batch.objects.update(state=Batch.State.CLOSED)
    answer = send(client, "post", address, {"due": "2030-12-24"})
    assert (answer.status_code, answer.json()["type"]) == (409, "/api/problems/conflict")
    assert ran("batch", "due", "bees", batch.name, "2030-12-24", "--as", people.admin.username).code == 1
    batch.refresh_from_db()
    assert batch.due is None
