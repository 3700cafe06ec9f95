"""Lists that people work with, by the list of runs: what the address asks for is what page and file show."""

import csv
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from annotation.models import SavedView
from evaluation.models import Run
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, People, make_people

pytestmark = pytest.mark.django_db

LIST = "/c/bees/runs/"
ROWS = {"bm25": 30, "dense": 10, "dense-large": 20}


@pytest.fixture
def people() -> People:
    people = make_people()
    for tag, n_rows in ROWS.items():
        words = f"What {tag} found."
        Run.objects.create(
            collection=people.collection, tag=tag, description=words, sha256="0" * 64, n_topics=1, n_rows=n_rows
        )
    return people


def tags(client: Client, **query: Any) -> list[str]:
    return [run.tag for run in client.get(LIST, query).context["page_obj"]]


def as_csv(client: Client, **query: Any) -> list[list[str]]:
    answer = client.get(LIST, {**query, "as": "csv"})
    assert 'filename="bees-runs.csv"' in answer["Content-Disposition"]
    return list(csv.reader(answer.getvalue().decode().splitlines()))


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({}, ["bm25", "dense", "dense-large"]),
        ({"sort": "rows"}, ["dense", "dense-large", "bm25"]),
        ({"sort": "-rows"}, ["bm25", "dense-large", "dense"]),
        ({"sort": "-tag"}, ["dense-large", "dense", "bm25"]),
        ({"sort": "created_by__password"}, ["bm25", "dense", "dense-large"]),
        ({"q": " DENSE  large "}, ["dense-large"]),
        ({"q": "what found", "sort": "-rows"}, ["bm25", "dense-large", "dense"]),
        ({"q": "x'%_"}, []),
        ({"page": "x"}, ["bm25", "dense", "dense-large"]),
    ],
)
def test_page_and_file_hold_what_the_address_asks_for(people: People, query: dict[str, str], shown: list[str]) -> None:
    client = people.client("researcher")
    assert tags(client, **query) == shown
    assert [row[0] for row in as_csv(client, **query)[1:]] == shown


def sort_menu(page: str) -> dict[str, str]:
    """The address behind each entry, by its text without its sign."""
    menu = page.partition('class="menu sort-choice"')[2].partition("</details>")[0]
    return {text: unescape(address) for address, text in re.findall(r'href="([^"]*)">([^<]+)', menu)}


def test_without_heads_rows_are_sorted_by_a_menu_and_put_back_into_their_usual_order(people: People) -> None:
    client = people.client("researcher")
    menu = sort_menu(client.get(LIST, {"columns": ["tag", "rows"], "page": "2"}).text)
    assert menu == {"Tag": "?columns=tag&columns=rows&sort=tag", "Rows": "?columns=tag&columns=rows&sort=-rows"}
    page = client.get(LIST, {"q": "dense", "sort": "-rows"}).text
    menu = sort_menu(page)
    assert (menu["Usual order"], menu["Rows"]) == ("?q=dense", "?q=dense&sort=rows")
    assert page.count('href="?q=dense">Usual order</a>') == 2  # on a phone in the menu, else over the heads


