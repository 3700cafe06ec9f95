"""The page of one annotator, and the table of all to take away, over HTTP."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from annotation.models import Judgment
from annotation.quality.annotators import Profiles
from annotation.trust.pages.annotator import PARTS, AnnotatorReport
from annotation.trust.pages.annotator.remarks import standing_out
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.quality.build import inputs_of, table_of
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked
from tests.factories import make_annotator, make_batch, make_judgment
from tests.test_docs import ROOT

pytestmark = pytest.mark.django_db
AMBER, TABLE, QUALITY = (
    "/c/bees/quality/annotators/Amber/",
    "/c/bees/quality/annotators.csv",
    "/c/bees/quality/annotators",
)


def started() -> tuple[People, Worked, Client]:
    people = make_people()
    return people, make_worked(people.collection), people.client("admin")


def report_of(client: Client, name: str, query: str = "") -> AnnotatorReport:
    report = client.get(f"/c/bees/quality/annotators/{name}/{query}").context["report"]
    assert isinstance(report, AnnotatorReport)
    return report


def test_admins_and_researchers_read_and_annotators_never_do() -> None:
    people, worked, _ = started()
    assert people.statuses(AMBER) == RESEARCH_ONLY
    assert people.statuses(TABLE) == RESEARCH_ONLY
    amber = worked.people["Amber"]
    assert amber.user is not None
    own = Client()
    own.force_login(amber.user)
    assert (own.get(AMBER).status_code, own.get(TABLE).status_code) == (403, 403)


def test_figures_on_gold_with_what_they_say() -> None:
    _, _, client = started()
    amber, text = report_of(client, "Amber"), "".join(client.get(AMBER, {"part": part}).text for part in PARTS)
    assert (amber.standing, amber.believed, amber.n_counted) == ("reliable", True, 14)
    assert {row.name: (row.shown, row.interval, row.figure.n) for row in amber.on_gold} == {
        "Right by accepted grades": ("90 %", "60 % to 98 %", 10),
        "One grade for all": ("100 %", "–", 10),
        "Right exactly": ("90 %", "60 % to 98 %", 10),
        "Within one": ("90 %", "60 % to 98 %", 10),
        "Critical errors": ("10 %", "2 % to 40 %", 10),
        "How far errors go": ("3.00", "–", 1),
        "Leniency on gold": ("+0.30", "−0.38 to +0.98", 10),
    }
    assert [(grade, [share.n for share in shares], n) for grade, shares, n in amber.confusion] == [
        (1, [0, 9, 0, 0, 1], 10)
    ]
    assert amber.n_off == [(0, 9), (1, 0), (2, 0), (3, 1), (4, 0)]
    rows = [*amber.on_gold, *amber.beside_others, *amber.habits, *amber.over_time]
    assert all(row.meaning and escape(row.meaning) in text for row in rows)
    assert all(escape(row.figure.reason) in text for row in rows)


def test_the_tables_of_the_page_go_out_as_csv() -> None:
    people, _, client = started()
    amber = report_of(client, "Amber")

    def rows(table: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(client.get(f"{AMBER}{table}.csv").getvalue().decode())))

    figures = {row["figure"]: row for row in rows("figures")}
    assert len(figures) == len([*amber.on_gold, *amber.beside_others, *amber.habits, *amber.over_time])
    right = figures["Right exactly"]
    assert (right["value"], right["low"], right["high"], right["n"]) == ("0.9000", "0.5958", "0.9821", "10")
    assert (figures["Same answer again"]["value"], figures["Same answer again"]["n"]) == ("", "0")
    assert figures["Same answer again"]["reason"] == "No pairs judged a second time."
    confusion = [(row["gold"], row["given"], row["pairs"]) for row in rows("confusion")]
    assert confusion == [("1", "0", "0"), ("1", "1", "9"), ("1", "2", "0"), ("1", "3", "0"), ("1", "4", "1")]
    assert [row["gold_judgments"] for row in rows("distances")] == ["9", "0", "0", "1", "0"]
    assert rows("alike") == []
    bands = rows("bands")
    assert bands
    assert [(row["place"], row["gold"]) for row in bands] == [(band.name, str(band.n_gold)) for band in amber.bands]
    assert client.get(f"{AMBER}unknown.csv").status_code == 404
    assert people.statuses(f"{AMBER}figures.csv") == RESEARCH_ONLY


def test_who_copies_whom_goes_out_as_csv() -> None:
    people = make_people()
    lines = ["query\tdocno\tannotator\tgrade\n"]
    for i in range(90):
        for name, grade in {"A": i * 7 % 5, "B": i * 7 % 5, "C": i * i % 5, "D": i * 3 % 5}.items():
            lines.append(f"1\td{i}\t{name}\t{grade}\n")
    stored(people.collection, "judgments", "".join(lines), name="crowd")
    text = people.client("admin").get("/c/bees/quality/annotators/A/alike.csv").getvalue().decode()
    (row,) = csv.DictReader(text.splitlines())
    assert (row["annotator"], row["pairs_shared"], row["same"], row["left_out"]) == ("B", "90", "1.0000", "0")


def test_what_there_is_too_little_for_is_not_given_and_says_why() -> None:
    _, _, client = started()
    amber = report_of(client, "Amber")
    reasons = {row.name: row.figure.reason for row in (*amber.beside_others, *amber.habits, *amber.over_time)}
    assert reasons["Agreement with others"] == "Only 4 pairs judged by others too; it takes 5."
    assert reasons["Same answer again"] == "No pairs judged a second time."
    assert reasons["Longest run of one grade"] == "Only 14 answers with a grade; it takes 20."
    assert reasons["Pace beside people"].startswith("Fewer than 5 people")
    assert amber.n_compared == 0


def test_what_stands_out_is_said_in_sentences() -> None:
    _, _, client = started()
    one_grade = (
        "One grade for all would be right on 100 % of the gold this person met: "
        "their accuracy does not show that they read."
    )
    assert report_of(client, "Birch").conclusions == [
        one_grade,
        "14 answers in a row have one grade, which chance does not explain: look whether one topic does.",
        "Gets less accurate in the course of a session: shorter sessions may help.",
        "Has become less accurate in the course of the work.",
        "Has become milder in the course of the work.",
    ]
    assert report_of(client, "Amber").conclusions == [one_grade]
    assert report_of(client, "Dune").conclusions == ["Nothing else stands out."]


def test_where_nobody_is_a_near_copy_the_closest_is_told_and_how_many_equal_answers_it_would_take() -> None:
    """A and B always say the same, and nearly always what everybody says; the two on every second pair go by turns."""
    people = make_people()
    graders = {"A": lambda i: (i + (i % 9 == 0)) % 3, "C": lambda i: (i + (i % 10 == 1)) % 3}
    lines = ["query\tdocno\tannotator\tgrade\n"]
    for i in range(90):
        for name in ("A", "B", "C", "D") if i < 30 else ("C", "D", "E"):
            grade = graders["A" if name in "AB" else "C"](i)
            lines.append(f"1\td{i}\t{name}\t{grade}\n")
    stored(people.collection, "judgments", "".join(lines), name="crowd")
    client = people.client("admin")
    closest = report_of(client, "A").closest
    assert closest is not None
    assert (closest.pseudonym, closest.n, closest.same) == ("B", 30, 1)
    assert report_of(client, "A").alike == []
    text = " ".join(client.get("/c/bees/quality/annotators/A/?part=others").text.split())
    assert "100 % of 30 shared pairs have the same grade" in text
    asked = f"take {closest.it_takes:.0f} pairs" if closest.can_be_told else "no number of equal answers would tell"
    assert asked in text


def test_an_exclusion_is_shown_and_offered_to_admins_alone() -> None:
    people, _, client = started()
    assert "/annotators/Amber/exclude" in client.get(AMBER).text
    assert "/annotators/Amber/exclude" not in people.client("researcher").get(AMBER).text
    client.post("/c/bees/annotators/Amber/exclude", {"reason": "Looked away"})
    text = client.get(AMBER).text
    assert "Looked away" in text
    assert "/annotators/Amber/reinstate" in text


def test_batches_and_policy_go_along() -> None:
    people, worked, client = started()
    make_batch(people.collection, [make_annotator(people.collection, pseudonym="Elm")], n_documents=1, name="other")
    query = f"?batch={worked.batch.token}&policy=default+v1"
    assert f'href="{AMBER}?{escape(query[1:])}' in client.get(QUALITY + query).text
    assert report_of(client, "Amber", query).n_counted == 14
    elm = "/c/bees/quality/annotators/Elm/"
    assert client.get(elm).context["report"].n_counted == 0
    assert "is not in the chosen batches" in client.get(elm + query).text
    assert client.get(AMBER + "?batch=nothing&policy=default+v1").status_code == 404
    assert client.get("/c/bees/quality/annotators/Nobody/").status_code == 404


def test_sessions_are_told_from_when_judgments_were_saved() -> None:
    _, worked, client = started()
    begun = datetime(2026, 5, 1, 8, tzinfo=UTC)
    mine = list(Judgment.objects.filter(annotator=worked.people["Birch"]).order_by("pk"))
    for n, judgment in enumerate(mine):
        rest = timedelta(hours=2 if n >= 12 else 0)
        Judgment.objects.filter(pk=judgment.pk).update(created_at=begun + timedelta(minutes=n) + rest)
    bands = [(row.name, row.n_gold, row.right) for row in report_of(client, "Birch").bands]
    assert bands == [("Cards 1 to 10", 18, 12 / 18), ("Cards 11 to 25", 2, 1.0)]


def test_who_falls_on_few_gold_pairs_is_said_to() -> None:
    known = {("g", f"G{n:02}"): 1 for n in range(16)}
    right = [True] * 5 + [True] * 3 + [False] * 8
    rows = [(*pair, "A", 1 if hit else 4) for pair, hit in zip(known, right, strict=True)]
    remarks = standing_out(Profiles(inputs_of(table_of(rows), gold=known)), 0, threshold=0.0)
    assert any("right on 100 %, then 40 %, then 0 % of 16 gold pairs" in remark for remark in remarks)


def test_the_table_of_all_goes_out_as_csv() -> None:
    _, _, client = started()
    answer = client.get(TABLE)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="bees-annotators.csv"'
    sample = (ROOT / "docs/formats.md").read_text("utf-8")
    text = answer.getvalue().decode()
    assert "\n".join(text.splitlines()[:2]) in sample
    rows = {row["annotator"]: row for row in csv.DictReader(io.StringIO(text))}
    assert sorted(rows) == ["Amber", "Birch", "Cedar", "Dune"]
    assert (rows["Amber"]["accuracy"], rows["Amber"]["within_one"], rows["Amber"]["leniency"]) == (
        "0.9000",
        "0.9000",
        "0.3000",
    )
    watch = [tuple(rows[name][key] for key in ("watch", "watch_after", "critical_errors")) for name in sorted(rows)]
    assert watch == [("cleared", "7", "1"), ("cleared", "7", "6"), ("stopped", "12", "6"), ("cleared", "7", "0")]
    assert (rows["Dune"]["standing"], rows["Dune"]["believed"], rows["Dune"]["longest_run"]) == ("unproven", "no", "")
    assert client.get(TABLE + "?batch=nothing").status_code == 404


def test_the_table_on_the_quality_page_has_the_telling_figures() -> None:
    _, _, client = started()
    page = client.get(QUALITY + "?sort=-leniency")
    assert [(row.pseudonym, row.figures.leniency.value) for row in page.context["page_obj"]][:1] == [("Cedar", 1.5)]
    assert "Everybody with every" in page.text
    assert "Active s" in page.text


def test_queries_do_not_grow_with_judgments() -> None:
    _, worked, client = started()
    client.get(AMBER)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            client.get(AMBER)
        counts.append(len(queries))
        for n in range(3):
            worked.add_item(f"more-{len(counts)}-{n}")
            worked.judge(f"more-{len(counts)}-{n}", "Amber", 2)
    assert counts[0] == counts[1]


def test_the_story_says_what_they_did_and_since_when() -> None:
    people, worked, client = started()
    Judgment.objects.filter(annotator=worked.people["Amber"]).update(created_at=datetime(2026, 3, 1, tzinfo=UTC))
    make_judgment(worked.items["d3"], worked.people["Amber"], 2, created_at=datetime(2026, 3, 4, tzinfo=UTC))
    exclude_annotator(worked.people["Amber"], reason="Looked away", actor=people.admin)
    page = client.get(AMBER)
    text = " ".join(page.text.split())
    assert "Has judged 14 pairs of 2 topics in 1 batch, from 1 March 2026 to 4 March 2026." in text
    assert "by lead: Looked away" in text
    assert [(part.name, part.n) for part in page.context["topics"]] == [("1", 4), ("g", 10)]
    assert 'href="/c/bees/topics/1"' in page.text
    assert f'href="/c/bees/batches/{worked.batch.token}/"' in page.text
    assert "by lead: Looked away" not in people.client("researcher").get(AMBER).text


def test_an_account_and_its_annotator_lead_to_each_other_for_admins_alone() -> None:
    people, worked, client = started()
    user = worked.people["Amber"].user
    assert user is not None
    account = f'href="/c/bees/people/{user.username}/"'
    assert f'href="{AMBER}"' in client.get("/c/bees/people/").text
    assert account in client.get(AMBER).text
    assert account not in people.client("researcher").get(AMBER).text
    user.memberships.all().delete()
    assert account not in client.get(AMBER).text


def test_each_part_has_its_address_and_no_other_part_in_it() -> None:
    _, _, client = started()
    headings = {
        part: re.findall(r'<h2 id="((?!nav-)[^"]+)"', client.get(AMBER, {"part": part}).text)
        for part in (*PARTS, "other")
    }
    every = ["verdict", "reading"]
    assert headings == {
        "": [*every, "work", "history"],
        "gold": [*every, "on-gold"],
        "others": [*every, "beside-others"],
        "habits": [*every, "habits"],
        "time": [*every, "over-time"],
        "other": [*every, "work", "history"],
    }
