"""What was said of quality goes along in a bundle: objections and answers, costs, thresholds, notes on alerts."""

from decimal import Decimal

import pytest

from annotation.models import Batch, Collection
from tests.annotation.exchange.steps.bundle_work import (
    aged,
    bring,
    bundle_of,
    changed,
    copy_of,
    make_full,
    snapshot_hashes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


@pytest.mark.alike("what is missing is filled in before a row is written; samples of earlier versions come in there")
def test_a_bundle_of_the_third_version_still_comes_in() -> None:
    """Of before costs, thresholds of alerts, notes on alerts and objections went along."""
    worked = make_full()
    job = bring(aged(bundle_of(worked.collection), version=3))
    assert job.error == ""
    copy = Collection.objects.get(slug="copy")
    assert snapshot_hashes(copy) == snapshot_hashes(worked.collection)
    assert (copy.alerts, copy.cost_per_judgment, copy.currency, copy.appeals.count()) == ({}, None, "", 0)


def test_objections_costs_and_what_was_said_of_alerts_come_along() -> None:
    worked = make_full()
    copy = copy_of(worked.collection)
    assert (copy.alerts, copy.cost_per_judgment, copy.currency) == ({"accuracy": 0.6}, Decimal("0.05"), "EUR")
    (batch,) = Batch.objects.filter(collection=copy)
    assert batch.cost_per_judgment == Decimal("0.25")
    (event,) = batch.alert_events.all()
    assert (event.rule, event.about, event.action, event.level, event.note, event.created_by) == (
        ("racing", "Birch", "set_aside", 0.375, "Known", None)
    )
    upheld, waiting = copy.appeals.order_by("pk")
    assert (upheld.state, upheld.answer, upheld.feedback.batch, upheld.answered_by) == (
        ("upheld", "You are right.", batch, None)
    )
    assert upheld.event is not None
    assert (upheld.event.grade, upheld.event.document) == (3, upheld.document)
    assert (waiting.state, waiting.reason, waiting.annotator.pseudonym, waiting.event) == (
        ("open", "And a third side.", "Amber", None)
    )


@pytest.mark.alike("refused by what its rows say; one refused by what is stored is swept there")
@pytest.mark.parametrize(
    ("member", "old", "new", "reason"),
    [
        ("appeals.jsonl", '"answer":"You are right."', '"answer":""', "an objection that was answered has an answer"),
        ("appeals.jsonl", '"gold":1', '"gold":7', "there is no event of gold"),
        ("appeals.jsonl", '"annotator":"Amber"', '"annotator":"Birch"', "there is no feedback"),
        ("alert_events.jsonl", '"batch":"', '"batch":"no ', "there is no batch no "),
        ("batches.jsonl", '"0.2500"', '"-1"', "is no sum as in 0.0500"),
    ],
)
def test_objections_and_notes_that_cannot_be_are_refused(member: str, old: str, new: str, reason: str) -> None:
    job = bring(changed(bundle_of(make_full().collection), member, old, new))
    assert reason in job.error
    assert job.error.startswith(f"{member}:1: ")
