"""What people made of gold: the same accuracy, standing and watch as the quality page has them, read on its own."""

import pytest

from annotation.gold.read.judged import judged_gold
from annotation.gold.read.known_grades import KnownGrade
from annotation.models import Annotator, GoldEvent
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
    found = gold_accuracy(judged.inputs.table, judged.inputs.gold, judged.inputs.scale)
    expected = {
        name: (int(outcome.people.accuracy.n_correct[i]), int(outcome.people.accuracy.n_gold[i]))
        for i, name in enumerate(inputs.table.annotators)
        if outcome.people.accuracy.n_gold[i]
    }
    assert expected
    assert {
        name: (int(found.n_correct[i]), int(found.n_gold[i])) for i, name in enumerate(judged.inputs.table.annotators)
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
    assert pair in also.with_gold({**also.gold_by_pair, pair: KnownGrade(1, frozenset({1}))}).places()
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
