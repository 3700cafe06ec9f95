"""Runs: the list, the upload, one run."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from annotation.models import Import, Job
from evaluation.models import Evaluation, Run
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

NEW = "/c/bees/runs/new"


@pytest.fixture
def people() -> People:
    return make_people()


def make_run(people: People, tag: str) -> Run:
    return Run.objects.create(
        collection=people.collection, tag=tag, sha256="0" * 64, filename="f.run", n_topics=3, n_rows=20, n_tied=7
    )


def file_of(tag: str, *, score: str = "1.5") -> SimpleUploadedFile:
    return SimpleUploadedFile(f"{tag}.run", f"1 Q0 D1 1 {score} {tag}\n".encode())


def test_runs_new_checks_then_publishes(people: People) -> None:
    client = people.client("researcher")
    response = client.post(NEW, {"file": file_of("mine"), "description": "The <first>."})
    record = Import.objects.get()
    address = reverse("import_detail", args=["bees", record.pk])
    assert (response.status_code, response["Location"]) == (302, address)
    call_command("worker", once=True)
    assert "Ready to publish" in client.get(address).text
    client.post(reverse("import_publish", args=["bees", record.pk]))
    call_command("worker", once=True)
    run = Run.objects.get()
    assert (run.tag, run.created_by, run.n_rows) == ("mine", people.researcher, 1)
    html = client.get(reverse("run", args=["bees", "mine"])).text
    assert ("The &lt;first&gt;." in html, "from mine.run" in html) == (True, True)


def test_runs_new_takes_several_files(people: People) -> None:
    files = [file_of("one"), file_of("two"), file_of("three", score="x")]
    response = people.client("admin").post(NEW, {"file": files, "publish": "on", "format": "trec"})
    assert (response.status_code, response["Location"]) == (302, reverse("imports", args=["bees"]))
    call_command("worker", once=True)
    assert list(Run.objects.values_list("tag", flat=True)) == ["one", "two"]
    assert list(Import.objects.order_by("pk").values_list("filename", "state")) == [
        ("one.run", "published"),
        ("two.run", "published"),
        ("three.run", "refused"),
    ]


def test_problems_of_a_run_reach_the_page(people: People) -> None:
    client = people.client("admin")
    client.post(NEW, {"file": file_of("mine", score="nan")})
    call_command("worker", once=True)
    html = client.get(reverse("import_detail", args=["bees", Import.objects.get().pk])).text
    assert 'mine.run</td><td class="num fit">1</td><td>the score &#x27;nan&#x27; is not a finite' in html


@pytest.mark.parametrize(
    ("tag", "n_files", "limit", "reason"),
    [
        ("my own", 1, 1000, "A tag has no white space."),
        ("own", 2, 1000, "A tag of your own goes with one file only."),
        ("", 0, 1000, "This field is required."),
        ("", 1, 3, "is larger than 3\xa0bytes"),
        ("", 51, 1000, "At most 50 files at a time."),
    ],
)
def test_a_form_that_is_wrong_imports_nothing(
    people: People, settings: Settings, *, tag: str, n_files: int, limit: int, reason: str
) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = limit
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 100
    files = [file_of(f"run{n}") for n in range(n_files)]
    response = people.client("admin").post(NEW, {"file": files, "tag": tag})
    assert (response.status_code, reason in response.text) == (422, True)
    assert (Import.objects.count(), Job.objects.count()) == (0, 0)


def test_runs_lists_tags_rows_and_ties(people: People) -> None:
    make_run(people, "b/m25")
    html = people.client("researcher").get(reverse("runs", args=["bees"])).text
    assert 'href="/c/bees/runs/tagged/b/m25"' in html
    numbers = re.findall(r'<td role="cell" class="num"[^>]*>\s*(\d+)\s*</td>', html)
    assert [n for n in numbers if n in {"3", "20", "7"}] == ["3", "20", "7"]


@pytest.mark.parametrize("n_runs", [1, 3])
def test_runs_costs_the_same_however_many(
    people: People, n_runs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for n in range(n_runs):
        make_run(people, f"run{n}")
    client = people.client("admin")
    with django_assert_num_queries(10):
        client.get(reverse("runs", args=["bees"]))


def test_a_run_leads_to_its_values(people: People) -> None:
    run, snapshot = make_run(people, "mine"), make_snapshot(people.collection, "1 0 d 1\n")
    client, page = people.client("researcher"), reverse("run", args=["bees", "mine"])
    assert 'id="values"' not in client.get(page).text
    columns = {"measures": [], "averaging": "complete", "means": {}, "n_topics": 1, "sha256": "0" * 64}
    evaluation = Evaluation.objects.create(snapshot=snapshot, run=run, **columns)
    assert reverse("evaluation", args=["bees", evaluation.pk]) in client.get(page).text


def test_who_may_see_and_bring_runs(people: People) -> None:
    make_run(people, "mine")
    for address in (reverse("runs", args=["bees"]), reverse("run", args=["bees", "mine"]), NEW):
        assert people.statuses(address) == RESEARCH_ONLY, address
    assert people.client("annotator").post(NEW, {"file": file_of("x")}).status_code == 403
    assert Import.objects.count() == 0
