"""What people made of gold: the same accuracy, standing and watch as the quality page has them, read on its own."""

from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import pytest
from django.db.models import QuerySet

from annotation.gold.read.judged import judged_gold
from annotation.gold.read.known_grades import KnownGrade
from annotation.gold.steps.events import withdraw_gold
from annotation.kernel.judged import keeping, reading
from annotation.kernel.judged.keeping import keep_columns
from annotation.kernel.judged.rows import Rows
from annotation.models import Annotator, Feedback, GoldEvent, Judgment
from annotation.quality.accuracy import gold_accuracy
from annotation.quality.apply import apply_policy
from annotation.quality.policy import Policy
from annotation.quality.trust import WatchSettings, watch_people
from annotation.trust.read.judgments import policy_inputs
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_batch, make_collection, make_judgment

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]


def test_the_figures_are_those_of_the_quality_page() -> None:
    worked = make_worked(make_collection())
    inputs = policy_inputs(worked.batch.collection, [worked.batch])
    outcome = apply_policy(inputs, Policy())
    judged = judged_gold(worked.batch.collection)
    accuracy = gold_accuracy(judged.inputs.table, judged.inputs.gold, judged.inputs.scale)
    expected = {
        name: (int(outcome.people.accuracy.n_correct[i]), int(outcome.people.accuracy.n_gold[i]))
        for i, name in enumerate(inputs.table.annotators)
        if outcome.people.accuracy.n_gold[i]
    }
    assert expected
    assert {
        name: (int(accuracy.n_correct[i]), int(accuracy.n_gold[i]))
        for i, name in enumerate(judged.inputs.table.annotators)
    } == expected
    watched = dict(zip(inputs.table.annotators, watch_people(inputs, WatchSettings()), strict=True))
    again = watch_people(judged.inputs, WatchSettings(), judged.moment)
    assert {name: watched[name] for name in expected} == dict(zip(judged.inputs.table.annotators, again, strict=True))


def test_a_pair_that_is_not_gold_comes_only_when_asked_for_and_machines_never() -> None:
    worked = make_worked(make_collection())
    collection, item = worked.batch.collection, worked.items["G00"]
    GoldEvent.objects.create(
        collection=collection, topic=item.topic, document=item.document, scale=item.scale, action="withdraw"
    )
    pair = (item.topic.number, item.document.docno)
    without = judged_gold(collection)
    assert pair not in without.gold_by_pair
    assert item.document.docno not in without.inputs.table.docnos
    also = judged_gold(collection, also=pair)
    assert pair not in also.gold_by_pair
    assert item.document.docno in also.inputs.table.docnos
    assert pair in also.with_gold({**also.gold_by_pair, pair: KnownGrade(1, frozenset({1}))}).index_by_pair()
    Annotator.objects.filter(collection=collection, pseudonym="Amber").update(kind=Annotator.Kind.MACHINE, user=None)
    assert "Amber" not in judged_gold(collection).inputs.table.annotators


def test_nothing_judged_and_other_collections() -> None:
    collection = make_collection()
    assert len(judged_gold(collection).inputs.table) == 0
    other = make_worked(make_collection())
    batch = make_batch(collection, [])
    assert batch.items.exists()
    assert judged_gold(collection).gold_by_pair == {}
    assert judged_gold(other.batch.collection).gold_by_pair
    make_judgment(batch.items.earliest("pk"), other.people["Amber"], 1)
    assert len(judged_gold(collection).inputs.table) == 0


def test_kept_columns_and_tables_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of time, whatever that of the keys; repeats, checks, surplus and what people were told among it."""
    worked = make_worked(make_collection())
    collection, batch = worked.batch.collection, worked.batch
    golden, ordinary = Judgment.objects.filter(item=worked.items["G00"]), worked.items["G01"]
    early, late = golden.earliest("pk"), golden.latest("pk")
    golden.filter(pk=late.pk).update(created_at=early.created_at - timedelta(days=1))
    before = early.created_at - timedelta(hours=1)
    Feedback.objects.create(
        batch=batch, annotator=early.annotator, assignment=early.assignment, grade=1, created_at=before
    )
    withdraw_gold(collection, topic=ordinary.topic, document=ordinary.document, reason="", actor=None)
    pair = (ordinary.topic.number, ordinary.document.docno)
    expected = judged_gold(collection, also=pair)
    monkeypatch.setattr(keeping, "SETTLED", -3_600_000_000)
    keep_columns(batch, behind=1, least=1)
    monkeypatch.setattr(reading, "judgment_rows", _nothing)
    again = judged_gold(collection, also=pair)
    assert len(again.inputs.table) > 0
    assert again.inputs.table.to_bytes() == expected.inputs.table.to_bytes()
    assert again.moment.tolist() == expected.moment.tolist()
    assert again.inputs.table.informed.any()
    assert (np.diff(again.inputs.table.sequence) < 0).any()


def _nothing(judgments: "QuerySet[Judgment]") -> Iterator[Rows]:
    """The tables are asked for what the columns lack, and have nothing further."""
    assert not judgments.exists()
    return iter(())
