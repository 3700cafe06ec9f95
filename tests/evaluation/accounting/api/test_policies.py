"""Policies by the ranking of runs, by the API: asked for, listed, read, taken as a file."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Job, Role
from evaluation.accounting.read import accounted_in
from evaluation.formats.accounting import as_csv, as_object
from evaluation.models import Accounting
from tests.annotation.callers import bearer, caller, send
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import refused_fields
from tests.evaluation.accounted import Accountable, account, make_accountable, work
from tests.factories import make_collection, make_member, make_user

pytestmark = pytest.mark.django_db


def started() -> tuple[Accountable, Client, str]:
    campaign = make_accountable()
    collection = campaign.worked.collection
    client = caller(make_member(collection, role=Role.RESEARCHER))
    return campaign, client, reverse("api_accountings", args=[collection.slug])


def asked(**changes: object) -> dict[str, object]:
    return {"policies": ["default v1"], "rules": ["median"], "runs": ["keen", "plain"], "measures": ["AP"], **changes}


def compared(client: Client, address: str) -> Accounting:
    assert send(client, "post", address, asked()).status_code == 202
    assert work().state == "done"
    return Accounting.objects.latest("made_at")


def test_who_may() -> None:
    campaign, client, address = started()
    stored = compared(client, address)
    collection = campaign.worked.collection
    people = [make_member(collection, role=role) for role in (Role.ADMIN, Role.RESEARCHER, Role.ANNOTATOR)]
    clients = [*map(caller, [*people, make_user()]), bearer("nothing")]
    for name in ("api_accounting", "api_accounting_file"):
        at = reverse(name, args=[collection.slug, stored.pk])
        assert [each.get(at).status_code for each in clients] == [200, 200, 403, 404, 401]
    assert [each.get(address).status_code for each in clients] == [200, 200, 403, 404, 401]
    assert [send(each, "post", address, asked()).status_code for each in clients] == [202, 202, 403, 404, 401]
    other = make_collection(admin=make_user())
    elsewhere = caller(make_member(other, role=Role.ADMIN))
    assert elsewhere.get(reverse("api_accounting", args=[other.slug, stored.pk])).status_code == 404


def test_one_is_asked_for_listed_and_read() -> None:
    _, client, address = started()
    stored = compared(client, address)
    (row,) = client.get(address).json()["results"]
    assert (row["id"], row["policies"]) == (stored.pk, ["default v1", "trial: median"])
    one = client.get(row["url"]).json()
    assert one["accounted"] == as_object(accounted_in(stored))
    first = one["compared"][0]
    assert (first["name"], first["n_kept"], first["n_gold"] >= first["n_right"]) == ("default v1", 2, True)


def test_it_is_taken_as_a_file() -> None:
    campaign, client, address = started()
    stored = compared(client, address)
    at = reverse("api_accounting_file", args=[campaign.worked.collection.slug, stored.pk])
    assert client.get(at).text == as_csv(accounted_in(stored))
    assert json.loads(client.get(at, {"form": "json"}).content) == as_object(accounted_in(stored))
    head = next(csv.reader(io.StringIO(client.get(at, {"form": "orders"}).text)))
    assert head[:3] == ["measure", "before", "after"]
    assert refused_fields(client.get(at, {"form": "pdf"})) == {"form"}


def test_that_of_a_snapshot_is_a_file_and_not_in_the_list() -> None:
    campaign, client, address = started()
    account(campaign)
    assert client.get(address).json()["results"] == []
    stored, slug = Accounting.objects.get(), campaign.worked.collection.slug
    assert client.get(reverse("api_accounting", args=[slug, stored.pk])).status_code == 404
    assert client.get(reverse("api_accounting_file", args=[slug, stored.pk])).status_code == 200


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"rules": []}, {"__all__"}),
        ({"rules": ["guessing"]}, {"rules"}),
        ({"policies": ["mild v9"]}, {"policies"}),
        ({"batches": ["nowhere"]}, {"batches"}),
        ({"runs": ["nobody"]}, {"runs"}),
        ({"measures": ["nDCQ"]}, {"measures"}),
        ({"k": 1001}, {"k"}),
    ],
)
def test_what_cannot_be_compared_is_refused_by_field(changes: dict[str, object], fields: set[str]) -> None:
    _, client, address = started()
    answer = send(client, "post", address, asked(**changes))
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    assert not Job.objects.exists()


def test_the_number_of_queries_does_not_grow() -> None:
    _, client, address = started()
    stored = compared(client, address)
    counts = [queries_of(client, address, 1)]
    for n in range(2):
        Accounting.objects.create(
            collection=stored.collection, key=f"{n}", facts=stored.facts, result=stored.result, made_at=stored.made_at
        )
    assert queries_of(client, address, 3) == counts[0]
