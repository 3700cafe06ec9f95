"""One's own work and results by the API: as the pages have them, and nobody else's."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotator, Appeal, AuditEvent, Batch, Feedback, Judgment, User
from tests.annotation.callers import caller, send
from tests.annotation.counting import queries_of
from tests.annotation.judging.views.test_own_work import tell, working
from tests.annotation.refused_fields import refused_fields
from tests.factories import make_user

pytestmark = pytest.mark.django_db

WORK = reverse("api_own_work")


def client_of(person: Annotator) -> Client:
    assert person.user is not None
    return caller(person.user)


def at(name: str, batch: Batch, *more: str) -> str:
    return reverse(f"api_own_{name}", args=[batch.token, *more])


def test_what_one_has_done() -> None:
    batch, person, _ = working(0, 2)
    Judgment.objects.update(created_at=timezone.now())  # all on one day, also where midnight falls into the test
    body = client_of(person).get(WORK).json()
    assert body["done"] == {"n": 2, "active_hours": pytest.approx(2 / 60), "wall_hours": pytest.approx(4 / 60)}
    (row,) = body["batches"]
    assert (row["token"], row["done"]["n"], row["n_results"]) == (batch.token, 2, 0)
    assert [day["done"]["n"] for day in body["days"]] == [2]
    assert caller(make_user()).get(WORK).json()["batches"] == []
    assert Client().get(WORK).status_code == 401


def test_days_are_those_of_the_page_whatever_the_zone_of_the_reader() -> None:
    _, person, _ = working(0, 2)
    late = (timezone.now() - timedelta(days=2)).replace(hour=23, minute=30)
    Judgment.objects.update(created_at=late)
    assert person.user is not None
    User.objects.filter(pk=person.user.pk).update(time_zone="Pacific/Kiritimati")
    page = Client()
    page.force_login(person.user)
    days = {each.day for each in page.get("/work/").context["work"].days}
    assert days == {late.date()}
    assert [day["day"] for day in client_of(person).get(WORK).json()["days"]] == [late.date().isoformat()]


def test_results_come_once_they_are_told_and_to_nobody_else() -> None:
    batch, person, _ = working(0, 2)
    client = client_of(person)
    assert client.get(at("results", batch)).json()["results"] == []
    tell(batch, 2, explanation="It says so.")
    rows = client.get(at("results", batch)).json()["results"]
    assert sorted(row["verdict"] for row in rows) == ["far off", "right"]
    (far,) = client.get(at("results", batch), {"show": "far off"}).json()["results"]
    assert (far["mine"]["grade"], far["known"]["grade"], far["above"], far["is_new"]) == (0, 2, -2, True)
    one = client.get(at("result", batch, far["result"])).json()
    assert (one["explanation"], one["text"], one["can_object"]) == ("It says so.", "Some text.", True)
    stranger = caller(make_user())
    assert stranger.get(at("results", batch)).status_code == 404
    assert stranger.get(at("result", batch, far["result"])).status_code == 404
    assert client.get(at("result", batch, "x" * 22)).status_code == 404
    assert send(client, "post", at("results_read", batch)).json() == {"n_new": 2}
    assert not Feedback.objects.filter(seen_at=None).exists()


def test_one_objects_once_with_a_reason() -> None:
    batch, person, _ = working(0)
    tell(batch, 3)
    client = client_of(person)
    (row,) = client.get(at("results", batch)).json()["results"]
    address = at("object", batch, row["result"])
    assert refused_fields(send(client, "post", address, {"reason": " "})) == {"reason"}
    assert send(caller(make_user()), "post", address, {"reason": "No."}).status_code == 404
    answer = send(client, "post", address, {"reason": "It names no bee."})
    assert (answer.status_code, answer.json()["objection"]["state"]) == (201, "open")
    assert (Appeal.objects.get().reason, AuditEvent.objects.latest("pk").verb) == (
        "It names no bee.",
        "objection raised",
    )
    assert send(client, "post", address, {"reason": "Again."}).status_code == 409


def test_results_take_as_many_queries_for_three_as_for_one() -> None:
    counts = []
    for n in (1, 3):
        batch, person, _ = working(*[2] * n)
        tell(batch, 2)
        counts.append(queries_of(client_of(person), at("results", batch), n))
    assert counts[0] == counts[1]
