"""Asking for one more judgment where a grade is in doubt: when a look is due, what it adds, and never more."""

import threading
import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from annotation.batches.read.overlap import is_due, steering_of
from annotation.batches.read.replacements import additions
from annotation.batches.steps.batches import pause_batch
from annotation.batches.steps.overlap import ask_for_steering, steer_overlap, sweep_overlap
from annotation.judging.steps.claiming import claim_next
from annotation.kernel.jobs import JobRun, claim_job, run_job
from annotation.models import AuditEvent, Batch, Item, Job, Participation, Slot
from annotation.quality.agreement import agreement_rows
from annotation.quality.purpose import Purpose
from annotation.trust.read.judgments import policy_inputs
from tests.annotation.batches.steps.overlap_work import Steered, make_steered
from tests.factories import make_gold

pytestmark = pytest.mark.both("locks")

NOW = timezone.now()


def judged_apart(steered: Steered) -> tuple[Item, Item, Item]:
    """One pair on which the first two agree, one on which they do not, one that only one has judged."""
    agreed, split, begun = steered.ordinary[:3]
    steered.judge(agreed, 2, 2)
    steered.judge(split, 0, 1)
    steered.judge(begun, 1)
    return agreed, split, begun


@pytest.mark.django_db
def test_one_more_is_asked_for_where_people_differ() -> None:
    steered = make_steered()
    agreed, split, begun = judged_apart(steered)
    job = steered.look()
    assert (job.state, job.result) == (Job.State.DONE, {"added": 1, "stopped": 1})
    assert [steered.numbers(item) for item in (agreed, split, begun)] == [[0, 1], [0, 1, 2], [0, 1]]
    added = Slot.objects.get(item=split, n=2)
    assert (added.state, added.reserved_for, added.reading, added.block) == ("open", None, 1, split.block)
    event = AuditEvent.objects.get(verb="slots added")
    assert event.detail == {"slots": 1, "items": 1, "reason": "the grade is not sure enough yet"}


@pytest.mark.django_db
def test_a_pair_that_became_gold_is_not_asked_about_again() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    make_gold(split, 1)
    assert steered.look().result == {"added": 0, "stopped": 1}
    assert steered.numbers(split) == [0, 1]


@pytest.mark.django_db
def test_a_second_look_adds_nothing_until_the_slot_is_judged() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    assert [steered.look().result["added"] for _ in range(2)] == [1, 0]
    steered.judge(split, 2)
    steered.look()
    assert steered.numbers(split) == [0, 1, 2, 3]


@pytest.mark.alike("the looks at once and the campaign meet there")
@pytest.mark.django_db
@pytest.mark.parametrize(("maximum", "n_people", "most"), [(3, 6, 3), (4, 6, 4), (5, 4, 4)])
def test_never_beyond_the_largest_number_nor_the_people(maximum: int, n_people: int, most: int) -> None:
    """Everybody says something else, so that the grade is in doubt to the end."""
    steered = make_steered(maximum=maximum, n_people=n_people, target=0.99)
    item = steered.ordinary[0]
    for grade in (0, 1, 2, 0, 1, 2):
        steered.judge(item, grade) if Slot.objects.filter(item=item, state=Slot.State.OPEN).exists() else None
        steered.look()
    assert len(steered.numbers(item)) == most


@pytest.mark.django_db
def test_what_was_found_is_kept_for_the_page() -> None:
    steered = make_steered()
    before = steering_of(steered.batch)
    assert before is not None
    assert before.summary is None
    judged_apart(steered)
    steered.look()
    steering = steering_of(steered.batch)
    assert steering is not None
    assert steering.summary is not None
    assert steering.looked_at is not None
    assert timezone.now() - steering.looked_at < timedelta(minutes=5)
    assert (steering.n_added, steering.summary.n_saved) == (1, 3)
    assert (steering.summary.n_stopped, steering.summary.n_wanting) == (1, 1)
    assert steering.summary.gold.n == 32
    assert steering.summary.n_short == 1


@pytest.mark.django_db
def test_what_the_policy_asked_for_is_no_more_than_asked_for() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    steered.look()
    steered.judge(split, 1)
    (row,) = additions(steered.batch.collection)
    assert (row.n_added, row.n_judged, row.n_beyond) == (1, 1, 0)
    Batch.objects.filter(pk=steered.batch.pk).update(most_judgments=None, steered_by=None, target_probability=None)
    (row,) = additions(steered.batch.collection)
    assert row.n_beyond == 1


@pytest.mark.django_db
def test_agreement_is_that_of_the_judgments_laid_out() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    steered.look()
    steered.judge(split, 1)
    inputs = policy_inputs(steered.batch.collection, [steered.batch])
    table = inputs.table
    assert (table.purpose == Purpose.ADDED).sum() == 1
    assert table.grade[table.purpose == Purpose.ADDED].tolist() == [1]
    row = agreement_rows(inputs)
    assert sorted(table.grade[row].tolist()) == [0, 1, 1, 2, 2]


