"""Runs by the API: read, and brought."""

import gzip
import io

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Import, Job
from evaluation.models import Run
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import problem_of, reasons_of
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_run, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_runs", args=["bees"])
RUN = "1 Q0 b 1 3 one\n1 Q0 a 2 2 one\n1 Q0 c 3 2 one\n2 Q0 x 1 1 one\n"


@pytest.fixture
def people() -> People:
    return make_people()


def upload(client: Client, data: str | bytes = RUN, **fields: str) -> dict[str, str]:
    file = io.BytesIO(data.encode() if isinstance(data, str) else data)
    file.name = "my.run"
    answer = client.post(ADDRESS, {"file": file, **fields})
    assert answer.status_code == 202, answer.content
    body: dict[str, str] = answer.json()
    return body


def work() -> None:
    while run := claim_job():
        run_job(run)


def test_who_may_read(people: People) -> None:
    make_run(people.collection, RUN)
    assert statuses(people, ADDRESS) == RESEARCH
    assert statuses(people, reverse("api_run", args=["bees", "one"])) == RESEARCH


def test_who_may_bring(people: People) -> None:
    answers = {}
    for who, client in callers(people).items():
        answers[who] = client.post(ADDRESS, {"file": io.BytesIO(RUN.encode())}).status_code
    assert answers == {**RESEARCH, "admin": 202, "researcher": 202}
    assert Import.objects.count() == 2


def test_what_a_run_says(people: People) -> None:
    make_run(people.collection, RUN)
    make_run(make_collection(), RUN.replace("one", "foreign"))
    client = caller(people.researcher)
    (row,) = client.get(ADDRESS).json()["results"]
    assert client.get(row["url"]).json() == row
    assert (row.pop("created_at")[-1], len(row.pop("sha256"))) == ("Z", 64)
    assert row == {
        "tag": "one",
        "description": "",
        "n_topics": 2,
        "n_rows": 4,
        "n_tied": 2,
        "filename": "",
        "origin": {},
        "url": f"http://testserver{ADDRESS}/one",
    }


@pytest.mark.parametrize("tag", ["a/b", "ü?&#", "..."])
def test_a_tag_may_be_anything_without_white_space(people: People, tag: str) -> None:
    make_run(people.collection, RUN.replace("one", tag))
    client = caller(people.researcher)
    (row,) = client.get(ADDRESS).json()["results"]
    assert client.get(row["url"]).json()["tag"] == tag


@pytest.mark.parametrize("tag", ["two", "%01", "one%01"])
def test_an_unknown_run_is_not_found(people: People, tag: str) -> None:
    make_run(people.collection, RUN)
    answer = caller(people.researcher).get(f"{ADDRESS}/{tag}")
    assert problem_of(answer) == (404, "No such run.")


def test_an_uploaded_run_is_checked_and_published_by_the_worker(people: People) -> None:
    client = caller(people.researcher)
    asked = upload(client, gzip.compress(RUN.encode()), description="The first.")
    assert client.get(asked["import_url"]).json()["state"] == "checking"
    assert client.get(asked["job_url"]).json()["state"] == "queued"
    assert not Run.objects.exists()
    work()
    answer = client.get(asked["import_url"]).json()
    assert (answer["state"], answer["name"], answer["filename"]) == ("published", "one", "my.run")
    run = Run.objects.get()
    assert (run.tag, run.description, run.n_rows, run.created_by) == ("one", "The first.", 4, people.researcher)


def test_a_tag_of_ones_own(people: People) -> None:
    upload(caller(people.researcher), tag="mine")
    work()
    assert Run.objects.get().tag == "mine"


def test_a_bad_run_is_refused_with_file_line_and_reason_and_nothing_is_stored(people: People) -> None:
    client = caller(people.researcher)
    asked = upload(client, "1 Q0 a 1 3 one\n1 Q0 b 2 high one\n1 Q0\n")
    work()
    answer = client.get(asked["import_url"]).json()
    assert (answer["state"], answer["n_problems"]) == ("refused", 2)
    assert [(problem["file"], problem["line"]) for problem in answer["problems"]] == [("my.run", 2), ("my.run", 3)]
    assert "high" in answer["problems"][0]["reason"]
    assert not Run.objects.exists()


def test_another_run_under_a_taken_tag_is_refused(people: People) -> None:
    client = caller(people.researcher)
    make_run(people.collection, RUN)
    asked = upload(client, "1 Q0 z 1 3 one\n")
    work()
    (problem,) = client.get(asked["import_url"]).json()["problems"]
    assert problem["reason"] == "the collection already has another run with the tag one"


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        ({}, {"file": ["No file was submitted."]}),
        ({"file": io.BytesIO(b"")}, {"file": ["The submitted file is empty."]}),
        (
            {"file": "a text"},
            {"file": ["The submitted data was not a file. Check the encoding type on the form."]},
        ),
        ({"tag": "two words"}, {"file": ["No file was submitted."], "tag": ["A tag has no white space."]}),
    ],
)
def test_a_request_that_is_none_names_its_fields(
    people: People, fields: dict[str, object], faults: dict[str, list[str]]
) -> None:
    answer = caller(people.researcher).post(ADDRESS, fields)
    assert (answer.status_code, reasons_of(answer)) == (400, faults)
    assert not Job.objects.exists()


def test_a_file_over_the_limit_is_refused(people: People, settings: Settings) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = 10
    file = io.BytesIO(RUN.encode())
    file.name = "my.run"
    answer = caller(people.researcher).post(ADDRESS, {"file": file})
    status, detail = problem_of(answer)
    assert (status, "limit of this installation" in detail) == (413, True)


def test_a_run_is_not_json(people: People) -> None:
    answer = caller(people.researcher).post(ADDRESS, {"file": RUN}, content_type="application/json")
    assert problem_of(answer)[0] == 415


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        collection = make_collection(admin=person)
        for number in range(n):
            make_run(collection, RUN.replace("one", f"run-{number}"))
        counts.append(queries_of(caller(person), reverse("api_runs", args=[collection.slug]), n))
    assert counts[0] == counts[1]
