"""What a page says of jobs that reckon for it: the one under way, or how the last one failed."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Collection, Job, Snapshot

LIVE = [Job.State.QUEUED, Job.State.RUNNING]


@dataclass(frozen=True)
class JobsNow:
    """The job that waits or runs, the oldest of several, if any; else the last one, if it failed."""

    live: Job | None
    failed: Job | None

    @property
    def mark(self) -> str:
        """What a page shows of the live one: other where that has changed."""
        job = self.live
        return f"{job.pk} {job.state} {job.attempt} {job.percent} {job.message}" if job else ""


def jobs_of_kind(collection: Collection, kind: str, snapshot: Snapshot | None = None) -> QuerySet[Job]:
    """The newest first; those of one snapshot alone, where it is given."""
    found = Job.objects.filter(collection=collection, kind=kind).order_by("-pk")
    return found.filter(payload__snapshot=snapshot.pk) if snapshot else found


def jobs_now(jobs: QuerySet[Job]) -> JobsNow:
    live = jobs.filter(state__in=LIVE).last()
    last = None if live else jobs.first()
    return JobsNow(live, last if last and last.state == Job.State.FAILED else None)
