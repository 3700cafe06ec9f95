"""Alerts on the pages: shown, set aside with a note, back once worse; the thresholds of a collection."""

import re
from types import SimpleNamespace
from typing import get_args

import pytest
from django.template.loader import render_to_string
from django.test import Client

from annotation.batches.steps.batches import close_batch, pause_batch
from annotation.health.pages.cached import clear_cache
from annotation.models import AlertEvent, Assignment, AuditEvent, Batch, Collection, Judgment
from annotation.quality.alerts import RULES
from annotation.quality.alerts.rule import Subject
from annotation.trust.steps.exclusions import exclude_annotator
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_document, make_gold, make_item

pytestmark = pytest.mark.django_db

CEDAR = "?rule=accuracy&about=Cedar"


def started() -> tuple[People, Worked, Client, str]:
    people = make_people()
    worked = make_worked(people.collection)
    Batch.objects.update(gold_share=0)
    return people, worked, people.client("admin"), f"/c/bees/batches/{worked.batch.token}"


def shown(client: Client, address: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What is to be looked at, and what is set aside."""
    clear_cache()
    alerts = client.get(f"{address}/health").context["alerts"]
    to_look_at, aside = alerts.to_look_at, alerts.aside
    return [(a.alert.rule, a.alert.about) for a in to_look_at], [(a.alert.rule, a.alert.about) for a in aside]


def test_somebody_wrong_on_gold_is_shown_on_three_pages() -> None:
    _, worked, client, address = started()
    assert shown(client, address) == ([("accuracy", "Cedar")], [])
    assert "1 alert: wrong on gold." in client.get("/c/bees/?figures=now").text
    assert f'hx-get="/c/bees/alerts/?batch={worked.batch.token}"' in client.get(f"{address}/").text
    words = "Right on 6 of 12 gold pairs (50 %): below 70 %, though so little gold may be bad luck."
    for page in (f"{address}/health", "/c/bees/alerts/", f"/c/bees/alerts/?batch={worked.batch.token}"):
        text = client.get(page).text
        assert words in text
        assert 'href="/c/bees/quality/annotators/Cedar/"' in text
    part = client.get(f"/c/bees/alerts/?batch={worked.batch.token}", headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "<summary>1 alert: wrong on gold.</summary>" in part
    assert "No batch is under way" in client.get("/c/bees/alerts/?batch=none").text


def test_an_alert_is_set_aside_with_a_note_and_comes_back_when_it_is_worse() -> None:
    people, worked, client, address = started()
    answer = client.post(f"{address}/alert{CEDAR}", {"note": "I wrote to her."})
    assert answer.headers["Location"] == f"{address}/health"
    assert shown(client, address) == ([], [("accuracy", "Cedar")])
    assert "I wrote to her." in client.get(f"{address}/health").text
    event = AlertEvent.objects.get()
    assert (event.action, round(event.level, 6), event.created_by) == ("set_aside", 0.2, people.admin)
    record = AuditEvent.objects.latest("pk")
    assert (record.verb, record.detail["note"]) == ("alert set aside", "I wrote to her.")
    make_gold(worked.items["G05"], 4)  # Cedar is now right on 5 of 12, Birch on 13 of 20
    assert shown(client, address) == ([("accuracy", "Cedar"), ("accuracy", "Birch")], [])
    assert "and worse since" in client.get(f"{address}/health").text


def test_a_little_worse_is_not_worse() -> None:
    _, worked, client, address = started()
    client.post(f"{address}/alert{CEDAR}", {"note": "Known."})
    item = make_item(worked.batch, worked.items["G00"].topic, make_document(worked.collection, "G99"))
    worked.items["G99"] = item
    make_gold(item, 1)
    worked.judge("G99", "Cedar", 4)  # 6 of 13: .46, was .50
    assert shown(client, address) == ([], [("accuracy", "Cedar")])


def test_it_is_shown_again_by_hand() -> None:
    _, _, client, address = started()
    client.post(f"{address}/alert{CEDAR}", {"note": "Known."})
    assert "Show again" in client.get(f"{address}/alert{CEDAR}").text
    client.post(f"{address}/alert{CEDAR}", {"note": "Not known after all."})
    assert shown(client, address) == ([("accuracy", "Cedar")], [])
    assert AuditEvent.objects.latest("pk").verb == "alert shown again"
    assert AlertEvent.objects.count() == 2


def test_a_note_is_asked_for() -> None:
    _, _, client, address = started()
    assert client.post(f"{address}/alert{CEDAR}", {"note": " "}).status_code == 422
    assert not AlertEvent.objects.exists()


def test_an_alert_that_has_gone_and_one_that_never_was() -> None:
    people, worked, client, address = started()
    assert client.get(f"{address}/alert?rule=accuracy&about=Amber").status_code == 404
    client.post(f"{address}/alert{CEDAR}", {"note": "Known."})
    exclude_annotator(worked.people["Cedar"], reason="wrong", actor=people.admin)
    assert shown(client, address) == ([], [])
    assert client.get(f"{address}/alert{CEDAR}").headers["Location"] == f"{address}/health"


def test_a_closed_batch_has_no_alerts_and_a_paused_one_may_be_silent() -> None:
    _, worked, client, address = started()
    old = Judgment.objects.earliest("pk").created_at.replace(year=2025)
    Judgment.objects.update(created_at=old)
    assert shown(client, address) == ([("accuracy", "Cedar"), ("silence", f"{old:%Y-%m-%d %H:%M}")], [])
    pause_batch(worked.batch, actor=None)
    assert shown(client, address) == ([("accuracy", "Cedar")], [])
    close_batch(worked.batch, actor=None)
    assert shown(client, address) == ([], [])


def test_who_is_paused_is_no_longer_reported() -> None:
    people, worked, client, address = started()
    pause_annotator(worked.people["Cedar"], reason="wrong", actor=people.admin)
    assert shown(client, address) == ([], [])
    assert "(paused)" in client.get(f"{address}/health").text


def test_gold_that_is_laid_out_for_a_person_counts() -> None:
    """Dune has 8 gold judgments and needs 10."""
    _, worked, client, address = started()
    Batch.objects.update(gold_share=0.1)
    worked.batch.slots.filter(item__topic__number="g").delete()
    assert ("gold", "Dune") in shown(client, address)[0]
    for docno in ("G18", "G19"):
        item = worked.items[docno]
        slot = {"collection": item.collection, "batch": item.batch, "item": item, "block": 0, "n": 9, "due": 1}
        item.slots.create(**slot, reserved_for=worked.people["Dune"])
    assert shown(client, address) == ([("accuracy", "Cedar")], [])


def test_a_topic_that_people_cannot_judge() -> None:
    _, _, client, address = started()
    assignments = Assignment.objects.filter(item__topic__number="1", annotator__pseudonym="Amber")
    for assignment in assignments:
        row = {"item": assignment.item, "annotator": assignment.annotator, "reading": 2, "batch": assignment.batch}
        Assignment.objects.create(
            **row,
            collection=assignment.collection,
            state="skipped",
            skip_reason="broken",
            claimed_at=assignment.claimed_at,
        )
    assert ("cannot", "1") in shown(client, address)[0]


def test_thresholds_are_chosen_and_on_record() -> None:
    _, _, client, address = started()
    page = client.get("/c/bees/alerts/settings")
    fields = dict(re.findall(r'name="(\w+)"[^>]*? value="([^"]*)"', page.text))
    fields |= {"cost_per_judgment": "0.5", "currency": "CHF"}
    assert (fields["accuracy"], fields["golds"], fields["early"]) == ("70", "10", "20")
    answer = client.post("/c/bees/alerts/settings", {**fields, "accuracy": "49"})
    assert answer.headers["Location"] == "/c/bees/alerts/"
    collection = Collection.objects.get(slug="bees")
    assert (collection.alerts["accuracy"], collection.alerts["golds"], collection.currency) == (0.49, 10, "CHF")
    assert shown(client, address) == ([], [])
    record = AuditEvent.objects.latest("pk")
    assert (record.verb, record.detail["accuracy"], record.detail["cost_per_judgment"]) == (
        "alerts chosen",
        0.49,
        "0.5",
    )
    refused = client.post("/c/bees/alerts/settings", {**fields, "accuracy": "400"})
    assert refused.status_code == 422
    client.post("/c/bees/alerts/settings", {**fields, "accuracy": "49"})
    assert AuditEvent.objects.filter(verb="alerts chosen").count() == 1


def test_an_alert_links_to_each_subject_that_a_rule_may_declare() -> None:
    """A subject that the template forgets would be a sentence about nobody."""
    links = []
    for subject in get_args(Subject):
        alert = {"rule": {"subject": subject}, "alert": {"about": "7"}, "key": "k"}
        address = {"collection": SimpleNamespace(slug="bees"), "batch": SimpleNamespace(token="tok")}
        text = render_to_string("annotation/health/alert_about.html", {"shown": alert, **address})
        links += re.findall(r'<a id="about-k" href="([^"]+)"', text)
    assert links == [
        "/c/bees/quality/annotators/7/",
        "/c/bees/gold/supply",
        "/c/bees/topics/7",
        "/c/bees/quality/agreement#by-topic",
        "/c/bees/batches/tok/",
        "/c/bees/batches/tok/health#far",
    ]


def test_only_admins_set_aside() -> None:
    people, _, _, address = started()
    assert people.statuses(f"{address}/alert{CEDAR}") == ADMINS_ONLY
    text = people.client("researcher").get(f"{address}/health").text
    assert "Cedar" in text
    assert f"{address}/alert" not in text


def test_names_of_alerts_fit_into_their_column() -> None:
    longest = AlertEvent._meta.get_field("rule").max_length
    assert longest is not None
    assert [name for name in RULES if len(name) > longest] == []
