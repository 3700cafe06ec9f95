"""Runs going out by page and by API."""

import gzip

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from evaluation.runs.read import RUN_FORMS
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.refused_fields import reasons_of
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.factories import make_collection, make_run

pytestmark = pytest.mark.django_db

RUN = "1 Q0 b 1 3.5 a/ö\n1 Q0 x 2 2.0 a/ö\n1 Q0 c 3 2.0 a/ö\n2 Q0 =1 1 1.0 a/ö\n"
NAMES = ("run_file", "api_run_file")


@pytest.fixture
def people() -> People:
    people = make_people()
    make_run(people.collection, RUN)
    return people


def downloaded(client: Client, name: str, form: str = "") -> tuple[str, str, bytes]:
    """Type, disposition and content."""
    answer = client.get(reverse(name, args=["bees", "a/ö"]), {"form": form} if form else {})
    assert isinstance(answer, StreamingHttpResponse)
    return answer["Content-Type"], answer["Content-Disposition"], answer.getvalue()


def client_of(people: People, name: str) -> Client:
    return caller(people.researcher) if name.startswith("api") else people.client("researcher")


def test_who_may_take_a_run(people: People) -> None:
    assert people.statuses(reverse("run_file", args=["bees", "a/ö"])) == RESEARCH_ONLY
    assert statuses(people, reverse("api_run_file", args=["bees", "a/ö"])) == RESEARCH


@pytest.mark.parametrize("name", NAMES)
def test_every_form(people: People, name: str) -> None:
    client = client_of(people, name)
    trec = ("text/plain; charset=utf-8", 'attachment; filename="bees-ao.run"', RUN.encode())
    assert downloaded(client, name) == trec
    assert downloaded(client, name, "trec") == trec
    kind, disposition, data = downloaded(client, name, "gzip")
    assert (kind, disposition) == ("application/gzip", 'attachment; filename="bees-ao.run.gz"')
    assert gzip.decompress(data) == RUN.encode()
    kind, disposition, data = downloaded(client, name, "jsonl")
    assert (kind, disposition) == ("application/x-ndjson", 'attachment; filename="bees-ao.run.jsonl"')
    assert data.decode().splitlines()[-1] == '{"number":"2","docno":"=1","rank":1,"score":1.0,"tag":"a/ö"}'


@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_another_collection_is_not_found(people: People, name: str) -> None:
    make_run(make_collection(), RUN.replace("a/ö", "foreign"))
    client = client_of(people, name)
    assert [client.get(reverse(name, args=["bees", tag])).status_code for tag in ("foreign", "none", "a\0b")] == [
        404
    ] * 3


def test_an_unknown_form_is_refused(people: People) -> None:
    assert (
        people.client("researcher").get(reverse("run_file", args=["bees", "a/ö"]), {"form": "xls"}).status_code == 404
    )
    answer = caller(people.researcher).get(reverse("api_run_file", args=["bees", "a/ö"]), {"form": "xls"})
    assert (answer.status_code, reasons_of(answer)) == (400, {"form": ['"xls" is not a valid choice.']})


def test_the_page_offers_every_form(people: People) -> None:
    text = people.client("researcher").get(reverse("run", args=["bees", "a/ö"])).text
    address = reverse("run_file", args=["bees", "a/ö"])
    links = [f'href="{address}"', *(f'href="{address}?form={form}"' for form in RUN_FORMS[1:])]
    assert [link for link in links if link not in text] == []
