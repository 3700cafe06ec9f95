import io

import pytest
from django.urls import reverse

from annotation.models import Import, Job
from annotation.workflow.importing import start_import
from annotation.workflow.jobs import claim_job, run_job
from tests.annotation.api.callers import RESEARCH, caller, statuses
from tests.annotation.views.people import People, make_people
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> People:
    return make_people()


def bring(people: People, text: str) -> str:
    record = start_import(
        people.collection,
        kind="qrels",
        stream=io.BytesIO(text.encode()),
        filename="my.qrels",
        created_by=people.admin,
        publish=True,
        name="first",
    )
    return reverse("api_import", args=["bees", record.pk])


def work() -> None:
    while run := claim_job():
        run_job(run)


def test_who_may(people: People) -> None:
    assert statuses(people, bring(people, "1 0 a 1\n")) == RESEARCH


def test_another_collections_import_is_not_found(people: People) -> None:
    bring(people, "1 0 a 1\n")
    make_collection("wasps", admin=people.admin)
    answer = caller(people.admin).get(reverse("api_import", args=["wasps", Import.objects.get().pk]))
    assert answer.json() == {"detail": "No such import."}


def test_an_import_on_its_way(people: People) -> None:
    address, client = bring(people, "1 0 a 1\n"), caller(people.researcher)
    answer = client.get(address).json()
    job = Job.objects.get()
    assert (answer["state"], answer["name"], answer["problems"]) == ("checking", "first", [])
    assert answer["job_url"] == f"http://testserver{reverse('api_job', args=[job.token])}"
    work()
    answer = client.get(address).json()
    assert (answer["state"], answer["n_problems"], answer["published_at"][-1]) == ("published", 0, "Z")
    assert client.get(answer["job_url"]).json()["kind"] == "store_import"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("1 0 a 1\n1 0 b 0 7\n1 0 c\n", [(2, "5 found"), (3, "3 found")]),
        ("1 0 a 1\n1 0 c 9\n", [(2, "the grade 9 is above the collection's scale, which ends at 4")]),
        ("", [(0, "there is nothing in this file")]),
    ],
)
def test_problems_by_file_line_and_reason(people: People, text: str, problems: list[tuple[int, str]]) -> None:
    address = bring(people, text)
    work()
    answer = caller(people.researcher).get(address).json()
    assert (answer["state"], answer["n_problems"], answer["published_at"]) == ("refused", len(problems), None)
    assert [(found["file"], found["line"]) for found in answer["problems"]] == [("my.qrels", n) for n, _ in problems]
    for found, (_, reason) in zip(answer["problems"], problems, strict=True):
        assert reason in found["reason"]
