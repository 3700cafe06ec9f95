"""Who waits until another import is stored goes on with it where nobody does it any more."""

import io
from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from annotation.corpus.read.texts import visible_documents, visible_topics
from annotation.exchange.read.imports import STORE, job_of
from annotation.exchange.steps.importing import flow, upload_here, waits_its_turn
from annotation.kernel.jobs import JobRun, ask_cancel, claim_job, put_back, run_job
from annotation.models import Collection, Document, Import, Job
from tests.annotation.exchange.steps.import_work import bring, claimed, many
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

TOPICS = "1\tbees\n2\thoney\n"


def lost(collection: Collection, *, max_attempts: int = 3) -> Import:
    """An import of three documents whose worker fell silent after it had staged another."""
    record = bring(collection, "documents", many(3), publish=True)
    run_job(claimed())
    claimed()
    Document.objects.create(collection=collection, docno="staged", brought_by=record)
    Import.objects.filter(pk=record.pk).update(state=Import.State.STORING)
    silent = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(kind=STORE).update(lease_until=silent, max_attempts=max_attempts)
    return record


def waiting(collection: Collection) -> tuple[Import, JobRun]:
    """Topics whose turn it is next."""
    record = bring(collection, "topics", TOPICS, publish=True)
    check = claim_job(among=Q(payload__import=record.pk))
    assert check is not None
    run_job(check)
    store = claim_job(among=Q(payload__import=record.pk))
    assert store is not None
    return record, store


def states() -> list[str]:
    return list(Import.objects.order_by("pk").values_list("state", flat=True))


def test_the_other_import_is_stored_first_where_its_worker_is_lost() -> None:
    collection = make_collection()
    other = lost(collection)
    _, run = waiting(collection)
    messages: list[str] = []
    run.watch = lambda _done, _total, message: messages.append(message)
    assert run_job(run).state == "done"
    assert states() == ["published", "published"]
    assert (visible_documents(collection).count(), visible_topics(collection).count()) == (3, 2)
    job = job_of(other, STORE)
    assert job is not None
    assert (job.state, job.attempt) == ("done", 2)
    assert messages[:2] == [
        "Waiting until another import of this collection is stored",
        "Another import first: 3 documents read",
    ]


def test_an_import_that_was_given_up_meanwhile_is_not_stored() -> None:
    collection = make_collection()
    record, run = waiting(collection)
    Import.objects.filter(pk=record.pk).update(state=Import.State.CANCELLED)
    job = run_job(run)
    assert (job.state, job.error) == ("failed", "The import is no longer ready to be published.")
    assert (states(), visible_topics(collection).count()) == (["cancelled"], 0)


def test_the_other_import_is_swept_where_it_is_not_tried_again() -> None:
    collection = make_collection()
    lost(collection, max_attempts=1)
    _, run = waiting(collection)
    assert run_job(run).state == "done"
    assert states() == ["failed", "published"]
    assert (Document.objects.count(), visible_topics(collection).count()) == (0, 2)


def test_the_other_import_goes_back_into_the_queue_where_the_one_that_waits_is_cancelled() -> None:
    collection = make_collection()
    other = lost(collection)
    _, run = waiting(collection)

    def cancel(_done: int, _total: int, message: str) -> None:
        if message.startswith("Another import first"):
            ask_cancel(run.job)

    run.watch = cancel
    assert run_job(run).state == "cancelled"
    job = job_of(other, STORE)
    assert job is not None
    assert (job.state, job.attempt, job.max_attempts) == ("queued", 2, 4)
    assert states() == ["storing", "checked"]


def test_an_import_that_is_being_stored_is_left_alone() -> None:
    collection = make_collection()
    lost(collection)
    Job.objects.filter(kind=STORE).update(lease_until=timezone.now() + timedelta(minutes=1))
    _, run = waiting(collection)
    messages: list[str] = []

    def cancel_the_second_time(_done: int, _total: int, message: str) -> None:
        if message in messages:
            ask_cancel(run.job)
        messages.append(message)

    run.watch = cancel_the_second_time
    assert run_job(run).state == "cancelled"
    assert (states()[0], Document.objects.count()) == ("storing", 1)


def ready(*collections: Collection) -> list[Import]:
    """Topics of each collection, checked, their storing queued."""
    records = [bring(collection, "topics", f"{n}\tbees\n", publish=True) for n, collection in enumerate(collections)]
    for _ in records:
        run_job(claimed())
    return records


def import_taken() -> object:
    run = claim_job(among=~waits_its_turn())
    return run and run.job.payload["import"]


def test_imports_of_several_collections_are_stored_at_once() -> None:
    """The second import of the first collection holds no worker while that of another waits."""
    one, two = make_collection(), make_collection()
    first, _, other = ready(one, one, two)
    assert import_taken() == first.pk
    assert import_taken() == other.pk  # the first has a worker, though it has not entered its turn
    Import.objects.filter(pk=first.pk).update(state=Import.State.STORING)
    assert import_taken() is None


def test_an_import_that_has_the_turn_is_taken_when_its_job_is_put_back() -> None:
    collection = make_collection()
    first, second = ready(collection, collection)
    run = claimed()
    Import.objects.filter(pk=first.pk).update(state=Import.State.STORING)
    put_back(run)
    assert import_taken() == first.pk
    Import.objects.filter(pk=first.pk).update(state=Import.State.PUBLISHED, published_at=timezone.now())
    Job.objects.filter(kind=STORE, state=Job.State.RUNNING).update(state=Job.State.DONE, lease_until=None)
    assert import_taken() == second.pk


def test_an_import_whose_worker_is_lost_before_its_turn_is_taken_again() -> None:
    collection = make_collection()
    first, _ = ready(collection, collection)
    claimed()
    Job.objects.filter(state=Job.State.RUNNING).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert import_taken() == first.pk


def test_an_import_is_never_there_without_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the sweep of another machine, whose clock is ahead, would end it before its job is there."""

    def break_off(*_args: object, **_options: object) -> None:
        raise InterruptedError

    monkeypatch.setattr(flow, "begin_here", break_off)
    options = {"filename": "f", "created_by": None, "watch": lambda *_: None, "on_conflict": "refuse"}
    with pytest.raises(InterruptedError):
        upload_here(make_collection(), kind="topics", stream=io.BytesIO(TOPICS.encode()), **options)  # type: ignore[arg-type]
    assert states() == []
