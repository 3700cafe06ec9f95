"""Pairs that drop: searched, sorted, taken as CSV; a pool of those ticked, or of all that are found."""

import csv

import pytest
from django.test import Client

from annotation.models import AuditEvent, Pool
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_document

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/quality/pairs"


@pytest.fixture
def people() -> People:
    people = make_people()
    make_worked(people.collection)
    return people


def docnos(client: Client, query: str = "") -> list[str]:
    return [pair.docno for pair in client.get(PAGE + query).context["page_obj"]]


def stored(pool: Pool) -> list[str]:
    return list(pool.pairs.order_by("pk").values_list("document__docno", flat=True))


def test_page_and_file_hold_what_the_address_asks_for(people: People) -> None:
    client = people.client("researcher")
    first = docnos(client)
    assert (len(first), docnos(client, "?sort=-docno")) == (3, sorted(first, reverse=True))
    for query, shown in (
        ("q=D3", ["d3"]),
        ("reason=too_far_apart", ["d3"]),
        ("reason=too_few&sort=docno", sorted({*first} - {"d3"})),
        ("reason=nothing", []),
        ("q=hornet", []),
    ):
        assert docnos(client, f"?{query}") == shown
        rows = list(csv.reader(client.get(f"{PAGE}?{query}&as=csv").getvalue().decode().splitlines()))
        assert rows[0] == ["number", "docno", "reason", "judgments", "min", "median", "max"]
        assert [row[1] for row in rows[1:]] == shown


def test_a_pool_of_those_ticked_and_of_all_found(people: People) -> None:
    client = people.client("researcher")
    ticked = {"name": "again", "which": "ticked", "pair": ['["1", "d3"]', "no key", '["1"]', "5", "[" * 100_000]}
    answer = client.post(f"{PAGE}/pool", ticked)
    pool = Pool.objects.get(name="again")
    assert (answer["Location"], stored(pool)) == (f"/c/bees/pools/{pool.pk}/", ["d3"])
    assert (pool.origin, pool.created_by) == ({"kind": "chosen"}, people.researcher)
    assert "pairs that drop, chosen under Quality" in client.get(answer["Location"]).text
    expected = docnos(client, "?reason=too_few&sort=-docno")
    client.post(f"{PAGE}/pool?reason=too_few&sort=-docno", {"name": "few", "which": "all", "pair": '["1", "d3"]'})
    assert stored(Pool.objects.get(name="few")) == expected
    events = AuditEvent.objects.filter(verb="pool created", actor=people.researcher).order_by("pk")
    assert [(event.subject, event.detail["pairs"]) for event in events] == [("again", 1), ("few", 2)]


def test_what_makes_no_pool_is_said_and_leads_back(people: People) -> None:
    client, n_pools = people.client("admin"), Pool.objects.count()
    make_document(people.collection, "here")
    for entries, reason in (
        ({"name": "x", "which": "ticked"}, "Tick pairs in the table first."),
        ({"name": "", "pair": '["1", "d3"]'}, "This field is required."),
        ({"name": "x", "pair": '["nowhere", "d3"]'}, "the collection has no topic nowhere"),
    ):
        answer = client.post(f"{PAGE}/pool?reason=too_few", entries, follow=True)
        assert ("No pool was made." in answer.text, reason in answer.text) == (True, True), reason
        assert answer.redirect_chain == [(f"{PAGE}?reason=too_few", 302)]
    assert Pool.objects.count() == n_pools
    asked = {who: people.client(who).post(f"{PAGE}/pool", {"name": "x"}).status_code for who in RESEARCH_ONLY}
    assert asked == {who: 302 if status == 200 else status for who, status in RESEARCH_ONLY.items()}
