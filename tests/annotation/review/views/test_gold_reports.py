"""What the gold pages say of gold itself: balance, wear, suspects, supply; and all of it as a table."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold.pages import verdicts
from annotation.gold.read.judged import judged_gold
from annotation.models import Assignment, Batch, Collection, GoldEvent, Planting, Slot
from tests.annotation.campaign import make_campaign
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_gold, make_judgment

pytestmark = pytest.mark.django_db

TABLES = ("balance", "suspects", "answers", "supply", "batches")
PAGES = ("suspects", "supply", "gold.csv", *(f"{table}.csv" for table in TABLES))


def beginning() -> tuple[People, Worked]:
    """The worked example, and a gold pair on which all four gave 4, as Amber, Birch and Dune do well elsewhere."""
    people = make_people()
    worked = make_worked(people.collection)
    return people, worked


def add_suspect(worked: Worked) -> GoldEvent:
    item = worked.add_item("WRONG", number="g", planted=Planting.Purpose.GOLD)
    for name in worked.people:
        worked.judge("WRONG", name, 4)
    return make_gold(item, 0)


def verdicts_of(collection: Collection) -> list[tuple[str, str]]:
    assert collection.scale is not None
    rows = verdicts(collection, judged_gold(collection), collection.scale, threshold=0.7)
    return [(verdict.tone, verdict.words) for verdict in rows]


def test_who_may_look() -> None:
    people, _ = beginning()
    for page in PAGES:
        assert people.statuses(f"/c/bees/gold/{page}") == RESEARCH_ONLY


def test_gold_that_one_answer_passes_is_not_balanced() -> None:
    people, worked = beginning()
    worked.collection.refresh_from_db()
    pairs = verdicts_of(people.collection)
    assert pairs[0][0] == "bad"
    assert "always answers 1 is right on 100 % of the gold without reading; 70 % is reliable" in pairs[0][1]
    assert [words.split(":")[0] for _, words in pairs[1:]] == [
        "No gold of grade 0, 2, 3 and 4",
        "1 of 2 topics has no gold",
        "1 topic has gold of one grade alone",
    ]
    page = people.client("researcher").get("/c/bees/gold/").text
    assert "so they would pass" in page


def test_gold_of_every_grade_and_topic_is_balanced() -> None:
    campaign = make_campaign(n_topics=2, n_gold=5)
    ((tone, words),) = verdicts_of(campaign.collection)
    assert tone == "ok"
    assert "always answering 0 would be right on no more than 20 % of it" in words


def test_suspects_come_with_their_reason_and_what_good_people_gave() -> None:
    people, worked = beginning()
    add_suspect(worked)
    answer = people.client("researcher").get("/c/bees/gold/suspects")
    (suspect,) = answer.context["shown"]
    assert (suspect.event.document.docno, suspect.n_judged, suspect.n_missed) == ("WRONG", 4, 4)
    assert (suspect.n_good, suspect.n_good_missed, suspect.better, suspect.is_next) == (2, 2, 4, False)
    assert [(each.grade, each.n, each.n_good) for each in suspect.grades if each.n] == [(4, 4, 2)]
    assert [witness.pseudonym for witness in suspect.witnesses] == ["Dune", "Amber", "Birch", "Cedar"]
    assert "2 of 2 good annotators missed it, and 4 of 4 people in all" in answer.text
    assert "Most of those who missed gave <strong>4</strong>: the gold grade is likely wrong." in answer.text
    assert "Withdraw" not in answer.text.replace("Withdraw it, or", "")
    admin = people.client("admin").get("/c/bees/gold/suspects").text
    assert "number=g&amp;docno=WRONG&amp;grade=4" in admin
    assert "number=g&amp;docno=WRONG&amp;accept=4" in admin


def test_what_is_proposed_stands_in_the_form() -> None:
    people, worked = beginning()
    add_suspect(worked)
    pair = {"number": "g", "docno": "WRONG"}
    form = people.client("admin").get("/c/bees/gold/set", {**pair, "grade": "4"}).context["form"]
    assert (form["grade"].value(), form["accepted"].value()) == (4, [])
    form = people.client("admin").get("/c/bees/gold/set", {**pair, "accept": "4"}).context["form"]
    assert (form["grade"].value(), form["accepted"].value()) == (0, [4])
    form = people.client("admin").get("/c/bees/gold/set", {**pair, "grade": "x", "accept": "-"}).context["form"]
    assert (form["grade"].value(), form["accepted"].value()) == (0, [])


def test_the_table_says_how_worn_each_pair_is() -> None:
    people, worked = beginning()
    add_suspect(worked)
    near = worked.add_item("NEAR", number="g", planted=Planting.Purpose.GOLD)
    for grade, name in zip((3, 2, 2, 1), worked.people, strict=True):
        worked.judge("NEAR", name, grade)
    make_gold(near, 3)
    make_judgment(worked.items["WRONG"], make_annotator(worked.collection, pseudonym="Elm"), -2)  # seen, not judged
    rows = people.client("admin").get("/c/bees/gold/").context["rows"]
    worn = {each.row.event.document.docno: each.row for each in rows}
    assert (worn["WRONG"].n_seen, worn["WRONG"].n_judged, worn["WRONG"].n_right) == (5, 4, 0)
    assert (worn["G00"].n_judged, worn["G00"].n_right, worn["G00"].n_near, worn["G00"].is_suspect) == (4, 4, 4, False)
    assert (worn["NEAR"].n_judged, worn["NEAR"].n_right, worn["NEAR"].n_near) == (4, 1, 3)
    assert worn["WRONG"].is_suspect
    assert "suspect" in people.client("admin").get("/c/bees/gold/").text


@pytest.mark.both("text")
def test_the_table_is_searched_and_sorted_by_what_became_of_the_pairs() -> None:
    people, worked = beginning()
    event = add_suspect(worked)
    GoldEvent.objects.filter(pk=event.pk).update(reason="Read by two")
    client = people.client("researcher")

    def docnos(**query: str) -> list[str]:
        return [each.row.document.docno for each in client.get("/c/bees/gold/", query).context["rows"]]

    assert docnos(sort="right")[0] == docnos(sort="-evidence_against")[0] == "WRONG"
    assert docnos(sort="-judged", q="g1", grade="1") == [f"G{n}" for n in range(10, 20)]
    assert docnos(sort="-docno")[:2] == ["WRONG", "G19"]
    assert docnos(q="READ two") == docnos(grade="0", sort="seen") == ["WRONG"]
    assert docnos(grade="7") == docnos(grade="7", sort="seen") == []
    query = {"sort": "right", "columns": ["judged", "right"], "as": "csv"}
    answer = client.get("/c/bees/gold/", query)
    lines = answer.getvalue().decode().splitlines()
    assert (answer["Content-Disposition"], lines[:2]) == (
        'attachment; filename="bees-gold.csv"', ["number,judged,right", "g,4,0"]
    )  # fmt: skip


def test_the_table_goes_out_as_csv() -> None:
    people, worked = beginning()
    event = add_suspect(worked)
    GoldEvent.objects.filter(pk=event.pk).update(reason="=1+1", accepted=[0, 1])
    answer = people.client("researcher").get("/c/bees/gold/gold.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="bees-gold.csv"'
    rows = {row["docno"]: row for row in csv.DictReader(io.StringIO(answer.getvalue().decode()))}
    assert len(rows) == 21
    wrong = rows["WRONG"]
    assert (wrong["number"], wrong["grade"], wrong["accepted"], wrong["judged"]) == ("g", "0", "0 1", "4")
    assert (wrong["right"], wrong["suspect"], wrong["reason"]) == ("0", "yes", "'=1+1")
    assert float(wrong["evidence_against"]) > 3 > float(rows["G00"]["evidence_against"])
    assert rows["G19"]["judged"] == "1"


def test_every_table_goes_out_as_csv() -> None:
    people, worked = beginning()
    add_suspect(worked)
    worked.batch.name = "=1+1"
    worked.batch.save()
    client = people.client("researcher")
    answers = {table: client.get(f"/c/bees/gold/{table}.csv") for table in TABLES}
    assert {answer.headers["Content-Type"] for answer in answers.values()} == {"text/csv; charset=utf-8"}
    assert answers["supply"].headers["Content-Disposition"] == 'attachment; filename="bees-gold-supply.csv"'
    rows = {table: list(csv.DictReader(io.StringIO(answer.getvalue().decode()))) for table, answer in answers.items()}
    assert [tuple(row.values()) for row in rows["balance"]] == [
        ("g", "0", "1"), ("g", "1", "20"), ("g", "2", "0"), ("g", "3", "0"), ("g", "4", "0"),
    ]  # fmt: skip
    (suspect,) = rows["suspects"]
    assert (suspect["docno"], suspect["judged"], suspect["missed"], suspect["good"]) == ("WRONG", "4", "4", "2")
    assert (suspect["proposed"], float(suspect["evidence_against"]) > 3) == ("4", True)
    assert [row["annotator"] for row in rows["answers"]] == ["Dune", "Amber", "Birch", "Cedar"]
    assert {(row["grade"], row["right"]) for row in rows["answers"]} == {("4", "no")}
    supply = {row["annotator"]: tuple(row.values())[1:] for row in rows["supply"]}
    assert supply["A-ONE"] == ("needs another batch", "10", "0", "0", "21", "0")
    assert [tuple(row.values())[:3] for row in rows["batches"]] == [("'=1+1", "4", "21")]
    assert client.get("/c/bees/gold/nothing.csv").status_code == 404


def test_supply_says_who_cannot_come_to_enough() -> None:
    """Twenty gold pairs; ten are wanted. Amber has ten judged, Dune eight, and two that are kept for her."""
    people, worked = beginning()
    make_annotator(people.collection, people.researcher, "A-SEEING")  # gold says nothing of who may look it up
    for docno in ("G08", "G09"):
        Slot.objects.filter(item=worked.items[docno], n=0).update(reserved_for=worked.people["Dune"], due=0)
    supply = people.client("researcher").get("/c/bees/gold/supply").context["supply"]
    rows = {row.pseudonym: (row.n_judged, row.n_ahead, row.n_left, row.state) for row in supply.people}
    assert rows == {
        "A-ONE": (0, 0, 20, "needs another batch"),
        "Amber": (10, 0, 10, "has enough"),
        "Birch": (20, 0, 0, "has enough"),
        "Cedar": (12, 0, 8, "has enough"),
        "Dune": (8, 2, 10, "on the way"),
    }
    (batch,) = supply.batches
    assert (batch.n_people, batch.n_pairs, batch.n_ahead, batch.n_short) == (4, 20, 2, 0)
    Batch.objects.update(state=Batch.State.CLOSED)  # what was kept in it comes to nobody any more
    closed = people.client("researcher").get("/c/bees/gold/supply").context["supply"]
    assert [(row.n_ahead, row.n_left) for row in closed.people if row.pseudonym == "Dune"] == [(0, 12)]
    Batch.objects.update(state=Batch.State.OPEN)
    for docno in list(worked.items)[:15]:
        if docno.startswith("G"):
            item = worked.items[docno]
            GoldEvent.objects.create(
                collection=worked.collection, topic=item.topic, document=item.document, scale=item.scale,
                action="withdraw",
            )  # fmt: skip
    page = people.client("researcher").get("/c/bees/gold/supply")
    short = {row.pseudonym: row.n_missing for row in page.context["supply"].cannot}
    assert short == {"A-ONE": 5, "Amber": 5, "Birch": 5, "Cedar": 5, "Dune": 3}
    assert page.context["supply"].n_to_set == 5
    assert "5 more gold pairs would be enough for everybody" in page.text


def test_the_pages_say_what_they_have_not_got() -> None:
    people = make_people()
    client = people.client("admin")
    assert "No gold stands out" in client.get("/c/bees/gold/suspects").text
    assert "A-ONE" in client.get("/c/bees/gold/supply").text
    assert client.get("/c/bees/gold/gold.csv").getvalue().count(b"\r\n") == 1


def test_judgments_on_gold_are_read_once_a_page() -> None:
    people, worked = beginning()
    add_suspect(worked)
    client = people.client("admin")
    for page in ("", "suspects", "supply", "supply.csv"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/c/bees/gold/{page}").status_code == 200
        read = [query["sql"] for query in seen if '"annotation_judgment"."grade"' in query["sql"]]
        assert len(read) == 1, page


def test_the_number_of_queries_does_not_grow() -> None:
    people, worked = beginning()
    client = people.client("admin")

    def queries() -> list[int]:
        counts = []
        for page in ("", *PAGES):
            with CaptureQueriesContext(connection) as seen:
                assert client.get(f"/c/bees/gold/{page}").status_code == 200
            counts.append(len(seen))
        return counts

    add_suspect(worked)
    one = queries()
    for docno in ("W2", "W3"):
        item = worked.add_item(docno, number="g", planted=Planting.Purpose.GOLD)
        for name in worked.people:
            worked.judge(docno, name, 4)
        make_gold(item, 0)
    assert Assignment.objects.count() > 60
    assert queries() == one


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"sort": "annotator"}, ["A-ONE", "Amber", "Birch", "Cedar", "Dune"]),
        ({"gold": "needs another batch"}, ["Dune", "A-ONE"]),
        ({"gold": "plenty"}, []),
        ({"q": "AM"}, ["Amber"]),
        ({"sort": "-judged", "gold": "has enough"}, ["Birch", "Cedar", "Amber"]),
    ],
)
def test_people_are_looked_for_and_sorted_by_their_gold(query: dict[str, str], expected: list[str]) -> None:
    people, _ = beginning()
    client = people.client("researcher")
    names = [each.row.pseudonym for each in client.get("/c/bees/gold/supply", query).context["rows"]]
    assert sorted(names) == sorted(expected)
    assert "sort" not in query or names == expected
    lines = client.get("/c/bees/gold/supply", {**query, "as": "csv"}).getvalue().decode().splitlines()
    assert (lines[0], len(lines)) == ("annotator,state,judged,to_come,left,missing", 1 + len(expected))
