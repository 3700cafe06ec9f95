"""Judgments in place of those of excluded people, by the API: proposed, added once confirmed, taken back."""

import pytest
from django.urls import reverse

from annotation.models import Annotator, AuditEvent, Batch, Slot
from annotation.trust.steps.exclusions import reinstate_annotator
from tests.annotation.batches.views.test_replacements import excluded
from tests.annotation.callers import RESEARCH, caller, callers, send, statuses
from tests.annotation.refused_fields import refused_fields
from tests.factories import make_batch, make_collection

pytestmark = pytest.mark.django_db

LIST = reverse("api_replacements", args=["bees"])


def at(name: str, batch: Batch) -> str:
    return reverse(f"api_batch_{name}", args=["bees", batch.token])


def test_who_reads_and_who_adds() -> None:
    people, batch = excluded()
    assert statuses(people, LIST) == RESEARCH
    others = {who: each for who, each in callers(people).items() if who != "admin"}
    for name in ("replace", "withdraw"):
        codes = {who: send(each, "post", at(name, batch), {"n": 4}).status_code for who, each in others.items()}
        assert codes == {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    foreign = make_batch(make_collection(), [])
    assert send(caller(people.admin), "post", at("replace", foreign), {"n": 4}).status_code == 404
    assert Slot.objects.filter(batch=batch).count() == 4


def test_what_is_missing_is_added_as_it_was_read_and_taken_back() -> None:
    people, batch = excluded()
    client = caller(people.admin)
    (missing,) = client.get(LIST).json()["missing"]
    assert (missing["batch"], missing["n"], missing["n_pairs"], missing["judgments_of"]) == (
        *(batch.token, 4, 4),
        ["A-ONE"],
    )
    assert (missing["cost"], missing["n_stuck"], missing["can_be_added"]) == (None, 0, True)
    assert send(client, "post", at("replace", batch), {"n": 3}).status_code == 409
    assert Slot.objects.count() == 4
    answer = send(client, "post", at("replace", batch), {"n": 4})
    assert (answer.status_code, answer.json(), Slot.objects.count()) == (200, {"n_slots": 4, "n_items": 4}, 8)
    assert AuditEvent.objects.get(verb="slots added").actor == people.admin
    overview = client.get(LIST).json()
    assert (overview["missing"], overview["added"][0]["n_added"], overview["added"][0]["n_spare"]) == ([], 4, 0)
    reinstate_annotator(Annotator.objects.get(pseudonym="A-ONE"), reason="A mistake", actor=None)
    assert client.get(LIST).json()["added"][0]["n_spare"] == 4
    assert send(client, "post", at("withdraw", batch)).json() == {"n_slots": 4, "n_items": 4}
    assert Slot.objects.count() == 4


def test_how_many_is_said_and_a_closed_batch_gets_none() -> None:
    people, batch = excluded()
    client = caller(people.admin)
    for body in ({}, {"n": 0}, {"n": "all"}):
        assert refused_fields(send(client, "post", at("replace", batch), body)) == {"n"}
    Batch.objects.update(state="closed")
    assert send(client, "post", at("replace", batch), {"n": 4}).status_code == 409
    assert send(client, "post", at("withdraw", batch)).status_code == 409
    assert Slot.objects.count() == 4
