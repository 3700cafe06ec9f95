"""The page of what can be taken, and the downloads behind its links."""

import csv
import io
import json
import re
import zipfile

import polars as pl
import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.exchange.read.exports import QRELS_FORMATS
from annotation.formats.gold import FORMATS
from annotation.formats.judgments import COLUMNS, NAMED_COLUMNS
from annotation.formats.problems import Problems
from annotation.gold.steps.events import set_gold
from annotation.models import AuditEvent, Judgment
from annotation.trust.read.policies import unsaved_default
from annotation.trust.steps.snapshots import freeze_snapshot
from tests.annotation.roles import ADMINS_ONLY, RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_document, make_snapshot, make_topic

pytestmark = pytest.mark.django_db

PAGE, NAMED = "/c/bees/exports/", "/c/bees/judgments/named"
QRELS = "1 0 =1 2\n2 0 b -1\n"


@pytest.fixture
def people() -> People:
    return make_people()


def taken(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert isinstance(answer, StreamingHttpResponse)
    return answer.getvalue()


def test_who_may_see_the_page(people: People) -> None:
    assert people.statuses(PAGE) == RESEARCH_ONLY


def test_who_may_take_what(people: People) -> None:
    snapshot = make_snapshot(people.collection, QRELS)
    address = f"/c/bees/snapshots/{snapshot.pk}/qrels"
    for form in QRELS_FORMATS:
        assert people.statuses(f"{address}?form={form}") == RESEARCH_ONLY, form
    for form in ("csv", "jsonl", "parquet"):
        assert people.statuses(f"/c/bees/judgments.{form}") == RESEARCH_ONLY, form
        answers = {who: people.client(who).post(NAMED, {"form": form}).status_code for who in ADMINS_ONLY}
        assert answers == ADMINS_ONLY, form
    assert people.statuses(NAMED) == {**dict.fromkeys(ADMINS_ONLY, 405), "anonymous": 302}


def test_every_link_of_the_page_leads_to_a_file(people: People) -> None:
    make_worked(people.collection)
    make_snapshot(people.collection, QRELS, name="theirs")
    client = people.client("researcher")
    page = client.get(PAGE).text
    links = re.findall(r'href="([^"]+)" download', page)
    assert len(links) == len(QRELS_FORMATS) + 3 + 1 + 1  # judgments, decisions and gold
    assert [link for link in links if not taken(client, link.replace("&amp;", "&"))] == []


def test_only_admins_are_offered_names(people: People) -> None:
    make_worked(people.collection)
    offered = {who: NAMED in people.client(who).get(PAGE).text for who in ("admin", "researcher")}
    assert offered == {"admin": True, "researcher": False}


def test_an_empty_collection_says_so(people: People) -> None:
    text = people.client("admin").get(PAGE).text
    assert ("There is no snapshot yet." in text, "Nobody has judged yet." in text, NAMED in text) == (True, True, False)


def test_names_are_noted_in_the_record(people: People) -> None:
    worked = make_worked(people.collection)
    answer = people.client("admin").post(NAMED, {"form": "csv"})
    assert isinstance(answer, StreamingHttpResponse)
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode(), newline="")))
    assert tuple(rows[0]) == NAMED_COLUMNS
    assert {row["account"] for row in rows} == {str(person.user) for person in worked.people.values()}
    event = AuditEvent.objects.get(verb="judgments exported with names")
    assert (event.actor, event.collection, event.detail) == (people.admin, people.collection, {"form": "csv"})
    assert "judgments exported with names" in people.client("admin").get("/c/bees/audit/").text
    assert people.client("admin").post(NAMED, {"form": "xls"}).status_code == 404
    assert AuditEvent.objects.filter(verb="judgments exported with names").count() == 1


def test_no_name_is_in_what_researchers_take(people: People) -> None:
    worked = make_worked(people.collection)
    names = [str(person.user).encode() for person in worked.people.values()]
    client = people.client("researcher")
    data = [taken(client, f"/c/bees/judgments.{form}") for form in ("csv", "jsonl")]
    table = pl.read_parquet(taken(client, "/c/bees/judgments.parquet"))
    assert [name for name in names for each in [*data, table.write_csv().encode()] if name in each] == []
    assert tuple(table.columns) == COLUMNS


