import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.exchange.steps.importing import start_import
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import GoldEvent, Import, Job, Pool, Snapshot, Topic
from evaluation.models import Run
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import problem_of, refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_document, make_topic

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
    assert answer.json()["detail"] == "No such import."


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
    places = [(problem["file"], problem["line"]) for problem in answer["problems"]]
    assert places == [("my.qrels", n) for n, _ in problems]
    for problem, (_, reason) in zip(answer["problems"], problems, strict=True):
        assert reason in problem["reason"]


# --- bringing files ---

ADDRESS = reverse("api_imports", args=["bees"])


def sent(client: Client, data: bytes, **fields: str) -> Any:
    """As a form."""
    file = SimpleUploadedFile("my.file", data)
    return client.post(ADDRESS, {"file": file, **fields})


def sent_whole(client: Client, data: bytes, **asked: str) -> Any:
    """As the body."""
    asked = {"filename": "my.file", **asked}
    return client.post(ADDRESS, data, content_type="application/octet-stream", query_params=asked)


@pytest.mark.parametrize("send", [sent, sent_whole])
def test_a_file_from_upload_to_publishing(people: People, send: Callable[..., Any]) -> None:
    client = caller(people.admin)
    answer = send(client, b"1\tbees\n2\thoney\n", kind="topics")
    assert answer.status_code == 202, answer.content
    record = json.loads(answer.content)
    assert (record["kind"], record["state"], record["filename"]) == ("topics", "checking", "my.file")
    work()
    checked = client.get(record["url"]).json()
    assert (checked["state"], checked["preview"]["format"]["name"]) == ("checked", "tsv")
    assert checked["preview"]["counts"] == {"New": 2, "Unchanged": 0, "Changed": 0}
    assert not Topic.objects.exists()
    asked = client.post(f"{record['url']}/publish")
    (line,) = client.get(ADDRESS).json()["results"]
    states = (json.loads(asked.content)["state"], client.get(record["url"]).json()["state"], line["state"])
    assert (asked.status_code, *states) == (202, "storing", "storing", "storing")
    work()
    published = client.get(record["url"]).json()
    assert (published["state"], Topic.objects.count()) == ("published", 2)
    assert client.get(published["job_url"]).json()["state"] == "done"
    assert client.post(f"{record['url']}/publish").status_code == 409
    (row,) = client.get(ADDRESS).json()["results"]
    assert (row["id"], row["url"], row["state"]) == (record["id"], record["url"], "published")


def test_publishing_at_once_needs_a_format(people: People) -> None:
    client = caller(people.admin)
    refused = sent(client, b"1\tbees\n", kind="topics", publish="true")
    assert (refused.status_code, refused_fields(refused)) == (400, {"publish"})
    assert sent(client, b"1\tbees\n", kind="topics", publish="true", format="tsv").status_code == 202
    work()
    assert Topic.objects.get().number == "1"


def test_each_kind_is_taken(people: People) -> None:
    collection = people.collection
    make_topic(collection, "1")
    make_document(collection, "A")
    client = caller(people.admin)
    files = {
        "topics": (b"2\tbees\n", {}),
        "documents": (b'{"docno": "B", "text": "a text"}\n', {"on_conflict": "skip"}),
        "qrels": (b"1 0 A 1\n", {"name": "official"}),
        "run": (b"1 Q0 A 1 2 mine\n", {"tag": "yours", "description": "mine, yours"}),
        "pairs": (b"1 A\n", {"name": "first"}),
        "gold": (b"1\tA\t3\n", {}),
    }
    for kind, (data, fields) in files.items():
        assert sent(client, data, kind=kind, **fields).status_code == 202
    work()
    for row in client.get(ADDRESS).json()["results"]:
        assert (row["kind"], row["state"]) == (row["kind"], "checked")
        client.post(f"{row['url']}/publish")
    work()
    assert {row["state"] for row in client.get(ADDRESS).json()["results"]} == {"published"}
    assert (Snapshot.objects.get().name, Run.objects.get().tag) == ("official", "yours")
    assert (Pool.objects.get().n_pairs, GoldEvent.objects.get().grade) == (1, 3)


def test_a_file_is_checked_anew_as_said(people: People) -> None:
    client = caller(people.admin)
    record = json.loads(sent(client, b"1\tbees\n", kind="topics", format="jsonl").content)
    work()
    assert client.get(record["url"]).json()["state"] == "refused"
    again = client.post(f"{record['url']}/check", {"format": "tsv"}, content_type="application/json")
    assert (again.status_code, again.json()["state"], again.json()["problems"]) == (202, "checking", [])
    assert client.post(f"{record['url']}/check", {}, content_type="application/json").status_code == 409
    work()
    assert client.get(record["url"]).json()["state"] == "checked"
    wrong = client.post(f"{record['url']}/check", {"format": "sgml?"}, content_type="application/json")
    assert (wrong.status_code, refused_fields(wrong)) == (400, {"format"})


