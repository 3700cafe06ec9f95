"""Evaluations by the API: asked for, worked, read; the values are the engine's."""

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.formats.problems import Problems
from annotation.formats.qrels import parse_qrels
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import AuditEvent, Job
from evaluation.engine.measures import DEFAULT_MEASURES, parse_measure
from evaluation.engine.qrels import Qrels
from evaluation.engine.run import load_run, pack_run
from evaluation.engine.scorer import MeasureValues, evaluate
from evaluation.engine.value_range import interval_of_mean
from evaluation.formats.run import parse_run
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation
from tests.annotation.callers import RESEARCH, caller, callers, statuses
from tests.annotation.counting import queries_of
from tests.annotation.refused_fields import problem_of, refused_fields
from tests.annotation.roles import People, make_people
from tests.factories import make_collection, make_run, make_snapshot, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("api_evaluations", args=["bees"])
QRELS = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 d 0\n"
RUN = "1 Q0 b 1 3 one\n1 Q0 a 2 2 one\n1 Q0 c 3 2 one\n2 Q0 x 1 1 one\n"


@pytest.fixture
def people() -> People:
    people = make_people()
    make_snapshot(people.collection, QRELS, name="first")
    make_run(people.collection, RUN)
    return people


def ask(client: Client, **body: object) -> tuple[int, dict[str, Any]]:
    answer = client.post(ADDRESS, {"snapshot": "first", "runs": ["one"], **body}, content_type="application/json")
    return answer.status_code, answer.json()


def work() -> None:
    while run := claim_job():
        assert run_job(run).state == "done"


def evaluated(people: People, **body: object) -> str:
    """The address of the one evaluation."""
    assert ask(caller(people.researcher), **body)[0] == 202
    work()
    return reverse("api_evaluation", args=["bees", Evaluation.objects.get().pk])


def engines_values() -> MeasureValues:
    run = load_run(pack_run(parse_run(io.BytesIO(RUN.encode()), Problems("run"))))
    table = parse_qrels(io.BytesIO(QRELS.encode()), Problems("qrels"))
    qrels = Qrels.of(table.number, table.docno, table.grade)
    return evaluate(run, qrels, [parse_measure(name) for name in [*DEFAULT_MEASURES, "P@2"]])


def test_who_may(people: People) -> None:
    assert statuses(people, evaluated(people)) == RESEARCH
    assert statuses(people, ADDRESS) == RESEARCH
    answers = {who: ask(client)[0] for who, client in callers(people).items()}
    assert answers == {**RESEARCH, "admin": 202, "researcher": 202}


def test_upload_evaluate_read(people: People) -> None:
    client = caller(people.researcher)
    file = io.BytesIO(RUN.replace("one", "two").encode())
    upload = client.post(reverse("api_runs", args=["bees"]), {"file": file}).json()
    work()
    tag = client.get(upload["import_url"]).json()["name"]
    status, asked = ask(client, runs=[tag])
    assert status == 202
    assert client.get(str(asked["job_url"])).json()["state"] == "queued"
    work()
    done = client.get(str(asked["job_url"])).json()
    assert (done["state"], done["done"], done["total"]) == ("done", 1, 1)
    (row,) = client.get(str(asked["evaluations_url"])).json()["results"]
    assert (row["run"], row["snapshot"], row["averaging"]) == ("two", "first", "complete")
    assert row["means"]["RR"]["mean"] == 1 / 2 / 3
    event = AuditEvent.objects.get(verb="evaluation asked for")
    assert (event.actor, event.subject) == (people.researcher, "first")


def test_means_and_values_are_the_engines(people: People) -> None:
    answer = caller(people.researcher).get(evaluated(people, measures=["P@2"])).json()
    values = engines_values()
    assert [topic["number"] for topic in answer["topics"]] == list(values.numbers)
    assert [list(topic["values"]) for topic in answer["topics"]] == [list(values.measures)] * 3
    assert [list(topic["values"].values()) for topic in answer["topics"]] == values.value.tolist()
    for column, name in enumerate(values.measures):
        interval = interval_of_mean(values.value[:, column], name)
        assert answer["means"][name] == {
            "mean": float(values.mean[column]),
            "low": interval.low,
            "high": interval.high,
        }
        assert answer["deviations"][name] == pytest.approx(interval.deviation)
    page = people.client("researcher").get(reverse("evaluation", args=["bees", answer["id"]])).text
    assert f"{answer['deviations']['RR']:.4f}" in page[page.index("± standard deviation") :]
    assert (answer["n_topics"], answer["n_missing"], answer["missing"]) == (3, 1, ["3"])


def test_averaging_over_the_topics_of_the_run(people: People) -> None:
    answer = caller(people.researcher).get(evaluated(people, averaging="retrieved")).json()
    assert (answer["averaging"], [topic["number"] for topic in answer["topics"]]) == ("retrieved", ["1", "2"])


