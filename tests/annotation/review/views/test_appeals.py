"""The pages on which admins answer what people object to."""

import csv

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold.read.current import current_gold
from annotation.judging.steps.own_results import raise_appeal
from annotation.models import Appeal, ExclusionEvent, Feedback, Rule
from annotation.trust.steps.exclusions import exclude_annotator
from tests.annotation.review.views.test_gold_change import confirmed
from tests.annotation.roles import ADMINS_ONLY, People, make_people
from tests.annotation.worked_campaign import Worked, make_worked

pytestmark = pytest.mark.django_db

LIST = "/c/bees/gold/objections/"


def object_to(worked: Worked, name: str, docno: str, reason: str = "It <says> so.") -> Appeal:
    assignment = worked.items[docno].assignments.get(annotator=worked.people[name])
    feedback = Feedback.objects.create(
        batch=worked.batch, annotator=worked.people[name], assignment=assignment, grade=1, accepted=[1],
        created_at=assignment.judgments.latest("pk").created_at,
    )  # fmt: skip
    return raise_appeal(feedback, reason=reason)


def beginning() -> tuple[People, Worked, Appeal, str]:
    people = make_people()
    worked = make_worked(people.collection)
    appeal = object_to(worked, "Cedar", "G11")
    return people, worked, appeal, f"{LIST}{appeal.token}"


def test_who_may_look_and_answer() -> None:
    people, _, appeal, page = beginning()
    assert people.statuses(LIST) == ADMINS_ONLY
    assert people.statuses(page) == ADMINS_ONLY
    entered = {"decision": "decline", "answer": "No."}
    for who, status in {"researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}.items():
        assert people.client(who).post(page, entered).status_code == status
    appeal.refresh_from_db()
    assert appeal.state == "open"
    assert people.client("admin").get(f"{LIST}unknown").status_code == 404


def test_open_ones_are_counted_where_admins_look() -> None:
    people, _, _, page = beginning()
    client = people.client("admin")
    for where in ("/c/bees/gold/", "/c/bees/"):
        assert "1 objection" in client.get(where).text
        assert "1 objection" not in people.client("researcher").get(where).text
    assert f'href="{page}"' in client.get("/c/bees/").text
    assert "It &lt;says&gt; so." in client.get(LIST).text
    client.post(page, {"decision": "decline", "answer": "Read again."})
    assert "objections of annotators wait" not in client.get("/c/bees/gold/").text
    assert "1 objection" not in client.get("/c/bees/").text
    assert "All are answered." in client.get(LIST).text


def test_all_of_them_go_out_as_csv() -> None:
    people, worked, _, page = beginning()
    object_to(worked, "Birch", "G14", reason="=1+1")
    client = people.client("admin")
    client.post(page, {"decision": "decline", "answer": "Read again."})
    rows = list(csv.DictReader(client.get("/c/bees/gold/objections.csv").getvalue().decode().splitlines()))
    names = ("docno", "annotator", "batch", "told_grade", "reason", "state", "answer")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("G14", "Birch", worked.batch.name, "1", "'=1+1", "open", ""),
        ("G11", "Cedar", worked.batch.name, "1", "It <says> so.", "declined", "Read again."),
    ]
    assert [bool(row["answered_at"]) for row in rows] == [False, True]
    assert people.statuses("/c/bees/gold/objections.csv") == ADMINS_ONLY


def test_the_page_has_what_the_answer_needs() -> None:
    people, worked, _, page = beginning()
    object_to(worked, "Birch", "G14")
    answer = people.client("admin").get(page)
    file = answer.context["file"]
    assert (file.own_grade, file.gold.grade, file.has_changed, file.n_others) == (4, 1, False, 0)
    assert [(each.grade, each.n, each.n_good) for each in file.grade_counts if each.n] == [(1, 1, 0), (4, 1, 0)]
    assert "They said <strong>4" in answer.text
    assert "It &lt;says&gt; so." in answer.text
    form = answer.context["form"]
    assert (form["grade"].value(), form["accepted"].value()) == (1, [])
    assert [choice[0] for choice in form.fields["decision"].choices] == ["decline", "correct", "withdraw"]


def test_an_answer_needs_words_a_decision_and_a_grade_to_correct_to() -> None:
    people, _, appeal, page = beginning()
    client = people.client("admin")
    assert set(client.post(page, {"answer": ""}).context["form"].errors) == {"decision", "answer"}
    assert client.post(page, {"decision": "decline"}).status_code == 422
    refused = client.post(page, {"decision": "correct", "answer": "Yes."})
    assert refused.context["form"].errors == {"grade": ["Choose what the grade is to be."]}
    appeal.refresh_from_db()
    assert appeal.state == "open"