def test_problems_come_in_pages(people: People) -> None:
    client = caller(people.admin)
    record = json.loads(sent(client, b"1\tbees\n" + b"x\n" * 30, kind="topics", format="tsv").content)
    work()
    page = client.get(client.get(record["url"]).json()["problems_url"], {"page_size": 20, "page": 2}).json()
    assert (page["count"], [problem["line"] for problem in page["results"]]) == (30, [*range(22, 32)])


def test_an_import_is_cancelled(people: People) -> None:
    client = caller(people.admin)
    record = json.loads(sent(client, b"1\tbees\n", kind="topics").content)
    assert client.post(f"{record['url']}/cancel").json()["state"] == "cancelled"
    work()
    assert client.post(f"{record['url']}/publish").status_code == 409


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        ({"kind": "topics", "on_conflict": "perhaps"}, ["on_conflict"]),
        ({"kind": "qrels"}, ["name"]),
        ({"kind": "run", "tag": "two words"}, ["tag"]),
        ({"kind": "cakes"}, ["kind"]),
        ({}, ["kind"]),
        ({"kind": "topics", "format": "cake"}, ["format"]),
        ({"kind": "topics", "columns": "docno"}, ["columns"]),
        ({"kind": "topics", "columns": '{"docno": 1}'}, ["columns"]),
        ({"kind": "topics", "columns": "[" * 5000}, ["columns"]),
        ({"kind": "topics", "columns": '{"docno": "a", "docno": "b"}'}, ["columns"]),
        ({"kind": "topics", "columns": '{"docno": "a\\u0000"}'}, ["columns"]),
        ({"kind": "topics", "columns": '{"\\u0000": "a"}'}, ["columns"]),
    ],
)
def test_what_cannot_be_done_names_its_field(people: People, fields: dict[str, str], faults: list[str]) -> None:
    for send in (sent, sent_whole):
        answer = send(caller(people.admin), b"1\tbees\n", **fields)
        assert (answer.status_code, refused_fields(answer)) == (400, set(faults))
    assert not Import.objects.exists()


@pytest.mark.parametrize("send", [sent, sent_whole])
def test_a_file_over_the_limit_leaves_nothing(people: People, settings: Settings, send: Callable[..., Any]) -> None:
    settings.TOUCHSTONE_UPLOAD_LIMIT = 1000
    answer = send(caller(people.admin), b"1\tbees\n" * 200, kind="topics")
    reason = "my.file is larger than 1000\xa0bytes, the limit of this installation."
    assert problem_of(answer) == (413, reason)
    assert [file for file in settings.TOUCHSTONE_FILES.rglob("*") if file.is_file()] == []


def test_an_empty_body_is_no_file(people: People) -> None:
    answer = sent_whole(caller(people.admin), b"", kind="topics")
    assert (answer.status_code, "file" in refused_fields(answer)) == (400, True)


def test_who_may_bring_and_change(people: People) -> None:
    for kind, may in (("topics", ["admin"]), ("gold", ["admin"]), ("pairs", ["admin", "researcher"])):
        answers = {
            who: sent(client, b"1\tA\n", kind=kind, name="x").status_code for who, client in callers(people).items()
        }
        assert answers == {**RESEARCH, "researcher": 403} | dict.fromkeys(may, 202)
    record = Import.objects.filter(kind="topics").get()
    for name in ("publish", "cancel", "check"):
        answers = statuses(people, reverse(f"api_import_{name}", args=["bees", record.pk]), "post")
        assert {**answers, "admin": 0} == {**RESEARCH, "researcher": 403, "admin": 0}
    assert statuses(people, ADDRESS) == RESEARCH
    assert statuses(people, reverse("api_import_problems", args=["bees", record.pk])) == RESEARCH


def test_the_list_costs_the_same_however_long(people: People) -> None:
    counts = []
    for n in (1, 3):
        while Import.objects.count() < n:
            bring(people, "1 0 a 1\n")
        counts.append(queries_of(caller(people.admin), ADDRESS, n))
    assert counts[0] == counts[1]


def test_gold_that_corrects_gold_is_published_with_its_number(people: People) -> None:
    make_topic(people.collection, "1")
    make_document(people.collection, "A")
    client = caller(people.admin)
    for data, corrects in ((b"1\tA\t3\n", 0), (b"1\tA\t2\n", 1)):
        url = sent(client, data, kind="gold").json()["url"]
        work()
        assert client.get(url).json()["preview"]["counts"]["Corrected"] == corrects
        assert client.post(f"{url}/publish").status_code == (409 if corrects else 202)
        work()
    assert client.post(f"{url}/publish", {"correct": 1}).status_code == 202
    work()
    assert client.get(url).json()["state"] == "published"
