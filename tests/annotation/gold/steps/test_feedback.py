"""What people are told of their judgments on gold: when, of which, and what becomes of it when gold changes."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.batches.steps.batches import close_batch, reopen_batch
from annotation.gold.steps.events import set_gold, withdraw_gold
from annotation.gold.steps.feedback import give_feedback, sweep_feedback
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import Recorded, Refused, record_judgment
from annotation.judging.steps.undo import reopen
from annotation.kernel.jobs import JobRun, claim_job, run_job
from annotation.models import (
    Assignment,
    Batch,
    Feedback,
    GoldEvent,
    Item,
    Job,
    Judgment,
    Participation,
    Planting,
    ScaleVersion,
    Slot,
)
from annotation.quality.accuracy import gold_accuracy
from annotation.trust.read.judgments import policy_inputs
from tests.factories import make_annotator, make_batch, make_collection, make_gold, make_judgment

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
HOUR = timedelta(hours=1)


def batch_of(n: int = 4, *, feedback: str = "closed", people: int = 2, **settings: Any) -> tuple[Batch, list[Item]]:
    """An open batch of one topic; its first half is gold of grade 3, with explanations."""
    collection = make_collection()
    annotators = [make_annotator(collection) for _ in range(people)]
    batch = make_batch(collection, annotators, n_documents=n, feedback=feedback, **settings)
    items = list(batch.items.select_related("topic", "document", "collection", "scale", "batch").order_by("pk"))
    for item in items[: n // 2]:
        Planting.objects.create(item=item, purpose=Planting.Purpose.GOLD)
        say(item, 3, f"Because of {item.document}.")
    return batch, items


def say(item: Item, grade: int, explanation: str = "", accepted: tuple[int, ...] = ()) -> GoldEvent:
    return set_gold(
        item.collection,
        topic=item.topic,
        document=item.document,
        grade=grade,
        accepted=accepted,
        reason="Between us",
        explanation=explanation,
        actor=None,
    )


def judge_all(batch: Batch, grade: int = 2, *, moment: datetime = NOW) -> None:
    for person in batch.participations.order_by("pk"):
        while card := claim_next(person, moment=moment):
            record_judgment(person, token=card.token, grade=grade, moment=moment)


def work() -> list[Job]:
    """Do what is in the queue."""
    done = []
    while run := claim_job():
        done.append(run_job(run))
    return done


def feedback_rows(batch: Batch) -> set[tuple[str, int, tuple[int, ...], str]]:
    rows = Feedback.objects.filter(batch=batch).select_related("assignment__item__document")
    return {(str(row.assignment.item.document), row.grade, tuple(row.accepted), row.explanation) for row in rows}


def test_never_is_never() -> None:
    batch, _ = batch_of(feedback="never")
    judge_all(batch)
    close_batch(batch, actor=None)
    assert sweep_feedback(moment=NOW + 1000 * HOUR) == 0
    assert not Job.objects.exists()
    assert not Feedback.objects.exists()


def test_when_the_batch_closes_everybody_is_told_of_their_gold_and_of_nothing_else() -> None:
    batch, items = batch_of()
    judge_all(batch)
    assert sweep_feedback(moment=NOW + 1000 * HOUR) == 0
    close_batch(batch, actor=None)
    (job,) = work()
    assert (job.kind, job.state, job.result) == ("give_feedback", "done", {"told": 4, "corrected": 0})
    assert feedback_rows(batch) == {(str(item.document), 3, (3,), f"Because of {item.document}.") for item in items[:2]}
    assert Feedback.objects.count() == 4
    assert {row.annotator_id for row in Feedback.objects.all()} == set(
        batch.participations.values_list("annotator", flat=True)
    )
    assert all(row.assignment.annotator_id == row.annotator_id for row in Feedback.objects.select_related("assignment"))


def test_after_some_hours_each_judgment_by_itself() -> None:
    batch, _ = batch_of(people=1, feedback="delayed", feedback_hours=24)
    person = batch.participations.get()
    for hours in range(4):
        card = claim_next(person, moment=NOW + hours * HOUR)
        assert card is not None
        record_judgment(person, token=card.token, grade=1, moment=NOW + hours * HOUR)
    gold = Assignment.objects.filter(item__planting__purpose="gold").order_by("ended_at")
    first, second = (each.ended_at for each in gold)
    assert first is not None
    assert second is not None
    assert sweep_feedback(moment=first + 23 * HOUR) == 0
    assert sweep_feedback(moment=first + 24 * HOUR) == 1
    assert sweep_feedback(moment=first + 24 * HOUR) == 1
    assert Job.objects.count() == 1, "one in the queue is enough"


def test_the_worker_tells_what_is_due_by_itself() -> None:
    batch, _ = batch_of(people=1, feedback="delayed", feedback_hours=1)
    judge_all(batch, moment=NOW - 2 * HOUR)
    call_command("worker", once=True)
    assert Feedback.objects.count() == 2
    assert sweep_feedback(moment=NOW) == 0


def test_what_does_not_count_for_accuracy_is_not_told() -> None:
    """Checks, repeats, people who see gold, late judgments, withdrawn gold."""
    batch, items = batch_of(n=12, people=1)
    person = batch.participations.get().annotator
    Planting.objects.create(item=items[6], purpose=Planting.Purpose.CHECK)
    make_gold(items[6], 0)
    say(items[1], 3)
    withdraw_gold(batch.collection, topic=items[1].topic, document=items[1].document, reason="wrong", actor=None)
    for item, columns in ((items[0], {}), (items[1], {}), (items[2], {"blind": False}), (items[6], {})):
        make_judgment(item, person, 1, **columns)
    make_judgment(items[3], person, 1, reading=2)
    for n, assignment in enumerate(Assignment.objects.order_by("pk")):
        slot = Slot.objects.filter(item=assignment.item, assignment=None).first()
        assignment.slot, assignment.state = slot, Assignment.State.JUDGED
        assignment.save()
        assert n < 5
    make_judgment(items[4], person, 1)  # surplus
    close_batch(batch, actor=None)
    work()
    assert [row.assignment.item_id for row in Feedback.objects.select_related("assignment")] == [items[0].pk]


def test_gold_of_another_scale_is_not_told() -> None:
    """The batch was judged on the scale of before: its grades may mean something else."""
    batch, items = batch_of(n=4, people=1)
    collection = batch.collection
    assert collection.scale is not None
    grades = collection.scale.grades[:3]
    collection.scale = ScaleVersion.objects.create(collection=collection, number=2, sha256="2" * 64, grades=grades)
    collection.save()
    for item in items[1:3]:
        set_gold(collection, topic=item.topic, document=item.document, grade=2, accepted=(), reason="Anew", actor=None)
    judge_all(batch)
    close_batch(batch, actor=None)
    work()
    assert feedback_rows(batch) == {(str(items[0].document), 3, (3,), f"Because of {items[0].document}.")}


def test_a_pair_that_is_to_come_back_waits_for_that() -> None:
    batch, items = batch_of(people=1, feedback="delayed", feedback_hours=1)
    judge_all(batch, moment=NOW - 2 * HOUR)
    person = batch.participations.get().annotator
    Slot.objects.create(
        collection=batch.collection, batch=batch, item=items[0], n=9, block=1, reserved_for=person, due=0, reading=2
    )
    sweep_feedback(moment=NOW)
    work()
    assert {row.assignment.item_id for row in Feedback.objects.select_related("assignment")} == {items[1].pk}
    close_batch(batch, actor=None)
    work()
    assert Feedback.objects.count() == 2


def test_doing_it_again_changes_nothing() -> None:
    batch, _ = batch_of()
    judge_all(batch)
    close_batch(batch, actor=None)
    run = claim_job()
    assert run is not None
    assert give_feedback(run) == {"told": 4, "corrected": 0}
    before = list(Feedback.objects.order_by("pk").values())
    assert give_feedback(run) == {"told": 0, "corrected": 0}
    assert list(Feedback.objects.order_by("pk").values()) == before


def test_a_batch_opened_again_tells_nothing_new_until_it_closes() -> None:
    batch, _ = batch_of()
    judge_all(batch)
    close_batch(batch, actor=None)
    reopen_batch(batch, actor=None)
    work()
    assert not Feedback.objects.exists()
    close_batch(batch, actor=None)
    work()
    assert Feedback.objects.count() == 4


def test_corrected_gold_corrects_what_was_told() -> None:
    batch, items = batch_of()
    judge_all(batch)
    close_batch(batch, actor=None)
    work()
    Feedback.objects.update(seen_at=NOW)
    say(items[0], 1, "Read anew: it only names it.", accepted=(2,))
    (job,) = work()
    assert job.result == {"told": 0, "corrected": 2}
    assert (str(items[0].document), 1, (1, 2), "Read anew: it only names it.") in feedback_rows(batch)
    assert Feedback.objects.filter(seen_at=None).count() == 2, "new to the person again"
    withdraw_gold(batch.collection, topic=items[0].topic, document=items[0].document, reason="doubtful", actor=None)
    work()
    assert (str(items[0].document), 1, (), "") in feedback_rows(batch)


def test_gold_set_after_the_batch_closed_is_told_too() -> None:
    batch, items = batch_of()
    judge_all(batch)
    close_batch(batch, actor=None)
    work()
    say(items[3], 0, "Off topic.")
    work()
    assert (str(items[3].document), 0, (0,), "Off topic.") in feedback_rows(batch)


def told_of(n_documents: int = 4) -> tuple[Batch, Participation, Judgment]:
    """A delayed batch in which a person was told of one judgment and may go on."""
    batch, _ = batch_of(n=n_documents, people=1, feedback="delayed", feedback_hours=1)
    person = batch.participations.get()
    while not Judgment.objects.filter(item__planting__purpose="gold").exists():
        card = claim_next(person, moment=NOW - 3 * HOUR)
        assert card is not None
        record_judgment(person, token=card.token, grade=1, moment=NOW - 3 * HOUR)
    sweep_feedback(moment=NOW)
    work()
    return batch, person, Judgment.objects.get(item__planting__purpose="gold")


def test_what_was_told_can_no_longer_be_revised() -> None:
    _, person, judgment = told_of()
    assert reopen(person, token=judgment.token, moment=NOW) is None
    again, _ = record_judgment(person, token=judgment.token, grade=3, moment=NOW)
    assert not isinstance(again, Recorded)
    assert Judgment.objects.filter(assignment=judgment.assignment).count() == 1


def test_a_card_that_was_open_when_its_pair_was_told_is_refused() -> None:
    batch, _ = batch_of(n=2, people=1, feedback="delayed", feedback_hours=1)
    person = batch.participations.get()
    card = claim_next(person, moment=NOW - 3 * HOUR)
    assert card is not None
    record_judgment(person, token=card.token, grade=1, moment=NOW - 3 * HOUR)
    judgment = Judgment.objects.get()
    make_gold(judgment.item, 3)
    card = reopen(person, token=judgment.token, moment=NOW - 2 * HOUR)
    assert card is not None
    sweep_feedback(moment=NOW)
    work()
    outcome, _ = record_judgment(person, token=card.token, grade=3, moment=NOW)
    assert isinstance(outcome, Refused)
    assert Judgment.objects.count() == 1


def test_accuracy_is_of_the_last_revision_before_the_telling() -> None:
    """A revision that came after all, and the same pair in a later batch, tell nothing of how good somebody is."""
    batch, person, judgment = told_of(2)
    make_judgment(judgment.item, person.annotator, 3, created_at=timezone.now())
    other = make_batch(batch.collection, [], n_topics=0, n_documents=0)
    again = Item.objects.create(
        collection=batch.collection, batch=other, topic=judgment.topic, document=judgment.document,
        topic_version=judgment.item.topic_version, document_version=judgment.item.document_version,
        scale=batch.scale, block=0, shuffle=1,
    )  # fmt: skip
    make_judgment(again, person.annotator, 3, created_at=timezone.now())
    for chosen in ([batch], [batch, other]):
        inputs = policy_inputs(batch.collection, chosen)
        assert inputs.table.informed.tolist()[-2:] == [True, True]
        assert inputs.table.informed.sum() == 2
        accuracy = gold_accuracy(inputs.table, inputs.gold, inputs.scale)
        assert (accuracy.n_gold.tolist(), accuracy.n_correct.tolist()) == ([1], [0])
    Feedback.objects.all().delete()
    inputs = policy_inputs(batch.collection, [batch])
    accuracy = gold_accuracy(inputs.table, inputs.gold, inputs.scale)
    assert accuracy.n_correct.tolist() == [1]


def test_a_lost_worker_tells_nothing() -> None:
    batch, _ = batch_of()
    judge_all(batch)
    close_batch(batch, actor=None)
    run = claim_job()
    assert isinstance(run, JobRun)
    Job.objects.filter(pk=run.job.pk).update(attempt=2)
    run_job(run)
    assert not Feedback.objects.exists()