def test_columns_are_chosen_and_the_one_that_names_a_row_stays(people: People) -> None:
    client = people.client("researcher")
    assert as_csv(client)[0] == ["tag", "topics", "rows", "tied", "by", "imported"]
    chosen = as_csv(client, columns=["description", "rows", "nonsense"], q="bm25")
    assert chosen == [["tag", "rows", "description"], ["bm25", "30", "What bm25 found."]]
    asked: dict[str, Any] = {"columns": ["rows"], "q": "bm25", "sort": "-rows"}
    page = client.get(LIST, asked).text
    for name, value in (("columns", "rows"), ("q", "bm25"), ("sort", "-rows")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert 'aria-sort="descending"' in page


def test_nothing_found_leads_back_to_everything(people: People) -> None:
    page = people.client("researcher").get(LIST, {"q": "nobody"}).text
    assert ("Nothing found" in page, "No runs yet" in page, 'href="?page=1"' in page) == (True, False, True)


def test_a_filter_that_is_none_shows_nothing(people: People) -> None:
    client = people.client("admin")
    assert list(client.get("/c/bees/batches/", {"state": "closed' OR 1=1"}).context["page_obj"]) == []


def test_ten_thousand_rows_are_a_page_of_fifty(people: People) -> None:
    Run.objects.bulk_create(
        Run(collection=people.collection, tag=f"r{n:05}", n_topics=1, n_rows=n, sha256="0" * 64) for n in range(10_000)
    )
    client = people.client("researcher")
    page = client.get(LIST, {"sort": "-rows", "page": "2"})
    assert [run.tag for run in page.context["page_obj"]][:2] == ["r09949", "r09948"]
    assert "51–100 of 10,003" in page.text
    assert len(as_csv(client, sort="-rows")) == 10_004


def test_a_list_is_kept_under_a_name_and_shared_by_its_address(people: People) -> None:
    client, other = people.client("researcher"), people.client("admin")
    entries = {"page": "runs", "name": "Largest", "query": "sort=-rows&q=dense&page=3&as=csv"}
    answer = client.post("/c/bees/views", entries)
    address = "/c/bees/runs/?sort=-rows&q=dense"
    assert answer["Location"] == address
    assert f'<a href="{address.replace("&", "&amp;")}">Largest</a>' in client.get(LIST).text
    assert [run.tag for run in other.get(address).context["page_obj"]] == ["dense-large", "dense"]
    assert (other.get(LIST).context["views"], client.get("/c/bees/batches/").context["views"]) == ([], [])
    client.post("/c/bees/views", {**entries, "query": "sort=tag"})
    (kept,) = caller(people.researcher).get("/api/v1/collections/bees/views").json()["results"]
    assert (kept["name"], kept["address"]) == ("Largest", "/c/bees/runs/?sort=tag")
    assert [other.post(f"/c/bees/views/{kept['id']}/{deed}").status_code for deed in ("rename", "delete")] == [404, 404]
    assert client.post(f"/c/bees/views/{kept['id']}/delete")["Location"] == LIST
    assert SavedView.objects.count() == 0


def test_a_view_is_renamed_unless_another_of_the_list_has_the_name(people: People) -> None:
    client, api = people.client("researcher"), caller(people.researcher)
    for page, name in (("runs", "Largest"), ("runs", "Taken"), ("batches", "By size")):
        client.post("/c/bees/views", {"page": page, "name": name, "query": "sort=-rows"})
    view = SavedView.objects.get(name="Largest")
    renamed = f"/c/bees/views/{view.pk}/rename"
    answer = client.post(renamed, {"name": "By size"}, follow=True)
    assert (answer.redirect_chain, "Renamed to By size." in answer.text) == ([(f"{LIST}?sort=-rows", 302)], True)
    for wrong in ("Taken", "", "n" * 61):
        assert "Not renamed: " in client.post(renamed, {"name": wrong}, follow=True).text
        sent = api.patch(f"/api/v1/collections/bees/views/{view.pk}", {"name": wrong}, content_type="application/json")
        assert (sent.status_code, [*sent.json()["errors"]]) == (400, ["name"])
    view.refresh_from_db()
    assert view.name == "By size"
    assert client.post(renamed, {"name": "By size"}).status_code == 302  # its own name is not taken


def test_who_may_keep_views_and_of_which_lists(people: People) -> None:
    entries = {"page": "runs", "name": "x", "query": ""}
    posted = {who: people.client(who).post("/c/bees/views", entries).status_code for who in RESEARCH_ONLY}
    assert posted == {who: 302 if status == 200 else status for who, status in RESEARCH_ONLY.items()}
    for wrong in ({"page": "https://evil.example"}, {"page": "logout"}, {"name": ""}, {"query": "q" * 1001}):
        answer = people.client("admin").post("/c/bees/views", {**entries, **wrong})
        assert answer["Location"] == "/c/bees/"
    assert set(SavedView.objects.values_list("name", flat=True)) == {"x"}
