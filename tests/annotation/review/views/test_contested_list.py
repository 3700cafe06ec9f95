"""The contested pairs as a list: looked for, filtered, sorted, as CSV, kept as a view; and taken from as it stands."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import SentPair
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import Worked, make_worked

pytestmark = pytest.mark.django_db
QUEUE = "/c/bees/quality/contested/"


@pytest.fixture
def started() -> tuple[People, Worked]:
    people = make_people()
    worked = make_worked(people.collection)
    worked.fill()
    return people, worked


def docnos(client: Client, query: str = "") -> list[str]:
    return [each.row.docno for each in client.get(QUEUE + query).context["rows"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["d3", "d4", "d5", "d1"]),
        ("?reason=few", ["d4", "d5"]),
        ("?reason=nothing", []),
        ("?topic=1&q=D5", ["d5"]),
        ("?topic=g", []),
        ("?sort=docno", ["d1", "d3", "d4", "d5"]),
        ("?sort=people&reason=few", ["d5", "d4"]),
        ("?q=1", ["d3", "d4", "d5", "d1"]),
    ],
)
def test_pairs_are_looked_for_and_sorted(started: tuple[People, Worked], query: str, expected: list[str]) -> None:
    client = started[0].client("researcher")
    assert docnos(client, query) == expected
    lines = client.get(f"{QUEUE}{query}{'&' if query else '?'}as=csv").getvalue().decode().splitlines()
    assert lines[0] == "number,docno,why,people"
    assert [line.split(",")[1] for line in lines[1:]] == expected


def test_the_first_is_taken_from_the_list_as_it_stands(started: tuple[People, Worked]) -> None:
    people, _ = started
    client = people.client("admin")
    taken = client.post(f"{QUEUE}next?q=d5")["Location"]
    assert taken == "/c/bees/quality/pair?q=d5&number=1&docno=d5"
    left = client.post(taken.replace("/pair?", "/pair/leave?"), {"next": "1"})["Location"]
    assert left == f"{QUEUE}?q=d5"
    assert client.post(f"{QUEUE}next?sort=docno")["Location"].endswith("sort=docno&number=1&docno=d1")


def test_why_a_pair_was_sent_is_looked_for(started: tuple[People, Worked]) -> None:
    people, worked = started
    item = worked.items["d2"]
    SentPair.objects.create(
        collection=people.collection, topic=item.topic, document=item.document, criterion="relevance",
        reason="Two readings of swarm", created_by=people.admin, created_at=timezone.now(),
    )  # fmt: skip
    client = people.client("admin")
    assert docnos(client, "?q=swarm") == ["d2"]
    text = client.get(f"{QUEUE}?q=swarm&columns=sent_by&columns=sent_because&as=csv").getvalue().decode()
    assert text.splitlines() == ["number,sent_by,sent_because", "1,lead,Two readings of swarm"]


def test_a_view_of_the_queue_is_kept(started: tuple[People, Worked]) -> None:
    client = started[0].client("admin")
    entries = {"page": "adjudication", "name": "Few", "query": "reason=few&sort=people&page=2"}
    assert client.post("/c/bees/views", entries)["Location"] == f"{QUEUE}?reason=few&sort=people"


def test_the_queue_costs_the_same_however_many(started: tuple[People, Worked]) -> None:
    people, worked = started
    client = people.client("admin")

    def queries() -> int:
        docnos(client)
        with CaptureQueriesContext(connection) as seen:
            docnos(client)
        return len(seen)

    few = queries()
    for n in range(3):
        worked.add_item(f"more{n}")
        for name, grade in (("Amber", 0), ("Birch", 4), ("Dune", 2)):
            worked.judge(f"more{n}", name, grade)
    worked.fill()
    assert len(docnos(client)) == 7
    assert queries() == few
