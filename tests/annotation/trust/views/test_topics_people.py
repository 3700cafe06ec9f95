"""The heat map of topics and people on quality's agreement part."""

import csv
import io
import re

import pytest
from django.test import Client

from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db
PAGE, TABLE = "/c/bees/quality/agreement", "/c/bees/quality/topics-people.csv"


def started(answers: dict[tuple[str, str], list[int]]) -> Client:
    """By topic and person, a grade for each document of the topic."""
    people = make_people()
    lines = (
        f"{t}\t{t}-{n}\t{name}\t{grade}\n" for (t, name), grades in answers.items() for n, grade in enumerate(grades)
    )
    stored(people.collection, "judgments", "query\tdocno\tannotator\tgrade\n" + "".join(lines), name="crowd")
    return people.client("admin")


def rows(client: Client) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(TABLE).getvalue().decode())))


def test_squares_say_their_figures_and_names_lead_on() -> None:
    client = started({("1", "A"): [0] * 6, ("1", "B"): [0] * 6, ("2", "A"): [0] * 6, ("2", "B"): [0, 0, 0, 4, 4, 4]})
    page = client.get(PAGE)
    plot = page.context["map"].drawn
    assert [row.name for row in plot.rows] == ["2", "1"]
    assert [square.percent for square in plot.squares] == ["50", "50", "100", "100"]
    assert page.text.count("B on topic 2: 50 % over 6 pairs") == 2  # wide and narrow
    links = set(re.findall(r'<a href="(/c/bees/(?:topics|quality/annotators)/[^"]+)"', page.text))
    assert {link.partition("?")[0] for link in links} >= {"/c/bees/quality/annotators/A/", "/c/bees/topics/2"}
    assert all(client.get(link.replace("&amp;", "&")).status_code == 200 for link in links)


def test_the_file_has_what_is_drawn_and_what_rests_on_too_little() -> None:
    """On topic 2 the third judged two pairs."""
    alike = {(topic, name): [0] * 6 for topic in "12" for name in ("=A", "B", "C")}
    client = started({**alike, ("1", "B"): [0, 0, 0, 4, 4, 4], ("2", "C"): [0, 0]})
    assert [",".join(row.values()) for row in rows(client)] == [
        "1,B,6,0.5000",
        "1,C,6,0.7500",
        "1,'=A,6,0.7500",
        "2,B,6,1.0000",
        "2,C,2,1.0000",
        "2,'=A,6,1.0000",
    ]
    assert len(client.get(PAGE).context["map"].drawn.squares) == 5


def test_many_are_said_to_be_chosen() -> None:
    answers = {(f"{t}", f"p{n:02}"): [n == t % 25] * 5 for t in range(32) for n in range(22)}
    client = started({at: list(map(int, grades)) for at, grades in answers.items()})
    page = client.get(PAGE)
    plot = page.context["map"].drawn
    assert (len(plot.rows), len(plot.columns)) == (30, 20)
    assert "30 of 32 topics" in page.context["map"].words
    assert "20 of 22 people" in page.context["map"].words
    assert len(rows(client)) == 600


def test_nothing_is_drawn_where_nobody_shares_enough() -> None:
    client = started({("1", "A"): [0] * 6, ("2", "B"): [0] * 6, ("3", "A"): [0] * 4, ("3", "B"): [0] * 4})
    assert client.get(PAGE).context["map"] is None
    assert rows(client) == []


def test_the_example_of_the_docs() -> None:
    people = make_people()
    make_worked(people.collection)
    assert "Topics and people" in people.client("researcher").get(PAGE).text
