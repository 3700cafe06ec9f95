from hashlib import sha256
from pathlib import Path

import pytest
from django.http import FileResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.kernel.installation import join_installation
from annotation.kernel.store import path_of, put
from annotation.models import Policy, Snapshot
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import problem_of, reasons_of
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_snapshot, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_snapshots", args=["bees"])
QRELS = "1 0 ähre 2\n1 0 b 0\n2 0 a 1\n"
PAIRS = '{"number":"1","docno":"ähre","grade":2}\n'


@pytest.fixture
def people() -> People:
    return make_people()


def imported(people: People) -> Snapshot:
    return make_snapshot(people.collection, QRELS, name="First, imported")


def frozen(people: People) -> Snapshot:
    policy = Policy.objects.create(collection=people.collection, name="mild", version=2, sha256="0" * 64, parameters={})
    return Snapshot.objects.create(
        collection=people.collection,
        name="second",
        origin="frozen",
        policy=policy,
        qrels_sha256=put(QRELS.encode()),
        pairs_sha256=put(PAIRS.encode()),
        inputs_sha256="0" * 64,
        n_topics=2,
        n_pairs=3,
        n_dropped=1,
    )


def body(client: Client, address: str) -> tuple[bytes, FileResponse]:
    answer = client.get(address)
    assert isinstance(answer, FileResponse)
    return b"".join(answer), answer


@pytest.mark.parametrize(("is_away", "expected"), [(False, (500, None)), (True, (503, "10"))])
def test_a_file_that_is_gone_is_named_and_asked_for_again_only_where_all_are_away(
    is_away: bool, expected: tuple[int, str | None], people: People, settings: Settings, tmp_path: Path
) -> None:
    settings.TOUCHSTONE_FILES = tmp_path / "shared"
    join_installation()
    snapshot = frozen(people)
    files = {"api_snapshot_qrels": snapshot.qrels_sha256, "api_snapshot_pairs": snapshot.pairs_sha256}
    for sha in files.values():
        path_of(sha).unlink()
    if is_away:
        settings.TOUCHSTONE_FILES = tmp_path / "empty"
    client = people.client("admin")
    client.raise_request_exception = False
    for name, sha in files.items():
        answer = client.get(reverse(name, args=["bees", snapshot.pk]))
        assert (answer.status_code, answer.headers.get("Retry-After")) == expected
        assert sha in problem_of(answer)[1]


@pytest.mark.parametrize("name", ["api_snapshot", "api_snapshot_qrels", "api_snapshot_pairs"])
def test_who_may_see_one(people: People, name: str) -> None:
    assert statuses(people, reverse(name, args=["bees", frozen(people).pk])) == RESEARCH


def test_who_may_see_the_list(people: People) -> None:
    assert statuses(people, ADDRESS) == RESEARCH


@pytest.mark.parametrize("name", ["api_snapshot", "api_snapshot_qrels", "api_snapshot_pairs"])
def test_another_collections_snapshot_is_not_found(people: People, name: str) -> None:
    foreign = make_snapshot(make_collection(), QRELS)
    for pk in (foreign.pk, 0, 2**70):
        assert caller(people.admin).get(reverse(name, args=["bees", pk])).json()["detail"] == "No such snapshot."


def test_what_a_snapshot_says(people: People) -> None:
    first, second = imported(people), frozen(people)
    rows = caller(people.researcher).get(ADDRESS).json()["results"]
    assert [row["name"] for row in rows] == ["second", "First, imported"]
    assert rows[0].pop("created_at").endswith("Z")
    here = f"http://testserver{ADDRESS}/{second.pk}"
    assert rows[0] == {
        "id": second.pk,
        "name": "second",
        "criterion": "relevance",
        "origin": "frozen",
        "policy": "mild v2",
        "counts_machines": False,
        "n_topics": 2,
        "n_pairs": 3,
        "n_dropped": 1,
        "qrels_sha256": sha256(QRELS.encode()).hexdigest(),
        "url": here,
        "qrels_url": f"{here}/qrels",
        "pairs_url": f"{here}/pairs",
    }
    one = caller(people.researcher).get(f"{ADDRESS}/{first.pk}").json()
    assert [step["what"] for step in one.pop("lineage")] == ["File"]
    assert (one, one["policy"], one["pairs_url"]) == (rows[1], None, None)


def test_a_snapshot_is_found_by_its_name(people: People) -> None:
    imported(people), frozen(people)
    client = caller(people.admin)
    names = {
        name: [row["name"] for row in client.get(ADDRESS, {"name": name}).json()["results"]]
        for name in ("second", "seco", "First, imported")
    }
    assert names == {"second": ["second"], "seco": [], "First, imported": ["First, imported"]}
    assert reasons_of(client.get(ADDRESS, {"name": ""})) == {"name": ["This field may not be blank."]}


def test_the_qrels_are_the_stored_bytes(people: People) -> None:
    data, answer = body(caller(people.researcher), f"{ADDRESS}/{imported(people).pk}/qrels")
    assert data == QRELS.encode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="bees-first-imported.qrels.txt"'
    assert answer["ETag"] == f'"{sha256(data).hexdigest()}"'
    assert answer["Content-Length"] == str(len(data))
    assert answer["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("ending", ["qrels", "pairs"])
def test_the_pages_name_and_fill_the_same_file(people: People, ending: str) -> None:
    snapshot = frozen(people)
    Snapshot.objects.update(name="第二")
    data, answer = body(caller(people.researcher), reverse(f"api_snapshot_{ending}", args=["bees", snapshot.pk]))
    page_data, page = body(people.client("researcher"), reverse(f"snapshot_{ending}", args=["bees", snapshot.pk]))
    assert (data, answer["Content-Disposition"]) == (page_data, page["Content-Disposition"])
    assert answer["Content-Type"] == page["Content-Type"]


def test_who_has_the_file_is_told_so(people: People) -> None:
    client, address = caller(people.researcher), f"{ADDRESS}/{imported(people).pk}/qrels"
    etag = f'"{sha256(QRELS.encode()).hexdigest()}"'
    answer = client.get(address, headers={"If-None-Match": etag})
    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)
    assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200


def test_whatever_is_accepted_the_file_comes(people: People) -> None:
    address = f"{ADDRESS}/{imported(people).pk}/qrels"
    for accepted in ("text/plain", "application/json", "image/png"):
        assert caller(people.admin).get(address, headers={"Accept": accepted}).status_code == 200


def test_the_pairs_are_the_stored_bytes(people: People) -> None:
    data, answer = body(caller(people.researcher), f"{ADDRESS}/{frozen(people).pk}/pairs")
    assert (data, answer["Content-Type"]) == (PAIRS.encode(), "application/x-ndjson")
    assert answer["Content-Disposition"] == 'attachment; filename="bees-second.pairs.jsonl"'


def test_imported_qrels_have_no_pairs(people: People) -> None:
    answer = caller(people.researcher).get(f"{ADDRESS}/{imported(people).pk}/pairs")
    assert problem_of(answer) == (404, "Imported qrels have no such file.")


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        collection = make_collection(admin=person)
        for _ in range(n):
            make_snapshot(collection, QRELS)
        counts.append(queries_of(caller(person), reverse("api_snapshots", args=[collection.slug]), n))
    assert counts[0] == counts[1]
