"""Many runs compared on a page: its numbers and sentences are the API's and the command's."""

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from evaluation.leaderboard.pages import many_runs
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.leaderboard.api.test_comparing import QRELS
from tests.factories import make_run, make_snapshot

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/leaderboard/compare-many"


def run_text(tag: str, weight: float) -> str:
    """Eight topics of six documents, by their grade times `weight` and by chance: the heavier, the better."""
    draw = random.Random(tag)
    pairs = [(topic, n) for topic in range(1, 9) for n in range(6)]
    scores = [(topic, n, weight * ((topic * n) % 3) + draw.random()) for topic, n in pairs]
    return "".join(f"{topic} Q0 d{n} 1 {score:.6f} {tag}\n" for topic, n, score in scores)


RUNS = {tag: run_text(tag, weight) for tag, weight in {"one": 1, "two": 0.3, "three": 0, "four": -0.5}.items()}


def started(*tags: str) -> People:
    people = make_people()
    snapshot = make_snapshot(people.collection, QRELS, name="first")
    runs = [make_run(people.collection, RUNS[tag]) for tag in tags]
    if runs:
        ask_evaluation(snapshot, runs, measures=["AP", "GMAP"], averaging="complete", created_by=None)
    while run := claim_job():
        assert run_job(run).state == "done"
    return people


def shown(client: Client, **query: Any) -> Any:
    answer = client.get(PAGE, query)
    assert answer.status_code == 200, answer.context["form"].errors
    return answer


def test_who_compares() -> None:
    assert started("one", "two").statuses(PAGE) == RESEARCH_ONLY


@pytest.mark.parametrize(
    "design",
    [
        {},
        {"test": "t", "correction": "holm", "alpha": 0.2, "confidence": 0.9},
        {"test": "bootstrap", "correction": "bh", "draws": 300, "seed": 7},
        {"test": "tukey", "draws": 500, "alpha": 0.3, "seed": 11},
    ],
)
def test_page_file_api_and_command_say_the_same(design: dict[str, Any], tmp_path: Path) -> None:
    people = started(*RUNS)
    (tmp_path / "qrels").write_text(QRELS)
    for tag, text in RUNS.items():
        (tmp_path / tag).write_text(text)
    output = io.StringIO()
    options = {"measure": ["AP"], "format": "json", "stdout": output, "stderr": io.StringIO(), **design}
    call_command("compare_many", *(str(tmp_path / name) for name in ("qrels", *sorted(RUNS))), **options)
    command = json.loads(output.getvalue())
    query: dict[str, Any] = {"snapshot": "first", "measure": "AP", **design}
    api = caller(people.researcher).get(reverse("api_evaluations_compare_many", args=["bees"]), query)
    assert api.json() == command
    client = people.client("researcher")
    assert client.get(PAGE, {**query, "form": "json"}).json() == command
    context, (measure,) = shown(client, **query).context, command["measures"]
    many = context["many"]
    assert context["conclusion"] == measure["conclusion"]
    assert many.adjusted.tolist() == measure["adjusted_p"]
    assert [(run.tag, run.interval.low, run.best_rank, run.letters) for run in many.runs] == [
        (run["run"], run["low"], run["best_rank"], run["groups"]) for run in measure["runs"]
    ]
    assert len(measure["adjusted_p"]) == 4


def test_the_page_has_a_row_a_run_a_mark_a_mean_and_a_square_a_pair() -> None:
    text = shown(started(*RUNS).client("researcher"), measure="AP", test="t", alpha="0.5", correction="none").text
    assert text.count('<rect class="') == 2 * 6  # drawn for a wide and for a narrow page
    assert text.count('<g class="mark') == 2 * 4  # on a wide page, and on a narrow one
    assert text.count('<th scope="row" class="code">') == 4
    assert text.count("<title>") >= 11  # the page's, a mark's and a square's
    assert "style=" not in text


def test_the_form_shows_what_holds() -> None:
    """What it is sent with unchanged is what was shown before."""
    form = shown(started("one", "two").client("researcher")).context["form"]
    names = ("measure", "test", "correction", "alpha", "confidence")
    assert [form[name].value() for name in names] == ["nDCG@10", "tukey", "holm", "0.05", "0.95"]


def test_chosen_runs_alone() -> None:
    client = started(*RUNS).client("researcher")
    many = shown(client, measure="AP", run=["two", "four"]).context["many"]
    assert {run.tag for run in many.runs} == {"two", "four"}


def test_so_many_runs_that_no_square_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_runs, "MOST", 3)
    answer = shown(started(*RUNS).client("researcher"), measure="AP")
    assert answer.context["triangle"] is None
    assert "For so many runs pairs are not drawn" in answer.text


def test_files_of_the_figures() -> None:
    client = started("one", "two").client("researcher")
    csv = shown(client, measure="AP", form="csv")
    assert csv.headers["Content-Disposition"] == 'attachment; filename="bees-first-ap.csv"'
    assert csv.content.decode().splitlines()[0] == "measure,run,mean,low,high,best_rank,worst_rank,groups"
    assert shown(client, measure="AP", form="latex").content.decode().endswith("\\end{tabular}\n")


def test_what_the_address_names_in_vain_is_said() -> None:
    client = started("one", "two").client("researcher")
    assert "sorl" in shown(client, sorl="1").text
    assert "ignores them" not in shown(client).text
    answer = client.get("/c/bees/leaderboard/compare", {"sorl": "1"})
    assert "<code>sorl</code>" in answer.text


@pytest.mark.parametrize("tags", [(), ("one",)])
def test_nothing_to_compare_is_said(tags: tuple[str, ...]) -> None:
    assert "Nothing to compare yet" in shown(started(*tags).client("researcher")).text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"run": "one"}, "run"),
        ({"run": ["one", "five"]}, "run"),
        ({"measure": "GMAP"}, "measure"),
        ({"test": "sign"}, "test"),
        ({"alpha": "0"}, "alpha"),
        ({"alpha": "nan"}, "alpha"),
        ({"confidence": "1"}, "confidence"),
        ({"draws": "0"}, "draws"),
        ({"draws": "1000000"}, "draws"),
        ({"seed": "-1"}, "seed"),
    ],
)
def test_what_cannot_be_compared_is_an_error_of_its_field(changes: dict[str, Any], field: str) -> None:
    answer = started("one", "two").client("researcher").get(PAGE, {"measure": "AP", **changes})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {field})
    assert "many" not in answer.context


def test_an_api_parameter_that_there_is_not_is_refused() -> None:
    client = caller(started("one", "two").researcher)
    query = {"snapshot": "first", "measure": "AP", "sed": "4"}
    for name in ("api_evaluations_compare_many", "api_evaluations_compare"):
        answer = client.get(reverse(name, args=["bees"]), query)
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["sed"])


def test_four_runs_take_the_queries_of_two() -> None:
    people = started(*RUNS)
    client = people.client("researcher")
    with CaptureQueriesContext(connection) as four:
        client.get(PAGE)
    for tag in ("three", "four"):
        people.collection.runs.get(tag=tag).evaluations.all().delete()
    with CaptureQueriesContext(connection) as two:
        client.get(PAGE)
    assert len(four) == len(two)
