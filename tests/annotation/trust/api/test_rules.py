"""The rules that pause people, and the watch, by the API."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEvent, ExclusionEvent, PauseEvent
from annotation.quality.trust import WatchSettings
from tests.annotation.callers import RESEARCH, caller, callers, send, statuses
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db

PAUSING, WATCH = (reverse(name, args=["bees"]) for name in ("api_pausing", "api_watch"))
ADMIN = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}


def started() -> tuple[People, Client]:
    people = make_people()
    make_worked(people.collection)
    return people, caller(people.admin)


@pytest.mark.parametrize("address", [PAUSING, WATCH])
def test_research_reads_and_admins_choose(address: str) -> None:
    people, _ = started()
    assert statuses(people, address) == RESEARCH
    assert {who: send(each, "patch", address, {}).status_code for who, each in callers(people).items()} == ADMIN


def test_whom_the_rules_would_pause_and_pausing_them_by_the_rule() -> None:
    people, client = started()
    report = client.get(PAUSING).json()
    assert (report["rules"]["accuracy"], report["rules"]["speed_spreads"], report["held"]) == ("propose", 3.0, [])
    (proposal,) = [row for row in report["proposed"] if row["annotator"] == "Cedar"]
    assert set(proposal["reasons"]) == {"stop", "accuracy"}
    assert (proposal["rule"], proposal["reasons"]["stop"]) == ("stop", proposal["reason"])
    body = {"reason": proposal["reason"], "rule": proposal["rule"]}
    assert send(client, "post", reverse("api_annotator_pause", args=["bees", "Cedar"]), body).status_code == 200
    assert (PauseEvent.objects.get().rule, PauseEvent.objects.get().created_by) == ("stop", people.admin)
    assert send(client, "post", reverse("api_annotator_exclude", args=["bees", "Cedar"]), body).status_code == 200
    assert ExclusionEvent.objects.get().rule == "stop"
    after = client.get(PAUSING).json()
    (entry,) = after["held"]
    assert (entry["annotator"], entry["is_paused"], entry["is_excluded"]) == ("Cedar", True, True)
    assert [row for row in after["proposed"] if row["annotator"] == "Cedar"] == []
    wrong = send(client, "post", reverse("api_annotator_pause", args=["bees", "Dune"]), {**body, "rule": "mood"})
    assert refused_fields(wrong) == {"rule"}


def test_a_rule_is_chosen_and_the_others_stay() -> None:
    people, client = started()
    before = client.get(PAUSING).json()["rules"]
    chosen = {"stop": "pause", "speed_answers": 40, "note": "Write to us."}
    after = send(client, "patch", PAUSING, chosen).json()["rules"]
    assert after == {**before, **chosen}
    people.collection.refresh_from_db()
    assert (people.collection.pausing["stop"], people.collection.pause_note) == ("pause", "Write to us.")
    assert AuditEvent.objects.get(verb="rules chosen").actor == people.admin
    assert send(client, "patch", PAUSING, {}).json()["rules"] == after


@pytest.mark.parametrize(
    ("address", "body", "fields"),
    [
        (PAUSING, {"stop": "shoot"}, {"stop"}),
        (PAUSING, {"speed_spreads": 0.5, "speed_answers": 5}, {"speed_spreads", "speed_answers"}),
        (PAUSING, {"note": "x" * 1001}, {"note"}),
        (WATCH, {"good": 2}, {"good"}),
        (WATCH, {"good": 0.6, "poor": 0.59}, {"poor"}),
        (WATCH, {"per_golds": 5}, {"per_golds"}),
    ],
)
def test_what_cannot_be_is_refused_by_field(address: str, body: dict[str, Any], fields: set[str]) -> None:
    people, client = started()
    answer = send(client, "patch", address, body)
    assert (answer.status_code, refused_fields(answer)) == (400, fields)
    people.collection.refresh_from_db()
    assert (people.collection.pausing, people.collection.watch) == ({}, {})


def test_the_watch_is_set_and_says_how_it_errs() -> None:
    people, client = started()
    before = client.get(WATCH).json()
    assert before["settings"]["good"] == WatchSettings().good
    assert [row["rate"] for row in before["rates"]] == [WatchSettings().good, WatchSettings().poor]
    after = send(client, "patch", WATCH, {"good": 0.9, "per_golds": 100}).json()
    assert after["settings"] == {**before["settings"], "good": 0.9, "per_golds": 100}
    assert 0 < after["rates"][0]["stopped"] < after["rates"][1]["stopped"] < 1
    people.collection.refresh_from_db()
    assert people.collection.watch["good"] == 0.9
    assert AuditEvent.objects.get(verb="watch chosen").actor == people.admin
