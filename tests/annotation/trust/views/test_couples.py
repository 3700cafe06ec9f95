"""Every two people side by side, over HTTP."""

import csv
import io

import pytest
from django.test import Client

from annotation.trust.pages.couples import CouplesReport
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.roles import RESEARCH_ONLY, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db
PAGE, TABLE = "/c/bees/quality/couples", "/c/bees/quality/couples.csv"
# Of twelve pairs, A and B differ on none, A and C on all but one: a low grade for a high one.
TRUTH = [0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4]
ANSWERS = {"A": TRUTH, "B": TRUTH, "C": [0, *(4 - grade for grade in TRUTH[1:])], "D": [2] * 3}


def file(answers: dict[str, list[int]]) -> str:
    lines = (f"1\td{n}\t{name}\t{grade}\n" for name, grades in answers.items() for n, grade in enumerate(grades))
    return "query\tdocno\tannotator\tgrade\n" + "".join(lines)


def started(answers: dict[str, list[int]]) -> Client:
    people = make_people()
    stored(people.collection, "judgments", file(answers), name="crowd")
    return people.client("admin")


def report_of(client: Client) -> CouplesReport:
    report = client.get(PAGE).context["report"]
    assert isinstance(report, CouplesReport)
    return report


def test_admins_and_researchers_read_and_nobody_else() -> None:
    people = make_people()
    make_worked(people.collection)
    assert people.statuses(PAGE) == RESEARCH_ONLY
    assert people.statuses(TABLE) == RESEARCH_ONLY


def test_couples_with_kappa_and_pairs_shared() -> None:
    client = started(ANSWERS)
    report = report_of(client)
    assert (report.n_couples, len(report.people), report.n_ranked) == (6, 4, 3)
    (first, *others) = report.closest
    assert (first.first, first.second, first.n, first.same, first.kappa, first.weighted) == ("A", "B", 12, 1, 1, 1)
    # A, C: 1 of 12 alike, and by chance (6·6 + 6·6)/144 − … : C gave 0 seven times and 4 five times.
    expected = (6 * 7 + 6 * 5) / 144
    assert [row.kappa for row in others] == pytest.approx([(1 / 12 - expected) / (1 - expected)] * 2)
    assert report.farthest == []
    text = client.get(PAGE).text
    assert "Everybody with everybody" in text
    assert "All 6 couples as CSV" in text


def test_the_table_begins_with_who_agrees_most_and_shades_only_what_rests_on_enough() -> None:
    report = report_of(started(ANSWERS))
    assert [line.pseudonym for line in report.table] == ["A", "B", "C", "D"]
    kappa = report.closest[1].kappa
    assert kappa is not None
    assert report.table[0].mean == pytest.approx((1 + kappa) / 2)
    assert report.table[3].mean is None
    cells = [(cell.tenth, cell.n) for cell in report.table[0].cells if cell]
    assert cells == [(10, 12), (0, 12), (None, 3)]
    assert report.table[0].cells[0] is None


def test_machines_and_excluded_people_are_left_out() -> None:
    people = make_people()
    stored(people.collection, "judgments", file(ANSWERS), name="crowd", machines="B")
    exclude_annotator(people.collection.annotators.get(pseudonym="C"), reason="x", actor=None)
    rows = table(people.client("admin"))
    assert [(row["first"], row["second"]) for row in rows] == [("A", "D")]


def test_all_couples_leave_as_csv() -> None:
    rows = table(started({**ANSWERS, "=E": [0] * 12, "F": [0] * 12}))
    assert len(rows) == 15
    assert rows[0] == {
        "first": "'=E", "second": "A", "shared": "12", "same": "0.5000", "kappa": "0.0000", "kappa_quadratic": "0.0000"
    }  # fmt: skip
    both = next(row for row in rows if (row["first"], row["second"]) == ("'=E", "F"))
    assert (both["same"], both["kappa"], both["kappa_quadratic"]) == ("1.0000", "", "")


def test_both_ends_of_middling_many_couples_are_listed_alike() -> None:
    """Seven people, 21 couples: too many for one list, too few for twenty at either end."""
    answers = {f"p{n}": [(grade + (n % 3 == 0) * (i % 4)) % 5 for i, grade in enumerate(TRUTH)] for n in range(7)}
    report = report_of(started(answers))
    assert (report.n_ranked, len(report.closest), len(report.farthest)) == (21, 11, 10)
    assert {(row.first, row.second) for row in report.closest} & {
        (row.first, row.second) for row in report.farthest
    } == set()


def test_many_people_are_listed_and_not_laid_in_a_table() -> None:
    answers = {f"p{n:02}": [(grade + (n % 5 == 0)) % 5 for grade in TRUTH] for n in range(31)}
    client = started(answers)
    report, text = report_of(client), client.get(PAGE).text
    assert (report.fits, report.table, report.n_couples) == (False, [], 465)
    assert (len(report.closest), len(report.farthest)) == (20, 20)
    assert {row.kappa for row in report.closest} == {1.0}
    assert report.farthest[0].kappa == min(row.kappa for row in report.farthest if row.kappa is not None)
    assert "31 people are more than a table can show" in text
    assert "Everybody with everybody" not in text


def test_nobody_to_compare_is_said() -> None:
    people = make_people()
    client = people.client("admin")
    assert "Nobody to compare yet" in client.get(PAGE).text
    assert client.get(TABLE).status_code == 404
    stored(people.collection, "judgments", file({"A": TRUTH}), name="crowd")
    assert "Nobody to compare yet" in client.get(PAGE).text
    assert table(client) == []


def table(client: Client) -> list[dict[str, str]]:
    answer = client.get(TABLE)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="bees-couples.csv"'
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
