import pytest
from django.urls import reverse
from pytest_django import Settings

from annotation.kernel.jobs import claim_job, enqueue, run_job
from annotation.models import Job
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.refused_fields import problem_of
from tests.annotation.roles import WHO, People, make_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(settings: Settings) -> People:
    settings.TOUCHSTONE_JOBS = {"count_bees": "tests.annotation.kernel.job_work.count_to_three"}
    return make_people()


def queue(people: People) -> Job:
    return enqueue("count_bees", collection=people.collection, created_by=people.admin)


def test_who_may(people: People) -> None:
    assert statuses(people, reverse("api_job", args=[queue(people).token])) == RESEARCH
    answers = {}
    for who, client in callers(people).items():
        answers[who] = client.post(reverse("api_job_cancel", args=[queue(people).token])).status_code
    assert answers == RESEARCH
    assert list(answers) == list(WHO)


def test_a_job_of_no_collection_is_for_who_asked_for_it(people: People) -> None:
    job = enqueue("count_bees", collection=None, created_by=people.annotator)
    address = reverse("api_job", args=[job.token])
    assert statuses(people, address) == {**dict.fromkeys(WHO, 404), "annotator": 200, "anonymous": 401}
    assert caller(people.annotator).get(address).json()["collection"] is None


def test_a_job_of_another_collection_is_none_at_all(people: People) -> None:
    """The answer does not tell a token of another collection from one that nobody has."""
    for token in (queue(people).token, "unknown"):
        for name in ("api_job", "api_job_cancel"):
            address, client = reverse(name, args=[token]), caller(people.outsider)
            answer = client.get(address) if name == "api_job" else client.post(address)
            assert problem_of(answer) == (404, "No such job.")


def test_a_job_tells_how_far_it_is(people: People) -> None:
    job = queue(people)
    run = claim_job()
    assert run is not None
    run.report(done=1, total=3, message="one bee")
    address, client = reverse("api_job", args=[job.token]), caller(people.researcher)
    answer = client.get(address).json()
    assert {name: answer[name] for name in ("token", "collection", "kind", "state", "done", "total", "message")} == {
        "token": job.token,
        "collection": "bees",
        "kind": "count_bees",
        "state": "running",
        "done": 1,
        "total": 3,
        "message": "one bee",
    }
    run_job(run)
    answer = client.get(address).json()
    assert (answer["state"], answer["error"], answer["finished_at"][-1]) == ("done", "", "Z")


def test_a_job_tells_its_log(people: People) -> None:
    job = queue(people)
    address, client = reverse("api_job", args=[job.token]), caller(people.researcher)
    assert [client.get(address).json()[name] for name in ("attempt", "log")] == [0, []]
    run = claim_job()
    assert run is not None
    run_job(run)
    answer = client.get(address).json()
    assert [(line["attempt"], line["text"], line["at"][-1]) for line in answer["log"]] == [
        (1, "Attempt 1 began.", "Z"),
        (1, "Done.", "Z"),
    ]
    assert answer["attempt"] == 1


def test_cancelling_stops_a_waiting_job_once(people: People) -> None:
    address, client = reverse("api_job_cancel", args=[queue(people).token]), caller(people.researcher)
    answer = client.post(address)
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    again = client.post(address)
    assert problem_of(again) == (409, "This job has already ended.")


def test_cancelling_asks_a_running_job_to_stop(people: People) -> None:
    job = queue(people)
    run = claim_job()
    answer = caller(people.admin).post(reverse("api_job_cancel", args=[job.token])).json()
    assert (answer["state"], answer["cancel_asked_at"][-1]) == ("running", "Z")
    assert run is not None
    assert run_job(run).state == "cancelled"


def test_reading_never_cancels(people: People) -> None:
    job = queue(people)
    answer = caller(people.admin).get(reverse("api_job_cancel", args=[job.token]))
    job.refresh_from_db()
    assert (answer.status_code, job.state) == (405, "queued")
