"""Jobs of a collection as people look at them, the newest first."""

from collections.abc import Iterable

from django.db.models import QuerySet

from annotation.kernel.visible import visible_batches
from annotation.models import Batch, Collection, Import, Job, JobEvent

SHOWN_LINES = 500  # of a log; a job writes a few an attempt


def jobs_of(collection: Collection) -> QuerySet[Job]:
    return Job.objects.filter(collection=collection).select_related("created_by").order_by("-pk")


def jobs_move(collection: Collection) -> bool:
    """Whether any job waits or runs."""
    return Job.objects.filter(collection=collection, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists()


def kinds_of_jobs(collection: Collection) -> list[str]:
    """Which there are or have been here."""
    return list(Job.objects.filter(collection=collection).order_by("kind").values_list("kind", flat=True).distinct())


def log_of(job: Job) -> list[JobEvent]:
    """The job's log, the oldest line first; of a very long one the end."""
    return list(reversed(job.events.order_by("-pk")[:SHOWN_LINES]))


def imports_worked_on(collection: Collection, jobs: Iterable[Job]) -> dict[int, Import]:
    """By primary key of the job: the import that it checks or stores, name and kind alone."""
    import_of = {job.pk: job.payload["import"] for job in jobs if job.payload.get("import")}
    records = Import.objects.filter(collection=collection).only("kind", "filename").in_bulk(list(import_of.values()))
    return {job: records[record] for job, record in import_of.items() if record in records}


def batch_worked_on(job: Job) -> Batch | None:
    """The batch that it plans, lays out or otherwise works on, if that is still there."""
    if job.collection is None:
        return None
    return visible_batches(job.collection).filter(token=job.payload.get("batch", "")).only("name").first()
