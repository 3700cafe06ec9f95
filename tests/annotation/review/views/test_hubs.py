"""The page of a topic and that of a document: grades, disagreement, judgments, and who judged."""

import csv
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Adjudication, AdjudicationReading, Annotator, ExclusionEvent, Planting, Slot
from annotation.review.pages.hubs import Hub
from annotation.review.read.judged_pairs import JudgedPair
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_items, make_judgment, make_topic

pytestmark = pytest.mark.django_db

TOPIC, DOCUMENT = "/c/bees/topics/1", "/c/bees/documents/d3"


@pytest.fixture
def started() -> tuple[People, Worked]:
    people = make_people()
    worked = make_worked(people.collection)
    worked.fill()
    return people, worked


def hub_of(people: People, address: str = TOPIC, *, role: str = "researcher", **query: str) -> Hub:
    hub: Hub = people.client(role).get(address, query).context["hub"]
    return hub


def pair_of(hub: Hub, docno: str) -> JudgedPair:
    return next(pair for pair in hub.pairs if pair.docno == docno)


def test_researchers_and_admins_alone_open_hubs(started: tuple[People, Worked]) -> None:
    people, _ = started
    assert (people.statuses(TOPIC), people.statuses(DOCUMENT)) == (RESEARCH_ONLY, RESEARCH_ONLY)


def test_a_topic_shows_its_documents_by_grade(started: tuple[People, Worked]) -> None:
    people, _ = started
    response = people.client("researcher").get(TOPIC)
    hub, rows = response.context["hub"], response.context["rows"]
    assert [(row.row.pair.docno, row.row.pair.grade, row.row.pair.steps) for row in rows] == [
        ("d4", 4, 0),
        ("d1", 3, 3),
        ("d2", 2, 1),
        ("d3", 1, 2),
        ("d5", 1, 0),
    ]
    assert (hub.n_judgments, len(hub.people), hub.n_far, hub.n_compared) == (17, 4, 2, 5)
    assert [(each.key, each.n) for each in hub.by_grade] == [("4", 1), ("3", 1), ("2", 1), ("1", 2)]
    assert 'href="/c/bees/documents/d4"' in response.text
    assert 'href="/c/bees/quality/annotators/Dune/"' in response.text


@pytest.mark.both("reads")
def test_a_topic_says_how_often_people_agree(started: tuple[People, Worked]) -> None:
    people, _ = started
    person = {row.pseudonym: row for row in hub_of(people).people}["Birch"]  # d1: 3 3 0 3, d2: 2 3 2 2, d3: 0 2 1 1
    assert (person.n, person.n_same, person.n_compared, person.percent) == (3, 2, 9, 22)


@pytest.mark.both("reads")
def test_a_document_shows_its_topics_and_grades(started: tuple[People, Worked]) -> None:
    people, worked = started
    other = make_topic(people.collection, "2", title="wasps")
    (item,) = make_items(worked.batch, other, [worked.items["d3"].document])
    make_judgment(item, worked.people["Amber"], 4)
    response = people.client("researcher").get(DOCUMENT)
    rows = [row.row for row in response.context["rows"]]
    assert [(row.pair.number, row.title, row.pair.grade) for row in rows] == [
        ("2", "wasps", 4),
        ("1", rows[1].title, 1),
    ]
    assert 'href="/c/bees/topics/2"' in response.text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"grade": "1"}, ["d3", "d5"]),
        ({"grade": "none"}, []),
        ({"grade": "x"}, []),
        ({"sort": "-steps"}, ["d1", "d3", "d2", "d4", "d5"]),
        ({"sort": "judgments"}, ["d5", "d4", "d1", "d2", "d3"]),
        ({"sort": "pk"}, ["d4", "d1", "d2", "d3", "d5"]),
        ({"sort": "docno"}, ["d1", "d2", "d3", "d4", "d5"]),
        ({"q": "D3"}, ["d3"]),
        ({"page": "9"}, ["d4", "d1", "d2", "d3", "d5"]),
    ],
)
def test_rows_are_chosen_and_sorted(started: tuple[People, Worked], query: dict[str, str], expected: list[str]) -> None:
    people, _ = started
    rows = people.client("researcher").get(TOPIC, query).context["rows"]
    assert [row.row.pair.docno for row in rows] == expected


def test_what_does_not_count_stands_aside_with_its_reason(started: tuple[People, Worked]) -> None:
    people, worked = started
    machine = Annotator.objects.create(collection=people.collection, pseudonym="model", kind=Annotator.Kind.MACHINE)
    make_judgment(worked.items["d5"], machine, 4)
    worked.judge("d5", "Amber", 4, blind=False)
    worked.judge("d5", "Birch", 4, surplus=True)
    worked.judge("d4", "Birch", 9)
    ExclusionEvent.objects.create(
        collection=people.collection, annotator=worked.people["Dune"], action="exclude", reason="asleep"
    )
    hub = hub_of(people)
    asides = {each.pseudonym: each.aside for each in pair_of(hub, "d5").judgments}
    assert asides == {
        "Amber": "not blind",
        "Birch": "too late",
        "Cedar": "",
        "Dune": "excluded",
        "model": "machine judge",
    }
    assert {each.aside for each in pair_of(hub, "d4").judgments if each.pseudonym == "Birch"} == {"could not judge"}
    assert (pair_of(hub, "d5").grade, pair_of(hub, "d5").steps) == (1, None)


