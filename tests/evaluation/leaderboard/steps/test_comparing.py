"""A comparison that takes long: asked for on either page or by the API, done by the worker, kept, never done twice."""

import json
from typing import Any

import pytest
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.kernel.jobs.queue import ask_cancel
from annotation.models import Job
from evaluation.engine.many_runs import ManyRuns
from evaluation.engine.packed_comparison import load_many, pack_many
from evaluation.leaderboard.read import comparing
from evaluation.models import Evaluation, RunsComparison
from tests.annotation.callers import caller
from tests.annotation.roles import People
from tests.evaluation.leaderboard.views.test_comparing_many import RUNS, started

pytestmark = pytest.mark.django_db

BOARD, PAGE = "/c/bees/leaderboard/", "/c/bees/leaderboard/compare-many"
QUERY = {"snapshot": "first", "measure": "AP"}
ADDRESS = reverse("api_evaluations_compare_many", args=["bees"])


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> People:
    """Where nothing is fast enough for a page."""
    monkeypatch.setattr(comparing, "AT_ONCE", 0.0)
    return started(*RUNS)


def worked() -> str:
    claimed = claim_job()
    assert claimed is not None
    return run_job(claimed).state


def never(*_: Any, **__: Any) -> ManyRuns:
    raise AssertionError("compared anew")


def test_a_page_asks_for_it_once_and_then_shows_it(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    client = people.client("researcher")
    address = f"{BOARD}?snapshot=first&primary=AP"
    before = client.get(address)
    assert "Compare all pairs" in before.text
    assert before.context["board"].many is None
    for _ in range(2):
        assert client.post(address).headers["Location"] == address
    assert Job.objects.filter(kind="compare_many_runs").count() == 1
    assert "Comparing 4 runs by AP." in client.get(address).text
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 204
    assert worked() == Job.State.DONE
    assert client.get(address, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    monkeypatch.setattr(comparing, "compare_many", never)
    ranks = {run.tag: (run.best_rank, run.worst_rank) for run in client.get(address).context["board"].many.runs}
    page = client.get(PAGE, QUERY)
    assert {run.tag: (run.best_rank, run.worst_rank) for run in page.context["many"].runs} == ranks
    for other in ({"alpha": "0.1"}, {"seed": "3"}, {"draws": "99"}, {"run": ["one", "two"]}):
        assert "Compare all pairs" in client.get(PAGE, {**QUERY, **other}).text, other


def test_the_api_queues_it_and_has_it_afterwards(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    program = caller(people.researcher)
    refusal = program.get(ADDRESS, QUERY)
    assert (refusal.status_code, "POST" in refusal.json()["errors"]["non_field_errors"][0]) == (400, True)
    body = json.dumps({"snapshot": "first", "measure": ["AP"], "run": ["one", "two", "three"], "seed": 3})
    answer = program.post(ADDRESS, body, content_type="application/json")
    assert (answer.status_code, worked()) == (202, Job.State.DONE)
    kept = program.get(answer.json()["comparison_url"]).json()
    assert program.post(ADDRESS, body, content_type="application/json").status_code == 202
    with monkeypatch.context() as patched:
        patched.setattr(comparing, "compare_many", never)
        assert worked() == Job.State.DONE
    monkeypatch.setattr(comparing, "AT_ONCE", 60.0)
    RunsComparison.objects.all().delete()
    again: dict[str, Any] = {**QUERY, "run": ["two", "three", "one"], "seed": 3}
    assert program.get(ADDRESS, again).json() == kept
    several = json.dumps({"snapshot": "first", "measure": ["AP", "RR"]})
    assert list(program.post(ADDRESS, several, content_type="application/json").json()["errors"]) == ["measure"]


def test_a_comparison_can_be_cancelled_while_it_draws(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.jobs.attempt.REPORT_AFTER", -1.0)
    people.client("researcher").post(f"{PAGE}?snapshot=first&measure=AP")
    job = Job.objects.get(kind="compare_many_runs")
    claimed = claim_job()
    assert claimed is not None

    def watch(_done: int, total: int, _message: str) -> None:
        if total:
            ask_cancel(job)

    claimed.watch = watch
    assert run_job(claimed).state == Job.State.CANCELLED
    assert not RunsComparison.objects.exists()


def test_runs_evaluated_anew_in_between_are_not_compared_as_what_they_were(people: People) -> None:
    people.client("researcher").post(f"{PAGE}?snapshot=first&measure=AP")
    Evaluation.objects.filter(run__tag="one").update(sha256="0" * 64)
    assert worked() == Job.State.FAILED
    assert "ask again" in Job.objects.get(kind="compare_many_runs").error


def test_what_would_take_a_worker_for_ever_is_refused(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four runs of 8 topics, 10,000 permutations."""
    monkeypatch.setattr(comparing, "MOST", 0.005)
    answer = people.client("researcher").get(PAGE, QUERY)
    assert "take fewer draws" in answer.context["form"].errors["__all__"][0]
    body = json.dumps({"snapshot": "first", "measure": ["AP"]})
    refusal = caller(people.researcher).post(ADDRESS, body, content_type="application/json")
    assert "take fewer draws" in refusal.json()["errors"]["non_field_errors"][0]


def test_packed_and_read_back_it_is_the_same(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "AT_ONCE", 60.0)
    many = people.client("researcher").get(PAGE, QUERY).context["many"]
    again = load_many(pack_many(many))
    assert again == many
    assert (again.difference == many.difference).all()
    assert (again.adjusted == many.adjusted).all()
