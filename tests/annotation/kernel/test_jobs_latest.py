"""What a page says of the jobs that reckon for it."""

from datetime import UTC, datetime

import pytest

from annotation.kernel.jobs.latest import jobs_of_kind, latest_jobs
from annotation.models import Collection, Job
from tests.factories import make_collection

pytestmark = pytest.mark.both("jobs")

LEASE = datetime(2026, 1, 1, tzinfo=UTC)


def make_jobs(collection: Collection, *states: str) -> list[Job]:
    return [
        Job.objects.create(
            collection=collection, kind="reckon", state=state, lease_until=LEASE if state == "running" else None
        )
        for state in states
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("states", "live", "failed"),
    [
        ([], None, None),
        (["done", "failed"], None, 1),
        (["failed", "done"], None, None),
        (["failed", "cancelled"], None, None),
        (["failed", "queued"], 1, None),
        (["failed", "running", "queued"], 1, None),
    ],
)
def test_the_oldest_under_way_or_the_last_if_it_failed(states: list[str], live: int | None, failed: int | None) -> None:
    collection = make_collection()
    jobs = make_jobs(collection, *states)
    make_jobs(make_collection(), "failed")
    Job.objects.create(collection=collection, kind="other", state="failed")
    latest = latest_jobs(jobs_of_kind(collection, "reckon"))
    assert latest.live == (None if live is None else jobs[live])
    assert latest.failed == (None if failed is None else jobs[failed])
    assert bool(latest.mark) == (live is not None)
