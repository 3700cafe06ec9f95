"""People and workers who meet at the same rows wait for each other; nobody is thrown out by a deadlock."""

import io
import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.batches.steps.batches import assign_annotators
from annotation.batches.steps.layout import add_slots
from annotation.exchange.read.imports import CHECK
from annotation.exchange.steps.importing import cancel_import, start_import
from annotation.exchange.steps.importing.sweeping import sweep
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import Recorded, record_judgment
from annotation.kernel.jobs import claim_job
from annotation.models import Assignment, Document, Import, Job, Policy
from annotation.quality.policy import Policy as Parameters
from annotation.trust.steps.pausing import pause_annotator
from annotation.trust.steps.policies import store_policy
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both("locks")]

A_MOMENT = 0.4  # seconds in which the other comes to the one writer's lock of SQLite, which nobody can look at
PATIENCE = 30.0  # seconds
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


class Other(threading.Thread):
    """Somebody else, with a connection of their own; what befell them is raised by `end`."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__()
        self.deed = deed
        self.fault: Exception | None = None
        others = [thread for thread in threading.enumerate() if isinstance(thread, Other)]
        self.start()
        if connection.vendor == "postgresql":
            _until_waiting([*others, self])
        else:
            time.sleep(A_MOMENT)

    def run(self) -> None:
        try:
            self.deed()
        except Exception as fault:  # noqa: BLE001 -- handed on
            self.fault = fault
        finally:
            connection.close()

    def end(self) -> None:
        self.join()
        if self.fault is not None:
            raise self.fault


def _until_waiting(others: list[Other]) -> None:
    """Until each of them waits at a lock, or is through."""
    deadline = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            n_at_work = sum(other.is_alive() for other in others)
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(WAITING)
            if cursor.fetchone()[0] >= n_at_work:
                return
            time.sleep(0.01)
    raise AssertionError("the others neither wait nor end")


def test_an_import_may_be_cancelled_while_its_rows_are_written() -> None:
    collection = make_collection()
    record = start_import(
        collection, kind="documents", stream=io.BytesIO(b""), filename="f", created_by=None, on_conflict="refuse"
    )
    run = claim_job()
    assert run is not None
    with transaction.atomic():
        run.fence()
        other = Other(lambda: cancel_import(record, actor=None))
        Document.objects.create(collection=collection, docno="D1", brought_by=record)
    other.end()
    assert Job.objects.get(kind=CHECK).cancel_asked_at is not None
    assert Import.objects.get().state == Import.State.CHECKING
    assert Document.objects.count() == 1


def test_an_import_may_be_cancelled_while_its_result_is_written_down() -> None:
    record = start_import(
        make_collection(), kind="documents", stream=io.BytesIO(b""), filename="f", created_by=None, on_conflict="refuse"
    )
    run = claim_job()
    assert run is not None
    with transaction.atomic():
        run.fence()
        other = Other(lambda: cancel_import(record, actor=None))
        Import.objects.filter(pk=record.pk).update(state=Import.State.CHECKED)
    other.end()
    assert Job.objects.get(kind=CHECK).cancel_asked_at is not None


def test_an_import_that_somebody_has_gone_on_with_is_not_swept() -> None:
    collection = make_collection()
    seen = Import.objects.create(collection=collection, kind="documents", filename="f", sha256="0" * 64)
    Import.objects.filter(pk=seen.pk).update(state=Import.State.STORING)
    Document.objects.create(collection=collection, docno="D1", brought_by=seen)
    assert sweep(seen, Import.State.FAILED) is False
    assert (Import.objects.get().state, Document.objects.count()) == (Import.State.STORING, 1)


def test_a_checked_import_is_cancelled_although_its_job_has_yet_to_say_so() -> None:
    record = start_import(
        make_collection(), kind="documents", stream=io.BytesIO(b""), filename="f", created_by=None, on_conflict="refuse"
    )
    claim_job()
    Import.objects.filter(pk=record.pk).update(state=Import.State.CHECKED)
    cancel_import(record, actor=None)
    assert Import.objects.get().state == Import.State.CANCELLED


def test_people_may_join_a_batch_while_others_judge_in_it() -> None:
    collection = make_collection()
    one, two = make_annotator(collection), make_annotator(collection)
    batch = make_batch(collection, [one])
    person = batch.participations.get()
    with transaction.atomic():
        claim_next(person, moment=timezone.now())
        other = Other(lambda: assign_annotators(batch, annotators=[one, two], actor=None))
    other.end()
    assert Assignment.objects.count() == 1
    assert batch.participations.filter(is_active=True).count() == 2


def test_somebody_may_be_paused_and_slots_be_added_while_they_judge() -> None:
    collection = make_collection()
    annotator = make_annotator(collection)
    batch = make_batch(collection, [annotator])
    person = batch.participations.get()
    everything = dict.fromkeys(batch.items.values_list("pk", flat=True), 1)
    with transaction.atomic():
        card = claim_next(person, moment=timezone.now())
        assert card is not None
        paused = Other(lambda: pause_annotator(annotator, reason="Too fast", actor=None))
        added = Other(lambda: add_slots(batch, everything, most=3, reason="wanted", actor=None))
        outcome, _ = record_judgment(person, token=card.token, grade=1, moment=timezone.now())
    paused.end()
    added.end()
    assert isinstance(outcome, Recorded)
    assert not outcome.judgment.surplus
    annotator.refresh_from_db()
    assert (batch.slots.count(), annotator.gets_cards) == (12, False)


def test_two_who_store_a_policy_under_one_name_make_two_versions() -> None:
    collection = make_collection()

    def store(min_judgments: int) -> Policy:
        parameters = Parameters(min_judgments=min_judgments)
        return store_policy(collection, name="mine", parameters=parameters, actor=None)

    with transaction.atomic():
        assert store(1).version == 1
        other = Other(lambda: store(3))
    other.end()
    assert list(Policy.objects.order_by("pk").values_list("version", flat=True)) == [1, 2]
