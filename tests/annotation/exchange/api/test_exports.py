"""Qrels and judgments going out by the API."""

import csv
import io
import json
import zipfile

import polars as pl
import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from annotation.exchange.read.exports import JUDGMENT_FORMATS, QRELS_FORMATS
from annotation.formats.judgments import COLUMNS, NAMED_COLUMNS
from annotation.models import AuditEvent
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.refused_fields import reasons_of
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

JUDGMENTS, NAMED = reverse("api_judgments", args=["bees"]), reverse("api_judgments_named", args=["bees"])


@pytest.fixture
def people() -> People:
    people = make_people()
    make_worked(people.collection)
    return people


def body(client: Client, address: str, form: str) -> tuple[bytes, str]:
    """What is sent, and what it is called."""
    answer = client.get(address, {"form": form})
    assert isinstance(answer, StreamingHttpResponse)
    return answer.getvalue(), answer["Content-Disposition"].removeprefix("attachment; filename=")


def test_who_may_take_judgments(people: People) -> None:
    assert statuses(people, JUDGMENTS) == RESEARCH


def test_only_admins_take_names(people: People) -> None:
    asked, kind = {"form": "csv"}, "application/json"
    answers = {who: client.post(NAMED, asked, content_type=kind).status_code for who, client in callers(people).items()}
    assert answers == {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    assert statuses(people, NAMED) == {**dict.fromkeys(answers, 405), "anonymous": 401}, "a GET notes nothing"
    events = AuditEvent.objects.filter(verb="judgments exported with names")
    assert [(event.actor, event.collection, event.detail) for event in events] == [
        (people.admin, people.collection, {"form": "csv"})
    ]


def test_judgments_in_every_form(people: People) -> None:
    client = caller(people.researcher)
    data = {form: body(client, JUDGMENTS, form) for form in JUDGMENT_FORMATS}
    assert [name for _, name in data.values()] == [f'"bees-judgments.{form}"' for form in ("csv", "jsonl", "parquet")]
    cells = list(csv.DictReader(io.StringIO(data["csv"][0].decode(), newline="")))
    docnos = [each["docno"] for each in cells]
    assert (tuple(cells[0]), len(docnos)) == (COLUMNS, 50 + 17)
    assert [json.loads(line)["docno"] for line in data["jsonl"][0].splitlines()] == docnos
    assert pl.read_parquet(data["parquet"][0])["docno"].to_list() == docnos
    answer = client.get(JUDGMENTS)
    assert isinstance(answer, StreamingHttpResponse)
    assert answer.getvalue() == data["csv"][0]


def test_names_stand_beside_pseudonyms(people: People) -> None:
    answer = caller(people.admin).post(NAMED, {"form": "jsonl"}, content_type="application/json")
    assert isinstance(answer, StreamingHttpResponse)
    assert answer["Content-Disposition"] == 'attachment; filename="bees-judgments-named.jsonl"'
    rows = [json.loads(line) for line in answer.getvalue().splitlines()]
    assert tuple(rows[0]) == NAMED_COLUMNS
    account = {person.pseudonym: str(person.user) for person in people.collection.annotators.select_related("user")}
    assert {(row["annotator"], row["account"]) for row in rows} == {
        (name, account[name]) for name in ("Amber", "Birch", "Cedar", "Dune")
    }


def test_qrels_in_every_form(people: People) -> None:
    snapshot = make_snapshot(people.collection, "1 0 =1 2\n2 0 b -1\n", name="first")
    client, address = caller(people.researcher), reverse("api_snapshot_qrels", args=["bees", snapshot.pk])
    data = {form: body(client, address, form) for form in QRELS_FORMATS}
    endings = ["qrels.txt", "qrels.jsonl", "qrels.csv", "qrels.parquet", "beir.zip", "datasets.zip", "quepid.csv"]
    assert [name for _, name in data.values()] == [f'"bees-first.{ending}"' for ending in endings]
    rows = [("1", "=1", 2), ("2", "b", -1)]
    assert pl.read_parquet(data["parquet"][0]).select("number", "docno", "grade").rows() == rows
    assert pl.read_csv(data["csv"][0], schema_overrides={"number": pl.String})["docno"].to_list() == ["=1", "b"]
    assert [json.loads(line)["grade"] for line in data["jsonl"][0].splitlines()] == [2, -1]
    with zipfile.ZipFile(io.BytesIO(data["beir"][0])) as archive:
        assert archive.read("qrels/test.tsv") == b"query-id\tcorpus-id\tscore\n1\t=1\t2\n"
        assert len(archive.read("queries.jsonl").splitlines()) == 2  # the topics of the worked campaign
    assert data["quepid"][0].splitlines()[0] == b"query,docid,rating"
    assert data["trec"][0] == b"1 0 =1 2\n2 0 b -1\n"


def test_an_unknown_form_is_refused(people: People) -> None:
    snapshot = make_snapshot(people.collection, "1 0 a 2\n")
    client = caller(people.admin)
    answers = [
        client.get(JUDGMENTS, {"form": "xls"}),
        client.post(NAMED, {"form": "xls"}, content_type="application/json"),
        client.get(reverse("api_snapshot_qrels", args=["bees", snapshot.pk]), {"form": "xls"}),
    ]
    refusals = [(answer.status_code, reasons_of(answer)) for answer in answers]
    assert refusals == [(400, {"form": ['"xls" is not a valid choice.']})] * 3
    assert not AuditEvent.objects.filter(verb="judgments exported with names").exists()