def test_declining_changes_no_gold() -> None:
    people, _, appeal, page = beginning()
    done = people.client("admin").post(page, {"decision": "decline", "answer": "Read again."}, follow=True)
    assert "Cedar reads your answer." in done.text
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answer, appeal.answered_by) == ("declined", "Read again.", people.admin)
    again = people.client("admin").post(page, {"decision": "decline", "answer": "Twice."}, follow=True)
    assert "answered this objection already" in again.text
    assert "Read again." in people.client("admin").get(page).text


def test_upholding_says_whom_it_touches_and_brings_back_whom_it_frees() -> None:
    people, worked, appeal, page = beginning()
    exclude_annotator(worked.people["Cedar"], reason="The watch.", actor=None, rule=Rule.STOP)
    client = people.client("admin")
    entered = {
        "decision": "correct",
        "grade": "1",
        "accepted": ["4"],
        "explanation": "Both.",
        "answer": "You are right.",
    }
    asked = client.post(page, entered)
    assert "Nothing has changed yet" in asked.text
    appeal.refresh_from_db()
    assert appeal.state == "open"
    assert asked.context["action"] == page
    done = client.post(page, confirmed(asked), follow=True)
    assert done.redirect_chain == [(LIST, 302)]
    assert "Brought back: Cedar." in done.text
    appeal.refresh_from_db()
    event = current_gold(people.collection).get(document__docno="G11")
    assert (appeal.state, appeal.event) == ("upheld", event)
    assert (event.accepted, event.explanation) == ([1, 4], "Both.")
    assert event.reason == "On an objection of Cedar: You are right."
    assert ExclusionEvent.objects.latest("pk").action == "reinstate"


def test_withdrawing_and_what_was_changed_already() -> None:
    people, worked, appeal, page = beginning()
    other = object_to(worked, "Birch", "G14")
    third = object_to(worked, "Amber", "G09")
    fourth = object_to(worked, "Cedar", "G09")
    client = people.client("admin")
    client.post(page, confirmed(client.post(page, {"decision": "withdraw", "answer": "Doubtful."})))
    assert not current_gold(people.collection).filter(document=appeal.document).exists()
    asked = client.get(f"{LIST}{third.token}")
    assert asked.context["file"].n_others == 1
    entered = {"decision": "correct", "grade": "4", "answer": "Yes."}
    client.post(f"{LIST}{third.token}", confirmed(client.post(f"{LIST}{third.token}", entered), all_of_pair=""))
    fourth.refresh_from_db()
    assert fourth.state == "open"
    settled = client.get(f"{LIST}{fourth.token}")
    assert settled.context["file"].has_changed
    client.post(f"{LIST}{fourth.token}", {"decision": "settled", "answer": "It was changed."})
    fourth.refresh_from_db()
    assert (fourth.state, fourth.answer) == ("upheld", "It was changed.")
    refused = client.post(f"{LIST}{other.token}", {"decision": "settled", "answer": "It was changed."})
    assert refused.status_code == 422


def test_the_list_asks_no_more_for_three_than_for_one() -> None:
    people, worked, _, _ = beginning()
    client = people.client("admin")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert client.get(LIST).status_code == 200
        return len(seen)

    one = queries()
    object_to(worked, "Birch", "G14")
    object_to(worked, "Amber", "G09")
    assert queries() == one


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["G14", "G11"]),
        ({"sort": "docno"}, ["G11", "G14"]),
        ({"state": "declined"}, ["G11"]),
        ({"q": "birch"}, ["G14"]),
        ({"q": "read AGAIN"}, ["G11"]),
        ({"state": "upheld"}, []),
    ],
)
def test_objections_are_looked_for_and_sorted(query: dict[str, str], expected: list[str]) -> None:
    people, worked, _, page = beginning()
    object_to(worked, "Birch", "G14", reason="Long " * 100)
    client = people.client("admin")
    client.post(page, {"decision": "decline", "answer": "Read again."})
    answer = client.get(LIST, query)
    assert [each.row.document.docno for each in answer.context["rows"]] == expected
    assert ("on top" in answer.text) == (not query)
    lines = list(csv.DictReader(client.get(LIST, {**query, "as": "csv"}).getvalue().decode().splitlines()))
    assert [row["docno"] for row in lines] == expected
    assert ("Long " * 100 not in answer.text, [row["reason"] for row in lines if row["annotator"] == "Birch"]) == (
        True, ["Long " * 100] * ("G14" in expected),
    )  # fmt: skip
