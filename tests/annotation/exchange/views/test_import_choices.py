"""Maps of grades and unknown pairs, through every door: page, API and command."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import GoldEvent, Import, Pool, Snapshot
from annotation.trust.read.snapshots import qrels_path
from tests.annotation.callers import caller
from tests.annotation.exchange.steps.import_work import work
from tests.annotation.exchange.views.test_imports import press, upload
from tests.annotation.management.test_import_commands import command, refused, written
from tests.annotation.refused_fields import refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_document, make_topic

pytestmark = pytest.mark.django_db

MAP = "0=0, 2=1, 4=2, 8=3, 16=4"
QRELS = "1 0 A 16\n1 0 B 2\n"
KEPT = "1 0 A 4\n1 0 B 1\n"


@pytest.fixture
def people() -> People:
    people = make_people()
    make_topic(people.collection, "1")
    make_document(people.collection, "A")
    return people


def test_qrels_by_page_first_refused_then_checked_again_with_a_map(people: People) -> None:
    record = upload(people, "qrels", QRELS, name="linking")
    work()
    page = people.client("admin").get(reverse("import_detail", args=["bees", record.pk])).text
    assert ("Refused" in page, 'name="grades"' in page) == (True, True)
    check = reverse("import_check", args=["bees", record.pk])
    people.client("admin").post(check, {"format": "trec", "name": "linking", "grades": MAP})
    work()
    press(people, record, "publish")
    work()
    assert qrels_path(Snapshot.objects.get()).read_text() == KEPT


def test_qrels_by_api(people: People) -> None:
    fields = {"kind": "qrels", "name": "linking", "format": "trec", "publish": "true"}
    client, address = caller(people.admin), reverse("api_imports", args=["bees"])
    bad = client.post(address, {"file": SimpleUploadedFile("q", QRELS.encode()), **fields, "grades": "16"})
    assert (bad.status_code, refused_fields(bad)) == (400, {"grades"})
    good = client.post(address, {"file": SimpleUploadedFile("q", QRELS.encode()), **fields, "grades": MAP})
    assert good.status_code == 202, good.content
    work()
    assert qrels_path(Snapshot.objects.get()).read_text() == KEPT


def test_qrels_by_command(people: People, tmp_path: Path) -> None:
    file = written(tmp_path, "linking.qrels", QRELS)
    _, lines = refused("import_qrels", "bees", file, "--name", "linking")
    assert any("--grades" in line for line in lines)
    command("import_qrels", "bees", file, "--name", "linking", "--grades", MAP)
    assert qrels_path(Snapshot.objects.get()).read_text() == KEPT


def test_unknown_pairs_by_page(people: People) -> None:
    record = upload(people, "gold", "1\tA\t3\n1\tZ\t2\n", unknown="skip")
    work()
    page = people.client("admin").get(reverse("import_detail", args=["bees", record.pk])).text
    assert ("What is left aside" in page, "Line 2:" in page) == (True, True)


def test_unknown_pairs_by_api(people: People) -> None:
    client, address = caller(people.admin), reverse("api_imports", args=["bees"])
    file = SimpleUploadedFile("p", b"1\tA\n1\tZ\n")
    fields = {"kind": "pairs", "name": "mine", "format": "columns", "publish": "true", "unknown": "skip"}
    answer = client.post(address, {"file": file, **fields})
    work()
    record = client.get(reverse("api_import", args=["bees", answer.json()["id"]])).json()
    assert (record["state"], record["preview"]["counts"]["Left aside"]) == ("published", 1)
    assert [row["line"] for row in record["preview"]["aside"]] == [2]
    bad = client.post(address, {"file": SimpleUploadedFile("p", b"1\tA\n"), **fields, "name": "b", "unknown": "all"})
    assert (bad.status_code, refused_fields(bad)) == (400, {"unknown"})


def test_unknown_pairs_by_command(people: People, tmp_path: Path) -> None:
    file = written(tmp_path, "gold.tsv", "1\tA\t3\n1\tZ\t2\n")
    _, lines = refused("import_gold", "bees", file)
    assert any("--unknown skip" in line for line in lines)
    assert "left aside 1" in command("import_gold", "bees", file, "--unknown", "skip")[0]
    pairs = written(tmp_path, "pairs.txt", "1 A\n1 Z\n")
    assert "left aside 1" in command("import_pairs", "bees", pairs, "--name", "mine", "--unknown", "skip")[0]
    command("pool", "bees", "other", "--pairs", pairs, "--unknown", "skip")
    assert list(Pool.objects.values_list("n_pairs", "origin__left_aside")) == [(1, 1)] * 2
    assert Import.objects.filter(state="published").count() == 2


def test_gold_and_a_pool_from_a_file_at_once(people: People) -> None:
    client = people.client("admin")
    file = SimpleUploadedFile("g.tsv", b"1\tA\t16\n1\tZ\t2\n")
    assert client.post("/c/bees/gold/file", {"file": file, "grades": MAP}).status_code == 422
    file = SimpleUploadedFile("g.tsv", b"1\tA\t16\n1\tZ\t2\n")
    answer = client.post("/c/bees/gold/file", {"file": file, "grades": MAP, "unknown": "skip"})
    assert (answer.status_code, GoldEvent.objects.get().grade) == (302, 4)
    file = SimpleUploadedFile("g.tsv", b"1\tA\t1\n")
    assert client.post("/c/bees/gold/file", {"file": file, "grades": "16"}).status_code == 422
    address = reverse("pool_file", args=["bees"])
    pool = {"name": "mine", "unknown": "skip"}
    answer = client.post(address, {**pool, "file": SimpleUploadedFile("p.txt", b"1 A\n1 Z\n")})
    assert (answer.status_code, Pool.objects.get().origin["left_aside"]) == (302, 1)
