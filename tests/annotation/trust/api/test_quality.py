"""Agreement, annotators and their standing by the API."""

import pytest
from django.urls import reverse

from annotation.models import Annotator, AuditEvent, Batch
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.exchange.steps.import_work import stored
from tests.annotation.refused_fields import problem_of, refused_fields
from tests.annotation.roles import People, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db

QUALITY, ANNOTATORS = reverse("api_quality", args=["bees"]), reverse("api_annotators", args=["bees"])
FILE = "query\tdocno\tannotator\tgrade\n1\td1\tlm\t3\n1\td2\tlm\t4\ng\tG00\tlm\t1\n"


@pytest.fixture
def people() -> People:
    """The worked example, with a machine that judged three of its pairs."""
    people = make_people()
    make_worked(people.collection)
    stored(people.collection, "judgments", FILE, name="by model", machines="*")
    return people


def deed(name: str, pseudonym: str) -> str:
    return reverse(f"api_annotator_{name}", args=["bees", pseudonym])


def test_who_may(people: People) -> None:
    assert statuses(people, QUALITY) == RESEARCH
    assert statuses(people, ANNOTATORS) == RESEARCH


def test_agreement_with_intervals_and_reasons(people: People) -> None:
    report = caller(people.researcher).get(QUALITY).json()
    assert (report["policy"], report["counts_machines"], len(report["batches"])) == ("default v1", False, 2)
    assert (report["n_kept"], report["n_to_decide"], report["n_believed"], report["n_people"]) == (2, 5, 2, 4)
    assert {row["reason"]: row["n"] for row in report["dropped"]} == {
        "too_few": 2, "too_far_apart": 1, "gold_omitted": 0
    }  # fmt: skip
    assert report["n_compared"] == 5
    by_name = {row["name"]: row for row in report["agreement"]}
    alpha = next(row for name, row in by_name.items() if "ordinal" in name)
    assert alpha["value"] == pytest.approx(found_alpha(people))
    assert alpha["over_items"]["low"] < alpha["value"] < alpha["over_items"]["high"]
    assert alpha["over_topics"]["low"] is None
    assert alpha["over_topics"]["reason"]
    assert all((row["value"] is None) == bool(row["reason"]) for row in report["agreement"])
    assert report["reading"]


def found_alpha(people: People) -> float:
    """As the page has it."""
    report = people.client("admin").get("/c/bees/quality/").context["report"]
    value = report.agreement.alpha.value
    assert isinstance(value, float)
    return value


def test_machines_stand_beside_people(people: People) -> None:
    (machine,) = caller(people.admin).get(QUALITY).json()["machines"]
    assert (machine["annotator"], machine["n_judged"], machine["bias"]) == ("lm", 3, 1.0)
    assert (machine["same_as_people"]["n_yes"], machine["same_as_people"]["n"]) == (1, 2)
    assert (machine["right_on_gold"]["share"], machine["right_on_gold"]["high"]) == (1, 1)
    ends = machine["same_as_people"]["low"], machine["same_as_people"]["high"]
    assert ends == pytest.approx((0.0945, 0.9055), abs=1e-4)  # Wilson, 1 of 2
    assert sum(map(sum, machine["confusion"])) == 2


def test_the_table_of_people_is_that_of_the_page(people: People) -> None:
    rows = caller(people.researcher).get(ANNOTATORS).json()["results"]
    assert [row["annotator"] for row in rows] == ["Amber", "Birch", "Cedar", "Dune"]
    amber = rows[0]
    assert (amber["standing"], amber["believed"], amber["gold"], amber["accuracy"]) == ("reliable", True, 10, 0.9)
    assert amber["accuracy_low"] == pytest.approx(0.5958, abs=1e-4)


def test_batches_and_policy_are_chosen_and_what_is_not_there_is_refused(people: People) -> None:
    client, first = caller(people.admin), Batch.objects.get(name="first")
    assert client.get(QUALITY, {"batch": first.token}).json()["batches"] == [first.token]
    for query in ({"batch": "nothing"}, {"policy": "none v7"}):
        answer = client.get(QUALITY, query)
        assert (answer.status_code, refused_fields(answer)) == (400, set(query))
        assert client.get(ANNOTATORS, query).status_code == 400


def test_nothing_judged_is_404() -> None:
    people = make_people()
    assert [caller(people.admin).get(address).status_code for address in (QUALITY, ANNOTATORS)] == [404, 404]


def test_excluding_and_reinstating_with_a_reason(people: People) -> None:
    client = caller(people.admin)
    answer = client.post(deed("exclude", "Amber"), {"reason": "Graded in her sleep."}, "application/json")
    assert (answer.status_code, answer.json()) == (200, {"annotator": "Amber", "is_machine": False, "excluded": True})
    assert client.get(ANNOTATORS).json()["results"][0]["excluded"]
    again = client.post(deed("exclude", "Amber"), {"reason": "x"}, "application/json")
    assert problem_of(again) == (409, "Amber is excluded already.")
    back = client.post(deed("reinstate", "Amber"), {"reason": "She was awake."}, "application/json")
    assert back.json()["excluded"] is False
    assert client.post(deed("reinstate", "Amber"), {}, "application/json").status_code == 400
    verbs = AuditEvent.objects.filter(subject="Amber").order_by("pk").values_list("verb", "actor__username")
    assert list(verbs) == [("annotator excluded", "lead"), ("annotator reinstated", "lead")]


@pytest.mark.parametrize("name", ["exclude", "reinstate", "kind"])
def test_deeds_are_the_admins(people: People, name: str) -> None:
    expected = {"admin": 400, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 401}
    answers = statuses(people, deed(name, "Amber"), "post")
    assert {who: answers[who] for who in expected if who != "admin"} == {
        who: code for who, code in expected.items() if who != "admin"
    }
    assert caller(people.admin).post(deed(name, "Nobody"), {}, "application/json").status_code in (400, 404)


def test_saying_who_is_a_machine(people: People) -> None:
    client = caller(people.admin)
    answer = client.post(deed("kind", "lm"), {"is_machine": False, "reason": "An expert."}, "application/json")
    assert answer.json() == {"annotator": "lm", "is_machine": False, "excluded": False}
    assert Annotator.objects.get(pseudonym="lm").kind == "person"
    refused = client.post(deed("kind", "Amber"), {"is_machine": True, "reason": "x"}, "application/json")
    assert refused.status_code == 409
    assert "has an account" in refused.json()["detail"]
