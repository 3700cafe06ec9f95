"""The tables of the quality page as files."""

import csv

import pytest

from annotation.trust.pages.coefficients import ALPHA
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db


def test_every_table_under_the_chosen_policy() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    worked.add_item("=D1")
    worked.people["Birch"].pseudonym = "=1+1"
    worked.people["Birch"].save()
    client = people.client("researcher")
    query = f"?batch={worked.batch.token}&policy=default+v1"
    lines = {
        table: client.get(f"/c/bees/quality/{table}.csv{query}").getvalue().decode().splitlines()
        for table in ("coefficients", "topics", "grades", "dropped")
    }
    assert lines["topics"] == [
        "number,compared_pairs,exact,pairwise,kept_pairs,pairs",
        "1,5,0.4000,0.6333,2,6",
        "g,0,,,20,20",
    ]
    assert [line for line in lines["grades"] if line.startswith("'=1+1")] == [
        "'=1+1,0,0",
        "'=1+1,1,14",
        "'=1+1,2,1",
        "'=1+1,3,2",
        "'=1+1,4,6",
    ]
    head, odd, first, *_ = csv.reader(lines["dropped"])
    assert head == ["number", "docno", "reason", "judgments", "min", "median", "max"]
    assert (first[:2], first[4:]) == (["1", "d3"], ["0", "1.0000", "2"])
    assert odd == ["1", "=D1", "no judgment counts, 2 reliable needed", "0", "", "", ""]
    coefficients = {row["coefficient"]: row for row in csv.DictReader(lines["coefficients"])}
    alpha = coefficients[ALPHA.name]
    assert (alpha["pairs"], alpha["judgments"], alpha["low_over_topics"], alpha["reason"]) == ("5", "17", "", "")
    assert float(alpha["low_over_documents"]) < float(alpha["value"]) < float(alpha["high_over_documents"])


def test_topics_are_in_the_order_of_their_numbers() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    for number in ("11", "2", "10"):
        item = worked.add_item(f"D{number}", number=number)
        worked.judge(item.document.docno, "Amber", 1)
    lines = people.client("researcher").get("/c/bees/quality/topics.csv").getvalue().decode().splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["1", "2", "10", "11", "g"]


def test_a_table_that_there_is_not_and_nothing_judged() -> None:
    people = make_people()
    client = people.client("admin")
    assert client.get("/c/bees/quality/topics.csv").status_code == 404
    make_worked(people.collection)
    assert client.get("/c/bees/quality/nothing.csv").status_code == 404


def test_who_may_take_them_away() -> None:
    people = make_people()
    make_worked(people.collection)
    assert people.statuses("/c/bees/quality/topics.csv") == RESEARCH_ONLY


def test_who_gets_no_cards_and_what_nobody_could_judge() -> None:
    people = make_people()
    worked = make_worked(people.collection)
    client = people.client("researcher")
    assert client.get("/c/bees/quality/held.csv").getvalue().decode().splitlines() == [
        "annotator,action,by,reason,told,at"
    ]
    exclude_annotator(worked.people["Dune"], reason="=1+1", actor=people.admin)
    (line,) = csv.DictReader(client.get("/c/bees/quality/held.csv").getvalue().decode().splitlines())
    assert (line["annotator"], line["action"], line["by"], line["reason"]) == ("Dune", "Excluded", "lead", "'=1+1")
    assert client.get("/c/bees/quality/proposed.csv").getvalue().decode().splitlines()[0] == "annotator,rule,reason"
    item = worked.items["d1"]
    item.withheld = True
    item.save()
    head, *lines = client.get("/c/bees/quality/withheld.csv").getvalue().decode().splitlines()
    assert (head, lines) == ("number,docno,said,decided", ["1,d1,,"])
    assert people.statuses("/c/bees/quality/held.csv") == RESEARCH_ONLY
    assert people.statuses("/c/bees/quality/withheld.csv") == RESEARCH_ONLY


def test_how_often_the_rules_err() -> None:
    """The same shares as the page *Pausing* writes in percent."""
    people = make_people()
    client = people.client("researcher")
    errs = client.get("/c/bees/quality/pausing").context["errs"]
    rows = list(csv.DictReader(client.get("/c/bees/quality/accuracy-errors.csv").getvalue().decode().splitlines()))
    assert [row["golds"] for row in rows[:3]] == [str(n) for n in (errs.min_gold, *errs.within)]
    percentages = [float(share.strip("<\u2009 %\u202f")) for row in errs.accuracy for share in (row.first, *row.within)]
    assert [100 * float(row["found_unreliable"]) for row in rows] == pytest.approx(percentages, abs=0.06)
    assert rows[0]["true_rate"] == "0.9500"
    speed = list(csv.DictReader(client.get("/c/bees/quality/speed-errors.csv").getvalue().decode().splitlines()))
    assert [row["spreads"] for row in speed if not row["people"]] == ["2.0000", "2.5000", "3.0000", "4.0000"]
    assert [row["people"] for row in speed if row["spreads"] == "3.0000"] == ["", "5", "10", "20", "50"]
    assert 0.02 < float(speed[0]["by_chance"]) < 0.03


def test_how_often_the_watch_errs() -> None:
    people = make_people()
    rows = list(
        csv.DictReader(
            people.client("researcher").get("/c/bees/quality/watch-rates.csv").getvalue().decode().splitlines()
        )
    )
    assert [row["true_rate"] for row in rows] == ["0.9500", "0.9000", "0.8500", "0.8000", "0.7000", "0.6000"]
    stopped = {row["true_rate"]: float(row["stopped"]) for row in rows}
    assert [round(stopped[rate], 3) for rate in ("0.8500", "0.8000", "0.6000")] == [0.034, 0.139, 0.916]
