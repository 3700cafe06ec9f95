"""Two runs compared on a page: its numbers are the API's and the command's, one by one."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from evaluation.formats.side_by_side import as_facts
from evaluation.leaderboard.pages.two_runs import PairedRow
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from tests.annotation.callers import caller
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.leaderboard.api.test_comparing import QRELS, RUNS
from tests.factories import make_run, make_snapshot, make_topic

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/leaderboard/compare"
TESTS = ("randomization", "t", "bootstrap", "wilcoxon", "sign")


def started(*tags: str) -> People:
    people = make_people()
    snapshot = make_snapshot(people.collection, QRELS, name="first")
    for number in ("1", "2"):
        make_topic(people.collection, number)
    runs = [make_run(people.collection, RUNS[tag]) for tag in tags]
    if runs:
        ask_evaluation(snapshot, runs, measures=["AP", "GMAP"], averaging="complete", created_by=None)
    while run := claim_job():
        assert run_job(run).state == "done"
    return people


def asked(**changes: object) -> dict[str, Any]:
    return {
        "measure": "AP",
        "first": "one",
        "second": "two",
        "minimum": "0.05",
        "threshold": "0.1",
        "seed": "4",
        **changes,
    }


def shown(client: Client, **changes: object) -> Any:
    answer = client.get(PAGE, asked(**changes))
    assert answer.status_code == 200, answer.context["form"].errors
    return answer


def test_who_compares() -> None:
    assert started("one", "two").statuses(PAGE) == RESEARCH_ONLY


def test_no_p_is_shown_as_nothing() -> None:
    shown_as = {p: PairedRow("", p, 0, exact=False, refusal="").shown for p in (0.04, 3.2e-7, None)}
    assert shown_as == {0.04: "0.0400", 3.2e-7: "3e-07", None: "–"}


def test_the_command_of_the_page_asks_for_what_was_named() -> None:
    client = started("one", "two").client("researcher")
    words = " ".join(shown(client).text.split())
    assert "--seed 4 --minimum-difference 0.05 --threshold 0.1</code>" in words
    others = shown(client, minimum="", threshold="").text
    assert ("--minimum-difference" in others, "--threshold" in others) == (False, False)


def test_page_api_and_command_give_the_same_numbers(tmp_path: Path) -> None:
    people = started("one", "two", "three")
    (tmp_path / "qrels").write_text(QRELS)
    for tag in ("one", "two"):
        (tmp_path / tag).write_text(RUNS[tag])
    levels = {"alpha": 0.3, "confidence": 0.9}
    for at, test in enumerate(TESTS):
        page = shown(people.client("researcher"), test=test, **levels).context
        tests, pair = [row.p for row in page["tests"]], page["pair"]
        named: dict[str, Any] = {"minimum_difference": 0.05, "threshold": 0.1, **levels}
        design: dict[str, Any] = {"test": test, "correction": "none", "seed": 4, **named}
        query: dict[str, Any] = {"snapshot": "first", "run": ["one", "two"], "measure": "AP", **design}
        api = caller(people.researcher).get(reverse("api_evaluations_compare", args=["bees"]), query).json()
        output = io.StringIO()
        options = {"measure": ["AP"], "format": "json", "stdout": output, "stderr": io.StringIO(), **design}
        call_command("compare", *(str(tmp_path / name) for name in ("qrels", "one", "two")), **options)
        assert api == json.loads(output.getvalue())
        (measure,) = api["measures"]
        (numbers,) = measure["pairs"]
        assert page["conclusion"] == measure["conclusion"]
        assert page["runs"].comparison.test == test
        assert tests[at] == numbers["p"]
        assert (measure["mean"]["one"], measure["mean"]["two"]) == page["mean"]
        assert numbers["difference"] == pair.interval.mean
        assert (numbers["low"], numbers["high"]) == (pair.interval.low, pair.interval.high)
        assert (numbers["better"], numbers["equal"], numbers["worse"]) == (pair.n_better, pair.n_equal, pair.n_worse)
        assert (numbers["power"], numbers["topics_needed"]) == (pair.power.power, pair.needed.n_topics)
        for size in pair.effects:
            assert numbers[size.name] == size.value
            assert (numbers[f"{size.name}_low"], numbers[f"{size.name}_high"]) == (size.low, size.high)


def test_topics_stand_by_their_difference_with_links_to_those_that_are_here() -> None:
    answer = shown(started("one", "two").client("researcher"))
    rows = answer.context["rows"]
    differences = [row.difference for row in rows]
    assert (len(rows), differences) == (8, sorted(differences, reverse=True))
    assert all(row.difference == row.first - row.second for row in rows)
    assert {row.number for row in rows if row.is_here} == {"1", "2"}
    assert [number for number in "12345678" if f'href="/c/bees/topics/{number}"' in answer.text] == ["1", "2"]
    outcomes = [row.outcome for row in rows]
    pair = answer.context["pair"]
    assert [outcomes.count(name) for name in ("better", "equal", "worse")] == [
        pair.n_better,
        pair.n_equal,
        pair.n_worse,
    ]
    assert answer.text.count("<rect ") == 8
    assert "style=" not in answer.text


def test_at_first_the_two_best_runs_by_the_first_measure() -> None:
    client = started("one", "two", "three").client("researcher")
    best = [row.tag for row in client.get("/c/bees/leaderboard/").context["board"].rows]
    pair = client.get(PAGE).context["pair"]
    assert [pair.first, pair.second] == best[:2]


@pytest.mark.parametrize("tags", [(), ("one",)])
def test_nothing_to_compare_is_said(tags: tuple[str, ...]) -> None:
    answer = started(*tags).client("researcher").get(PAGE)
    assert (answer.status_code, "Nothing to compare yet" in answer.text) == (200, True)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"second": "one"}, "second"),
        ({"second": "four"}, "second"),
        ({"measure": "GMAP"}, "measure"),
        ({"measure": "NumRet"}, "measure"),
        ({"minimum": "0"}, "minimum"),
        ({"minimum": "nan"}, "minimum"),
        ({"minimum": "0.0000001"}, "__all__"),
        ({"threshold": "-1"}, "threshold"),
        ({"alpha": "1"}, "alpha"),
        ({"confidence": "nan"}, "confidence"),
        ({"test": "tukey"}, "test"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_what_cannot_be_compared_is_an_error_of_its_field(changes: dict[str, str], field: str) -> None:
    answer = started("one", "two").client("researcher").get(PAGE, asked(**changes))
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {field})
    assert "runs" not in answer.context


def test_level_and_confidence_are_those_asked_for() -> None:
    client = started("one", "two").client("researcher")
    text = shown(client, alpha="0.01", confidence="0.9", test="t").text
    assert "at the level of 0.01 (paired t-test, p " in text
    assert "90 % interval" in text
    assert "95 % interval" not in text
    assert "Paired t-test (decides)" in text
    usual = shown(client, alpha="", confidence="", test="").text
    assert "at the level of 0.05 (randomization test, p " in usual
    assert "95 % interval" in usual


def test_an_unknown_snapshot_is_not_there() -> None:
    assert started("one", "two").client("researcher").get(PAGE, {"snapshot": "none"}).status_code == 404


def test_three_runs_take_the_queries_of_two() -> None:
    people = started("one", "two", "three")
    client = people.client("researcher")
    with CaptureQueriesContext(connection) as three:
        client.get(PAGE)
    people.collection.runs.get(tag="three").evaluations.all().delete()
    with CaptureQueriesContext(connection) as two:
        client.get(PAGE)
    assert len(three) == len(two)


def test_the_documents_of_a_topic_side_by_side_by_page_api_and_command(tmp_path: Path) -> None:
    people = started("one", "two")
    client = people.client("researcher")
    answer = shown(client)
    address = f"{PAGE}/topics/1?{answer.context['topic_query']}"
    assert f'href="{address.replace("&", "&amp;")}"' in answer.text
    assert people.statuses(address) == RESEARCH_ONLY
    beside = client.get(address).context["beside"]
    row = next(row for row in answer.context["rows"] if row.number == "1")
    assert (beside.tags, beside.value) == (("one", "two"), (row.first, row.second))
    assert beside.difference == row.difference
    (tmp_path / "qrels").write_text(QRELS)
    for tag in ("one", "two"):
        (tmp_path / tag).write_text(RUNS[tag])
    output = io.StringIO()
    paths = [str(tmp_path / name) for name in ("qrels", "one", "two")]
    call_command("compare", *paths, "--measure", "AP", "--topic", "1", "--json", stdout=output, stderr=io.StringIO())
    query = {"snapshot": "first", "first": "one", "second": "two", "measure": "AP", "number": "1"}
    api = caller(people.researcher).get(reverse("api_evaluations_compare_topic", args=["bees"]), query)
    assert as_facts(beside) == json.loads(output.getvalue()) == api.json()
    for wrong in ("topics/none?", "topics/1?measure=NumRet&", "topics/1?first=none&", "topics/1?averaging=none&"):
        rest = "&".join(part for part in address.partition("?")[2].split("&") if part.partition("=")[0] not in wrong)
        assert client.get(f"{PAGE}/{wrong}{rest}").status_code == 404, wrong
