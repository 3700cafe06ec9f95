"""When people are told how they did is changed after the layout: nothing is told twice, nothing taken back."""

import pytest
from django.utils import timezone

from annotation.batches.steps.batches import BatchError, change_feedback, close_batch, reopen_batch
from annotation.models import AuditEvent, Batch, Feedback, Job
from tests.annotation.gold.steps.test_feedback import HOUR, batch_of, feedback_rows, judge_all, say, work

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

LONG_AGO = timezone.now() - 48 * HOUR


def change(batch: Batch, feedback: str, hours: int = 24) -> None:
    change_feedback(batch, feedback=feedback, feedback_hours=hours, actor=None)
    batch.refresh_from_db()


def test_what_was_judged_before_is_told_once_it_is_due() -> None:
    batch, _ = batch_of(people=1, feedback="never")
    judge_all(batch, moment=LONG_AGO)
    change(batch, "delayed", 72)
    work()
    assert not Feedback.objects.exists(), "not due yet"
    change(batch, "delayed", 24)
    assert [job.result for job in work()] == [{"told": 2, "corrected": 0}]
    event = AuditEvent.objects.filter(verb="feedback changed").latest("pk")
    assert (event.subject, event.detail) == (batch.name, {"feedback": "delayed", "hours": 24})


def test_nothing_is_told_twice_or_taken_back() -> None:
    batch, items = batch_of(people=1, feedback="delayed")
    judge_all(batch, moment=LONG_AGO)
    change(batch, "delayed", 12)
    work()
    Feedback.objects.update(seen_at=LONG_AGO)
    before = list(Feedback.objects.order_by("pk").values())
    assert len(before) == 2
    for feedback, hours in (("never", 12), ("closed", 12), ("delayed", 1), ("never", 1)):
        change(batch, feedback, hours)
        work()
        assert list(Feedback.objects.order_by("pk").values()) == before, feedback
    close_batch(batch, actor=None)
    work()
    assert list(Feedback.objects.order_by("pk").values()) == before
    say(items[2], 4, "Gold by now.")
    work()
    assert Feedback.objects.count() == 2, "no more is told"


def test_what_was_told_is_corrected_though_no_more_is_told() -> None:
    batch, items = batch_of(people=1, feedback="delayed")
    judge_all(batch, moment=LONG_AGO)
    change(batch, "delayed", 12)
    work()
    change(batch, "never")
    say(items[0], 1, "Read anew.")
    work()
    assert feedback_rows(batch) == {
        (str(items[0].document), 1, (1,), "Read anew."),
        (str(items[1].document), 3, (3,), f"Because of {items[1].document}."),
    }


def test_a_closed_batch_and_a_draft_keep_it() -> None:
    batch, _ = batch_of(feedback="never")
    close_batch(batch, actor=None)
    with pytest.raises(BatchError, match="reopen it first"):
        change(batch, "closed")
    Batch.objects.update(state="draft")
    with pytest.raises(BatchError, match="A draft has its settings"):
        change(batch, "closed")
    Batch.objects.update(state="closed")
    reopen_batch(batch, actor=None)
    change(batch, "closed")
    assert batch.feedback == "closed"


def test_the_same_again_is_no_change() -> None:
    batch, _ = batch_of(feedback="delayed")
    Job.objects.all().delete()
    change(batch, "delayed", 24)
    assert not AuditEvent.objects.filter(verb="feedback changed").exists()
    assert not Job.objects.exists()