@pytest.mark.django_db
def test_without_gold_enough_nothing_is_added() -> None:
    steered = make_steered(n_gold=2)
    judged_apart(steered)
    assert steered.look().result == {"added": 0, "stopped": 0}
    steering = steering_of(steered.batch)
    assert steering is not None
    assert steering.summary is not None
    assert steering.summary.too_little_gold
    assert steering.summary.n_unknown == 2


@pytest.mark.django_db
def test_an_added_slot_is_claimed_as_any_other() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    Slot.objects.filter(batch=steered.batch, state=Slot.State.OPEN).exclude(item=split).delete()
    person = Participation.objects.get(batch=steered.batch, annotator=steered.people[4])
    assert claim_next(person, moment=NOW) is None
    steered.look()
    card = claim_next(person, moment=NOW)
    assert card is not None
    assert card.assignment.item_id == split.pk


@pytest.mark.django_db
def test_a_batch_that_is_not_open_is_left_alone() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    ask_for_steering(steered.batch, created_by=None)
    pause_batch(steered.batch, actor=None)
    run = claim_job()
    assert run is not None
    job = run_job(run)
    assert (job.state, job.error) == (Job.State.FAILED, "The batch is not open any more, or nothing steers it.")
    assert steered.numbers(split) == [0, 1]
    assert sweep_overlap() == 0


@pytest.mark.django_db
def test_a_look_is_due_once_enough_was_judged_or_nothing_else_is_left() -> None:
    steered = make_steered()
    judged_apart(steered)
    assert is_due(steered.batch)
    steered.look()
    assert not is_due(steered.batch)
    steered.judge(steered.ordinary[3], 0)
    assert not is_due(steered.batch)
    Slot.objects.filter(batch=steered.batch, state=Slot.State.OPEN).delete()
    assert is_due(steered.batch)


@pytest.mark.django_db
def test_the_worker_looks_by_itself_and_asks_once() -> None:
    steered = make_steered()
    _, split, _ = judged_apart(steered)
    assert [sweep_overlap(), sweep_overlap()] == [1, 0]
    call_command("worker", "--once")
    assert steered.numbers(split) == [0, 1, 2]
    fixed = Batch.objects.get(pk=steered.batch.pk)
    Batch.objects.filter(pk=fixed.pk).update(steered_by=None, most_judgments=None, target_probability=None, steering={})
    assert sweep_overlap() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_look_that_came_to_nothing_is_not_asked_for_again_at_once(state: str) -> None:
    steered = make_steered()
    judged_apart(steered)
    assert sweep_overlap() == 1
    Job.objects.update(state=state, finished_at=timezone.now())
    assert sweep_overlap() == 0
    Job.objects.update(finished_at=timezone.now() - timedelta(hours=2))
    assert sweep_overlap() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("n_judged", [2, 4])
def test_looks_at_once_add_one_slot_and_never_beyond_the_largest_number(n_judged: int) -> None:
    """A worker that lost its job to another looks again all the same. All have weighed, and found the same pair with
    its slots judged, before the first may write: still it gets one slot, four judgments of five going on to the last.
    """
    if connection.vendor == "sqlite":
        pytest.skip("one writer at a time")
    steered = make_steered(target=0.99)
    split = _in_doubt(steered, n_judged)
    threads = [threading.Thread(target=_look, args=[_claimed(steered)]) for _ in range(3)]
    with transaction.atomic():
        Batch.objects.select_for_update().get(pk=steered.batch.pk)
        for thread in threads:
            thread.start()
        _until_waiting(len(threads))
    for thread in threads:
        thread.join()
    assert steered.numbers(split) == list(range(n_judged + 1))
    steered.judge(split, 2)
    steered.look()
    assert len(steered.numbers(split)) == min(n_judged + 2, 5)


def _in_doubt(steered: Steered, n_judged: int) -> Item:
    """A pair on which people differ, with so many judgments in so many slots."""
    item = steered.ordinary[0]
    for n in range(n_judged):
        steered.judge(item, n % 3)
        if n + 1 in range(2, n_judged):
            steered.look()
    assert len(steered.numbers(item)) == n_judged
    return item


def _until_waiting(n: int) -> None:
    """Until so many sessions wait for a lock."""
    with connection.cursor() as cursor:
        for _ in range(3000):
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone() == (n,):
                return
            time.sleep(0.01)
    raise AssertionError(f"{n} looks should wait for the batch by now")


def _claimed(steered: Steered) -> JobRun:
    ask_for_steering(steered.batch, created_by=None)
    run = claim_job()
    assert run is not None
    Job.objects.filter(pk=run.job.pk).update(kind="give_feedback")  # so that the next one may be asked for
    return run


def _look(run: JobRun) -> None:
    try:
        steer_overlap(run)
    finally:
        connection.close()
