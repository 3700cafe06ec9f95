"""A steered batch as a bundle: who steers it travels, and which judgments were added is told from the slots."""

import pytest

from annotation.models import Batch, Slot
from annotation.quality.purpose import Purpose
from annotation.trust.read.judgments import policy_inputs
from tests.annotation.batches.steps.overlap_work import Steered, make_steered
from tests.annotation.exchange.steps.bundle_work import bring, bundle_of, changed, tell_identities

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def asked_again() -> Steered:
    steered = make_steered()
    tell_identities(steered.batch.collection)
    item = steered.ordinary[0]
    steered.judge(item, 0, 1)
    steered.look()
    steered.judge(item, 1)
    return steered


def test_it_comes_in_as_it_was() -> None:
    steered = asked_again()
    job = bring(bundle_of(steered.batch.collection))
    assert job.error == ""
    copy = Batch.objects.exclude(pk=steered.batch.pk).get()
    assert (str(copy.steered_by), copy.most_judgments, copy.target_probability) == ("steering v1", 5, 0.8)
    assert copy.steered_by is not None
    assert copy.steered_by.collection == copy.collection
    assert Slot.objects.filter(batch=copy).count() == Slot.objects.filter(batch=steered.batch).count()
    before, after = (policy_inputs(batch.collection, [batch]).table for batch in (steered.batch, copy))
    assert (before.purpose == Purpose.ADDED).sum() == (after.purpose == Purpose.ADDED).sum() == 1


@pytest.mark.parametrize(
    ("was", "now", "reason"),
    [
        ('"most_judgments":5', '"most_judgments":null', "are told together or not at all"),
        ('"most_judgments":5', '"most_judgments":2', "must be above the 2 that every pair gets"),
        ('"target_probability":0.8', '"target_probability":1.5', "must lie between 0.5 and below 1"),
        ('"steering_version":1', '"steering_version":7', "there is no policy steering 7 in the bundle"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(was: str, now: str, reason: str) -> None:
    collection = make_steered(n_gold=1).batch.collection
    tell_identities(collection)
    job = bring(changed(bundle_of(collection), "batches.jsonl", was, now))
    assert reason in job.error
    assert Batch.objects.count() == 1
