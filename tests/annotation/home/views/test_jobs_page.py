"""The pages of long work."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.kernel.jobs import claim_job, enqueue
from annotation.models import Import, Job
from tests.annotation.roles import RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(settings: Settings) -> People:
    settings.TOUCHSTONE_JOBS = {"count_bees": "tests.annotation.kernel.job_work.count_to_three"}
    return make_people()


def queue(people: People) -> Job:
    return enqueue("count_bees", collection=people.collection, created_by=people.admin)


def test_job_shows_progress_and_asks_again_while_it_lives(people: People) -> None:
    job = queue(people)
    run = claim_job()
    assert run is not None
    run.report(done=1, total=3, message="one bee")
    html = people.client("researcher").get(reverse("job", args=[job.token])).text
    assert ('value="33"' in html, "one bee (33 %)" in html, 'hx-trigger="every 1s"' in html) == (True, True, True)
    run.report(done=30, total=10_000, message="30 bees")
    html = people.client("researcher").get(reverse("job", args=[job.token])).text
    assert "30 bees (1 %)" in html  # what has begun is never 0 %
    Job.objects.update(state="failed", lease_until=None, error="no <bees>")
    response = people.client("researcher").get(reverse("job", args=[job.token]), headers={"HX-Request": "true"})
    part = response.text
    assert (response.status_code, "hx-trigger" in part, "no &lt;bees&gt;" in part) == (286, False, True)


@pytest.mark.parametrize(("state", "again"), [("queued", True), ("running", True), ("failed", False)])
def test_what_went_wrong_is_said_to_be_tried_again_only_where_it_is(people: People, state: str, again: bool) -> None:
    job = queue(people)
    Job.objects.update(state=state, error="no bees", lease_until=timezone.now() if state == "running" else None)
    page = people.client("admin").get(f"/jobs/{job.token}/").text
    assert "no bees" in page
    assert ("The last attempt failed and is tried again" in page) is again


def test_a_job_that_is_done_no_longer_says_how_far_it_is(people: People) -> None:
    queue(people)
    Job.objects.update(message="two bees")
    page = reverse("jobs", args=["bees"])
    assert "two bees" not in people.client("admin").get(page).text  # it waits for its turn
    for state, is_told in (("cancelled", True), ("done", False)):
        Job.objects.update(state=state)
        assert ("two bees" in people.client("admin").get(page).text) == is_told


@pytest.mark.parametrize(
    ("kind", "result", "way_on"),
    [
        ("freeze_snapshot", {"snapshot": 7}, "/c/bees/snapshots/7/"),
        ("evaluate_runs", {"snapshot": "round one", "runs": 5}, "/c/bees/leaderboard/?snapshot=round%20one"),
        ("account_snapshot", {"snapshot": "round one", "runs": 5}, "/c/bees/snapshots/7/accounting"),
        ("account_policies", {"policies": ["default v1"], "runs": 5}, "/c/bees/accounting/policies"),
    ],
)
def test_a_job_that_is_done_leads_to_what_it_made(
    people: People, kind: str, result: dict[str, object], way_on: str
) -> None:
    job = queue(people)
    page = reverse("job", args=[job.token])
    Job.objects.update(kind=kind, payload={"snapshot": 7})
    assert f'href="{way_on}"' not in people.client("researcher").get(page).text  # not made yet
    Job.objects.update(state="done", result=result)
    assert f'href="{way_on}"' in people.client("researcher").get(page).text


def test_job_cancel_stops_a_waiting_job(people: People) -> None:
    job = queue(people)
    response = people.client("admin").post(reverse("job_cancel", args=[job.token]), follow=True)
    job.refresh_from_db()
    assert (job.state, "Cancelled" in response.text) == ("cancelled", True)
    again = people.client("admin").post(reverse("job_cancel", args=[job.token]), follow=True)
    assert "This job has already ended." in again.text


def test_the_work_on_an_admins_file_is_not_the_researchers_to_stop(people: People) -> None:
    record = Import.objects.create(collection=people.collection, kind="documents", filename="f", sha256="0" * 64)
    job = enqueue("count_bees", collection=people.collection, created_by=people.admin, **{"import": record.pk})
    shown = {who: people.client(who).get(reverse("job", args=[job.token])) for who in ("researcher", "admin")}
    assert ["Cancel this job" in page.text for page in shown.values()] == [False, True]
    assert people.client("researcher").post(reverse("job_cancel", args=[job.token])).status_code == 403
    job.refresh_from_db()
    assert job.state == "queued"
    assert people.client("admin").post(reverse("job_cancel", args=[job.token])).status_code == 302
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_jobs_lists_state_attempts_and_time_and_asks_again_while_any_lives(people: People) -> None:
    job = queue(people)
    run = claim_job()
    assert run is not None
    run.report(done=1, total=4, message="one bee")
    client, address = people.client("researcher"), reverse("jobs", args=["bees"])
    html = client.get(address).text
    assert ["one bee (25 %)" in html, 'hx-trigger="every 2s"' in html, f"cancel-{job.token}" in html] == [True] * 3
    begun = timezone.now()
    Job.objects.update(
        state="failed", lease_until=None, error="no <bees>", started_at=begun, finished_at=begun + timedelta(seconds=75)
    )
    response = client.get(address, headers={"HX-Request": "true"})
    part = response.text
    assert (response.status_code, "<html" in part, "every 2s" in part, "Cancel</button>" in part) == (286, *[False] * 3)
    assert ("no &lt;bees&gt;" in part, "1 min 15 s" in part) == (True, True)


def test_jobs_offers_to_cancel_what_the_person_may_stop(people: People) -> None:
    for kind in ("documents", "run"):
        record = Import.objects.create(collection=people.collection, kind=kind, filename=kind, sha256="0" * 64)
        enqueue("count_bees", collection=people.collection, created_by=people.admin, **{"import": record.pk})
    pages = {who: people.client(who).get(reverse("jobs", args=["bees"])) for who in ("researcher", "admin")}
    assert [page.text.count('id="cancel-') for page in pages.values()] == [1, 2]


def test_job_tells_what_happened_to_its_attempts(people: People) -> None:
    job = queue(people)
    empty = people.client("admin").get(reverse("job", args=[job.token])).text
    assert "Nothing yet: the job waits for a worker." in empty
    run = claim_job()
    assert run is not None
    run.log("met a <wasp>")
    people.client("researcher").post(reverse("job_cancel", args=[job.token]))
    html = people.client("admin").get(reverse("job", args=[job.token])).text
    lines = re.findall(r'<td>([^<]*)</td><td class="num">([^<]*)</td>', html)
    assert lines == [
        ("Attempt 1 began.", "1"),
        ("met a &lt;wasp&gt;", "1"),
        (f"Cancelling was asked for by {people.researcher.username}.", "1"),
    ]


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_jobs_costs_the_same_however_many(
    people: People, n_jobs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(n_jobs):
        record = Import.objects.create(collection=people.collection, kind="run", filename=f"{n}.run", sha256="0" * 64)
        enqueue("count_bees", collection=people.collection, created_by=people.admin, **{"import": record.pk})
    client = people.client("admin")
    with django_assert_num_queries(14):
        html = client.get(reverse("jobs", args=["bees"])).text
    assert html.count(">Count bees</a>") == html.count(".run</span></button>") == n_jobs


def test_who_may_see_and_cancel_jobs(people: People) -> None:
    job = queue(people)
    assert people.statuses(reverse("jobs", args=["bees"])) == RESEARCH_ONLY
    assert people.statuses(reverse("job", args=[job.token])) == RESEARCH_ONLY
    cancelled = {**RESEARCH_ONLY, "admin": 302, "researcher": 302}
    assert people.statuses(reverse("job_cancel", args=[job.token]), "post") == cancelled


def test_a_job_of_no_collection_is_for_who_asked_for_it(people: People) -> None:
    job = enqueue("count_bees", collection=None, created_by=people.annotator)
    statuses = people.statuses(reverse("job", args=[job.token]))
    assert statuses == {"admin": 404, "researcher": 404, "annotator": 200, "outsider": 404, "anonymous": 302}
