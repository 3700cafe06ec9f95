"""Telling people how they did on gold, once it is due. A job copies what is told; nothing that judges looks at gold.

What is told closes the judgment to revision, and later judgments of the person on the pair tell
nothing of how good they are. When gold is corrected, so is what was told of it, whatever the batch
says by now.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.gold.read.due_feedback import (
    concerned_batches,
    content_of,
    corrected,
    due_assignments,
    events_of,
    telling_batches,
)
from annotation.kernel.jobs import JobRun, enqueue
from annotation.kernel.notices import tell
from annotation.models import Annotator, Batch, Collection, Feedback, Job, User
from annotation.text.counted import counted

KIND = "give_feedback"
PORTION = 500  # rows a transaction: people judge meanwhile


def ask_for_feedback(collection: Collection, *, created_by: User | None) -> None:
    """Queue the job, if a batch of the collection tells its people anything, or has. Within a transaction."""
    queued = Job.objects.filter(kind=KIND, collection=collection, state=Job.State.QUEUED)
    if concerned_batches().filter(collection=collection).exists() and not queued.exists():
        enqueue(KIND, collection=collection, created_by=created_by)


def sweep_feedback(*, moment: datetime) -> int:
    """Queue the job for every collection where something has become due; how many. For the worker, now and then."""
    due = {
        batch.collection
        for batch in telling_batches().select_related("collection")
        if due_assignments(batch, moment=moment).exists()
    }
    for collection in due:
        with transaction.atomic():
            ask_for_feedback(collection, created_by=None)
    return len(due)


def give_feedback(run: JobRun) -> dict[str, int]:
    """The job: copy what is due, and correct what was told, in all batches of the collection."""
    n_told = n_corrected = 0
    for batch in concerned_batches().filter(collection=run.job.collection).order_by("pk"):
        while n := _tell(run, batch):
            n_told += n
            run.report(done=n_told, total=0, message=f"{counted(n_told, 'judgment')} told")
        n_corrected += _correct(run, batch)
    return {"told": n_told, "corrected": n_corrected}


@transaction.atomic
def _tell(run: JobRun, batch: Batch) -> int:
    """A portion of what is due, unless the batch tells nothing, or nothing any more."""
    run.fence()
    moment = timezone.now()
    locked = telling_batches().select_for_update(of=("self",), no_key=True).filter(pk=batch.pk).first()
    due = list(due_assignments(locked, moment=moment)[:PORTION]) if locked else []
    gold = [getattr(assignment, "gold", 0) for assignment in due]
    events = events_of(batch, gold)
    rows = [
        Feedback(
            batch=batch,
            annotator_id=assignment.annotator_id,
            assignment=assignment,
            created_at=moment,
            **vars(content_of(events[event])),
        )
        for assignment, event in zip(due, gold, strict=True)
    ]
    _tell_people(run, batch, {assignment.annotator_id for assignment in due})
    return len(Feedback.objects.bulk_create(rows))


def _tell_people(run: JobRun, batch: Batch, annotators: set[int]) -> None:
    """Once a job, however many portions it takes."""
    people = Annotator.objects.filter(pk__in=annotators, user__isnull=False).values_list("user", flat=True)
    text = f"New in {batch}: how you did."
    cause = f"results {batch.token} {run.job.token}"
    tell("results", people, cause=cause, text=text, collection=batch.collection, token=batch.token)


@transaction.atomic
def _correct(run: JobRun, batch: Batch) -> int:
    """What is told otherwise now counts as new to the person."""
    run.fence()
    rows = corrected(batch)
    for row in rows:
        row.seen_at = None
    return Feedback.objects.bulk_update(rows, ["grade", "accepted", "explanation", "seen_at"], batch_size=PORTION)