def test_the_last_judgment_of_a_person_holds_and_a_repeat_does_not(started: tuple[People, Worked]) -> None:
    people, worked = started
    worked.judge("d5", "Dune", 3)
    make_judgment(worked.items["d5"], worked.people["Cedar"], 4, reading=2)
    assert [each.grade for each in pair_of(hub_of(people), "d5").judgments] == [1, 3]


def test_attention_checks_are_left_out_and_gold_is_named(started: tuple[People, Worked]) -> None:
    people, worked = started
    check = worked.add_item("check", planted=Planting.Purpose.CHECK)
    make_judgment(check, worked.people["Amber"], 4)
    assert [pair.docno for pair in hub_of(people).pairs if pair.docno == "check"] == []
    gold = hub_of(people, "/c/bees/topics/g")
    assert (gold.n_gold, len(gold.pairs)) == (20, 20)


@pytest.mark.both("reads")
def test_admins_see_no_grade_of_what_they_may_decide(started: tuple[People, Worked]) -> None:
    people, _ = started
    researcher, admin = hub_of(people), hub_of(people, role="admin")
    assert researcher.n_kept == 0
    kept = {pair.docno for pair in admin.pairs if pair.is_kept}
    assert kept == {"d1", "d3", "d4", "d5"}  # d2 has two believed people one step apart
    for pair in admin.pairs:
        assert pair.is_kept == all(each.grade is None for each in pair.judgments)
    assert {each.pseudonym for each in pair_of(admin, "d3").judgments} == {"Amber", "Birch", "Cedar", "Dune"}
    assert [pair.is_kept for pair in hub_of(people, DOCUMENT, role="admin").pairs] == [True]
    html = people.client("admin").get(TOPIC).text
    assert "Grades of 4 pairs are not shown to you: they are still being judged or wait for a" in " ".join(html.split())


def test_admins_see_grades_once_they_have_decided_or_looked(started: tuple[People, Worked]) -> None:
    people, worked = started
    item, admin = worked.items["d3"], people.admin
    pair = {"collection": people.collection, "topic": item.topic, "document": item.document, "scale": item.scale}
    Adjudication.objects.create(**pair, grade=4, reason="says so", created_by=admin)
    looked = worked.items["d1"]
    AdjudicationReading.objects.create(
        **{**pair, "document": looked.document},
        criterion="relevance",
        reader=admin,
        opened_at=timezone.now(),
        held_until=timezone.now(),
        seen_at=timezone.now(),
    )
    hub = hub_of(people, role="admin")
    assert {pair.docno for pair in hub.pairs if pair.is_kept} == {"d4", "d5"}
    assert (pair_of(hub, "d3").grade, pair_of(hub, "d3").decided, hub.n_decided) == (4, 4, 1)


def test_a_link_to_decide_stands_only_beside_pairs_whose_grades_were_not_shown(started: tuple[People, Worked]) -> None:
    people, _ = started
    links = re.findall(r"/quality/pair[^\"]*docno=(\w+)", people.client("admin").get(TOPIC).text)
    assert sorted(links) == ["d1", "d3", "d4", "d5"]
    assert "docno=" not in people.client("researcher").get(TOPIC).text


def test_admins_see_no_grade_of_what_is_still_judged(started: tuple[People, Worked]) -> None:
    people, worked = started
    assert not pair_of(hub_of(people, role="admin"), "d2").is_kept
    item = worked.items["d2"]
    Slot.objects.create(collection=people.collection, batch=worked.batch, item=item, n=90, block=item.block)
    assert pair_of(hub_of(people, role="admin"), "d2").is_kept


@pytest.mark.parametrize("role", ["admin", "researcher"])
def test_a_hub_costs_the_same_however_many(started: tuple[People, Worked], role: str) -> None:
    people, worked = started
    client = people.client(role)
    client.get(TOPIC)
    with CaptureQueriesContext(connection) as few:
        client.get(TOPIC)
    for n in range(30):
        worked.add_item(f"more{n:02}")
        worked.judge(f"more{n:02}", "Amber", n % 5)
    client.get(TOPIC)
    with CaptureQueriesContext(connection) as many:
        response = client.get(TOPIC)
    assert (len(response.context["rows"]), len(many)) == (35, len(few))


def test_the_pairs_found_are_a_file_that_keeps_from_admins_what_the_page_keeps(started: tuple[People, Worked]) -> None:
    people, _ = started

    def rows(role: str, **query: str) -> list[list[str]]:
        answer = people.client(role).get(TOPIC, {**query, "as": "csv"})
        return list(csv.reader(answer.getvalue().decode().splitlines()))

    assert rows("researcher", q="d1 ", columns="said") == [
        ["docno", "said"],
        ["d1", "3: Amber, Birch, Dune; 0: Cedar"],
    ]
    assert rows("admin", q="d3") == [
        ["docno", "grade", "steps", "judgments", "said"],
        ["d3", "", "", "4", "Amber, Birch, Cedar, Dune"],
    ]