def test_an_evaluation_belongs_to_its_collection(people: People) -> None:
    evaluated(people)
    make_collection("wasps", admin=people.admin)
    answer = caller(people.admin).get(reverse("api_evaluation", args=["wasps", Evaluation.objects.get().pk]))
    assert problem_of(answer) == (404, "No such evaluation.")


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"snapshot": "second"}, {"snapshot": ["The collection has no snapshot called second."]}),
        ({"snapshot": ""}, {"snapshot": ["This field may not be blank."]}),
        ({"snapshot": "first\0"}, {"snapshot": ["Null characters are not allowed."]}),
        ({"runs": []}, {"runs": ["This list may not be empty."]}),
        ({"runs": ["one", "two", "three"]}, {"runs": ["Not in the collection: three, two."]}),
        ({"averaging": "sideways"}, {"averaging": ['"sideways" is not a valid choice.']}),
        ({"measures": ["AP(rel=0)"]}, {"measures": ["the level rel of AP is a whole number of at least 1"]}),
        ({"measures": ["P@0"]}, {"measures": ["the cutoff of P is at least 1"]}),
        ({"measures": "P@5"}, {"measures": ['Expected a list of items but got type "str".']}),
    ],
)
def test_a_request_that_is_none_names_its_fields(
    people: People, body: dict[str, object], faults: dict[str, list[str]]
) -> None:
    status, answer = ask(caller(people.researcher), **body)
    assert (status, answer["errors"]) == (400, faults)
    assert not Job.objects.exists()


def test_what_the_engine_refuses_is_the_error_of_the_job(people: People) -> None:
    client = caller(people.researcher)
    make_snapshot(people.collection, QRELS + "3 0 e 201\n", name="far")
    status, asked = ask(client, snapshot="far", measures=["nDCG(gains='exp')@10"])
    assert status == 202
    job = claim_job()
    assert job is not None
    run_job(job)
    state = client.get(str(asked["job_url"])).json()
    reason = "the grade 201 is too great for gains of 2^grade − 1: at most 200"
    assert (state["state"], state["error"]) == ("failed", reason)
    assert client.get(str(asked["evaluations_url"])).json()["results"] == []


def test_runs_and_snapshots_of_other_collections_are_unknown(people: People) -> None:
    other = make_collection(admin=people.researcher)
    make_snapshot(other, QRELS, name="elsewhere")
    make_run(other, RUN.replace("one", "foreign"))
    status, answer = ask(caller(people.researcher), snapshot="elsewhere", runs=["foreign"])
    assert status == 400
    assert answer["errors"] == {
        "snapshot": ["The collection has no snapshot called elsewhere."],
        "runs": ["Not in the collection: foreign."],
    }


def test_an_unknown_measure_is_refused_with_what_was_meant(people: People) -> None:
    status, answer = ask(caller(people.researcher), measures=["nDGC@10"])
    assert (status, list(answer["errors"])) == (400, ["measures"])
    (reason,) = answer["errors"]["measures"]
    assert ("nDGC@10" in reason, "nDCG" in reason) == (True, True)
    assert not Job.objects.exists()


@pytest.mark.parametrize("body", ["{", "[" * 100_000, '{"snapshot": NaN}', "[]", '"text"', "null"])
def test_what_is_not_an_object_of_json_is_refused(people: People, body: str) -> None:
    answer = caller(people.researcher).post(ADDRESS, body, content_type="application/json")
    assert answer.status_code == 400
    assert not Job.objects.exists()


def test_a_body_over_the_limit_is_refused(people: People, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    status, answer = ask(caller(people.researcher), measures=["P@5"] * 50)
    assert (status, answer["detail"]) == (413, "The body of this request is too large.")


def test_the_list_is_narrowed_by_name(people: People) -> None:
    second = make_snapshot(people.collection, QRELS, name="second")
    two = make_run(people.collection, RUN.replace("one", "two"))
    for snapshot in (people.collection.snapshots.get(name="first"), second):
        ask_evaluation(snapshot, people.collection.runs.all(), averaging="complete", measures=[], created_by=None)
    ask_evaluation(second, [two], averaging="retrieved", measures=[], created_by=None)
    work()
    client = caller(people.researcher)

    def rows_of(**query: str) -> list[tuple[str, str, str]]:
        rows = client.get(ADDRESS, query).json()["results"]
        return [(row["snapshot"], row["run"], row["averaging"]) for row in rows]

    assert rows_of() == [
        ("second", "one", "complete"),
        ("second", "two", "complete"),
        ("second", "two", "retrieved"),
        ("first", "one", "complete"),
        ("first", "two", "complete"),
    ]
    assert rows_of(snapshot="first", run="two") == [("first", "two", "complete")]
    assert rows_of(averaging="retrieved") == [("second", "two", "retrieved")]


@pytest.mark.parametrize("query", [{"snapshot": ""}, {"snapshot": "third"}, {"run": "\0"}, {"averaging": "mean"}])
def test_a_choice_that_is_none_is_an_error_not_everything(people: People, query: dict[str, str]) -> None:
    answer = caller(people.researcher).get(ADDRESS, query)
    assert (answer.status_code, refused_fields(answer)) == (400, set(query))


def test_the_number_of_queries_does_not_grow() -> None:
    counts = []
    for n in (1, 3):
        person = make_user()
        collection = make_collection(admin=person)
        snapshot = make_snapshot(collection, QRELS)
        runs = [make_run(collection, RUN.replace("one", f"run-{number}")) for number in range(n)]
        ask_evaluation(snapshot, runs, averaging="complete", measures=[], created_by=None)
        work()
        counts.append(queries_of(caller(person), reverse("api_evaluations", args=[collection.slug]), n))
    assert counts[0] == counts[1]
