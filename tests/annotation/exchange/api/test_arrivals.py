"""Whole collections brought in by program."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Collection, Job, Membership
from tests.annotation.callers import caller, callers, statuses
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.formats.folder.test_opening import FILES, zipped
from tests.annotation.refused_fields import problem_of, reasons_of
from tests.annotation.roles import WHO, make_people
from tests.factories import make_collection, make_user

pytestmark = pytest.mark.django_db

PLACE = "api_collection_bring"


def boss() -> Client:
    return caller(make_user("boss", may_create_collections=True))


def form_of(data: bytes, slug: str = "copy", **further: str) -> dict[str, object]:
    return {"file": SimpleUploadedFile("bees.zip", data), "slug": slug, **further}


def test_looked_through_shown_and_published() -> None:
    client = boss()
    answer = client.post(reverse(PLACE), form_of(zipped(FILES)))
    assert answer.status_code == 202
    address, collection = answer.json()["arrival_url"], answer.json()["collection_url"]
    assert client.get(address).json()["state"] == "checking"
    assert work() == ["done"]
    arrival = client.get(address).json()
    assert (arrival["state"], arrival["slug"], arrival["n_problems"]) == ("checked", "copy", 0)
    assert (arrival["preview"]["format"]["name"], arrival["preview"]["counts"]["Topics: new"]) == ("beir", 1)
    assert [(table["name"], table["rows"][0]) for table in arrival["preview"]["tables"]][:2] == [
        ("queries.jsonl", ["1", "bees", "", ""]),
        ("corpus.jsonl", ["d1", "Bees", "Bees make honey.", ""]),
    ]
    assert client.get(collection).status_code == 404
    first, again = client.post(f"{address}/publish"), client.post(f"{address}/publish")
    assert (first.status_code, first.json()["state"]) == (202, "storing")
    assert again.json()["job_url"] == first.json()["job_url"]
    assert work() == ["done"]
    assert client.get(address).json()["state"] == "published"
    assert client.get(collection).json()["counts"]["topics"] == 1
    assert list(Membership.objects.filter(collection__slug="copy").values_list("user__username")) == [("boss",)]


def test_published_at_once_where_it_is_asked_for() -> None:
    client = boss()
    answer = client.post(reverse(PLACE), form_of(zipped(FILES), publish="true"))
    assert (answer.status_code, answer.json()["arrival_url"]) == (202, None)
    assert work() == ["done"]
    assert client.get(answer.json()["collection_url"]).status_code == 200


def test_published_under_another_name() -> None:
    client = boss()
    address = client.post(reverse(PLACE), form_of(zipped(FILES))).json()["arrival_url"]
    work()
    make_collection("copy")
    answer = client.post(f"{address}/publish", {"slug": "copy"})
    assert (answer.status_code, reasons_of(answer)) == (400, {"slug": ["There is a collection copy already."]})
    assert client.post(f"{address}/publish", {"slug": "copy-2"}).json()["slug"] == "copy-2"
    work()
    assert Collection.objects.filter(slug="copy-2").count() == 1


def test_discarded() -> None:
    client = boss()
    address = client.post(reverse(PLACE), form_of(zipped(FILES))).json()["arrival_url"]
    answer = client.post(f"{address}/discard")
    assert problem_of(answer) == (409, "This collection cannot be discarded: checking.")
    work()
    assert client.post(f"{address}/discard").status_code == 204
    assert (client.get(address).status_code, client.post(f"{address}/discard").status_code) == (404, 404)
    assert Job.objects.count() == 0


def test_what_is_wrong_is_said() -> None:
    people = make_people()
    client = boss()
    answer = client.post(reverse(PLACE), {"slug": "bees"})
    assert (answer.status_code, reasons_of(answer)) == (
        400,
        {"file": ["No file was submitted."], "slug": ["There is a collection bees already."]},
    )
    answer = client.post(reverse(PLACE), form_of(b"no zip"))
    assert work() == ["done"]
    arrival = client.get(answer.json()["arrival_url"]).json()
    assert (arrival["state"], arrival["problems"]) == (
        "refused",
        [{"file": "bees.zip", "line": 0, "reason": "this is no zip archive, or it is cut short"}],
    )
    answer = client.post(f"{answer.json()['arrival_url']}/publish")
    assert problem_of(answer) == (409, "This collection is not ready to be published: refused.")
    assert Collection.objects.filter(slug="copy").count() == 0
    assert callers(people)["outsider"].get(arrival["job_url"]).status_code == 404


def test_who_may() -> None:
    people = make_people()
    nobody = {**dict.fromkeys(WHO, 403), "anonymous": 401}
    assert statuses(people, reverse(PLACE), "post") == nobody
    people.admin.may_create_collections = True
    people.admin.save()
    caller(people.admin).post(reverse(PLACE), form_of(zipped(FILES)))
    token = Job.objects.get().token
    work()
    hidden = {**dict.fromkeys(WHO, 404), "anonymous": 401}
    assert statuses(people, reverse("api_arrival", args=[token])) == {**hidden, "admin": 200}
    address = reverse("api_arrival_publish", args=[token])
    assert statuses(people, address, "post") == {**nobody, "admin": 202}
    assert statuses(people, reverse("api_arrival_discard", args=[token]), "post") == {**hidden, "admin": 409}