def test_frozen_qrels_have_their_confidence_in_every_table(people: People) -> None:
    worked = make_worked(people.collection)
    rule = unsaved_default(worked.collection)
    snapshot = freeze_snapshot(worked.collection, name="one", batches=[worked.batch], policy=rule, created_by=None)
    client, here = people.client("researcher"), f"/c/bees/snapshots/{snapshot.pk}"
    pairs = taken(client, f"{here}/pairs")
    assert taken(client, f"{here}/qrels?form=jsonl") == pairs
    rows = [json.loads(line) for line in pairs.splitlines()]
    assert pl.read_parquet(taken(client, f"{here}/qrels?form=parquet")).to_dicts() == rows
    cells = csv.DictReader(io.StringIO(taken(client, f"{here}/qrels?form=csv").decode(), newline=""))
    assert [float(each["confidence"]) for each in cells] == [row["confidence"] for row in rows]
    with zipfile.ZipFile(io.BytesIO(taken(client, f"{here}/qrels?form=beir"))) as archive:
        documents = [json.loads(line) for line in archive.read("corpus.jsonl").splitlines()]
    assert {each["_id"] for each in documents} == set(worked.items)


def test_the_snapshot_page_offers_every_form(people: People) -> None:
    snapshot = make_snapshot(people.collection, QRELS)
    text = people.client("researcher").get(f"/c/bees/snapshots/{snapshot.pk}/").text
    address = f"/c/bees/snapshots/{snapshot.pk}/qrels"
    links = [f'href="{address}" download', *(f'href="{address}?form={form}"' for form in QRELS_FORMATS[1:])]
    assert [link for link in links if link not in text] == []
    assert "18\xa0bytes" in text


def test_an_unknown_form_is_not_found(people: People) -> None:
    snapshot = make_snapshot(people.collection, QRELS)
    assert people.client("admin").get(f"/c/bees/snapshots/{snapshot.pk}/qrels?form=xls").status_code == 404


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_long_file_comes_in_pieces_and_is_read_while_it_is_sent(people: People, form: str) -> None:
    worked = make_worked(people.collection)
    for _ in range(40):
        worked.judge("d1", "Amber", 3, comment="x" * 10_000)
    with CaptureQueriesContext(connection) as queries:
        answer = people.client("researcher").get(f"/c/bees/judgments.{form}")
        assert not [query for query in queries if Judgment._meta.db_table in query["sql"]], "asked only when it is sent"
    assert isinstance(answer, StreamingHttpResponse)
    assert not answer.has_header("Content-Length")
    pieces = iter(answer)
    first = next(pieces)
    rest = b"".join(pieces)
    assert len(first) < len(first + rest) / 3


def test_the_page_asks_as_many_questions_for_one_snapshot_as_for_three(people: People) -> None:
    client, counts = people.client("researcher"), []
    for _ in range(3):
        make_snapshot(people.collection, QRELS)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        counts.append(len(queries))
    assert counts[0] == counts[2]


def test_links_are_where_the_navigation_says(people: People) -> None:
    assert reverse("exports", args=["bees"]) == PAGE
    assert f'href="{PAGE}"' in people.client("researcher").get("/c/bees/").text


def test_gold_goes_out_as_it_comes_in(people: People) -> None:
    topic, document = make_topic(people.collection, "1"), make_document(people.collection, "d1")
    set_gold(
        people.collection, topic=topic, document=document, grade=3, accepted=[2], reason="a\tb", explanation="So.\nYes",
        actor=None,
    )  # fmt: skip
    address = reverse("gold_export", args=["bees"])
    assert people.statuses(address) == RESEARCH_ONLY
    data = taken(people.client("researcher"), address)
    assert json.loads(data) == {
        "number": "1", "docno": "d1", "grade": 3, "accepted": [2, 3], "reason": "a\tb", "explanation": "So.\nYes",
    }  # fmt: skip
    form = next(form for form in FORMATS if form.name == "jsonl")
    problems = Problems("gold.jsonl")
    (row,) = form.read(io.BytesIO(data), problems, {})
    assert (row.grade, row.reason, row.explanation) == (3, "a\tb", "So.\nYes")
    assert not problems
