"""The jobs that compute what a page shows: the one under way, or the last one, if it failed."""

from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.kernel.jobs.queue import LIVE
from annotation.models import Collection, Job, Snapshot


@dataclass(frozen=True)
class LatestJobs:
    """The job that waits or runs, the oldest of several, if any; else the last one, if it failed."""

    live: Job | None
    failed: Job | None

    @property
    def mark(self) -> str:
        """A string that changes whenever what a page shows of the live job changes."""
        job = self.live
        return f"{job.pk} {job.state} {job.attempt} {job.percent} {job.message}" if job else ""


def jobs_of_kind(collection: Collection, kind: str, snapshot: Snapshot | None = None) -> QuerySet[Job]:
    """The newest first; those of one snapshot alone, where it is given."""
    jobs = Job.objects.filter(collection=collection, kind=kind).order_by("-pk")
    return jobs.filter(payload__snapshot=snapshot.pk) if snapshot else jobs


def latest_jobs(jobs: QuerySet[Job]) -> LatestJobs:
    live = jobs.filter(state__in=LIVE).last()
    last = None if live else jobs.first()
    return LatestJobs(live, last if last and last.state == Job.State.FAILED else None)
