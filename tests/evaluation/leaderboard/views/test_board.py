"""What of the leaderboard is shown: columns, tags, a baseline, files of what is shown."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.template.defaultfilters import floatformat
from django.test import Client
from django.urls import reverse

from evaluation.leaderboard.pages.board import measures_at_first, written_mean
from evaluation.leaderboard.read.board import Cell
from evaluation.leaderboard.read.evaluations import DECIMALS, WHOLE
from tests.annotation.callers import caller
from tests.annotation.roles import People
from tests.evaluation.leaderboard.views.test_comparing_many import RUNS, started

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/leaderboard/"


def board(**query: Any) -> tuple[People, Client, Any]:
    people = started(*RUNS)
    client = people.client("researcher")
    answer = client.get(PAGE, query)
    assert answer.status_code == 200, answer.context["form"].errors
    return people, client, answer


def tags(answer: Any) -> list[str]:
    return [row.tag for row in answer.context["board"].rows]


def heads(answer: Any) -> list[str]:
    return [column.shown.head for column in answer.context["board"].heads]


def test_columns_that_fit_unless_some_are_chosen() -> None:
    _, client, answer = board()
    assert heads(answer) == ["nDCG@10", "Ranks", "nDCG", "AP", "RR", "Judged@10", "Topics", "Missing"]
    assert "GMAP" in heads(client.get(PAGE, {"primary": "GMAP"}))
    against = heads(client.get(PAGE, {"baseline": "two"}))
    assert [head for head in against if head[0] in "nJ"] == ["nDCG@10", "nDCG@10 − two", "nDCG", "Judged@10"]
    every = {"nDCG@10", "P@10", "Judged@10", "GMAP", "Topics", "Missing"}
    assert every <= set(heads(client.get(PAGE, {"measure": answer.context["all_measures"]})))
    assert "GMAP,GMAP low,GMAP high" in client.get(PAGE, {"form": "csv"}).text
    sorted_by_another = client.get(PAGE, {"primary": "AP", "sort": "P@10"})
    assert (sorted_by_another.context["sort"], "P@10" in heads(sorted_by_another)) == ("P@10", True)
    both = ["RR", "Ranks", "AP", "Topics", "Missing"]
    assert heads(client.get(PAGE, {"measure": ["AP", "RR"], "primary": "RR"})) == both
    assert heads(client.get(PAGE, {"measure": "AP", "primary": "RR"})) == both


def test_the_first_share_that_is_judged_is_enough() -> None:
    measures = ["AP", "P@1", "P@2", "P@3", "RR", *(f"Judged@{k}" for k in (1, 5, 10, 20, 100))]
    assert measures_at_first(measures, "AP", "", has_baseline=False) == ["AP", "P@1", "P@2", "P@3", "Judged@1"]


def test_rows_stand_by_the_primary_measure_unless_sorted() -> None:
    _, client, answer = board(primary="AP")
    means = [row.cells["AP"].mean for row in answer.context["board"].rows]
    assert means == sorted(means, reverse=True)
    assert answer.context["sort"] == "-AP"
    assert tags(client.get(PAGE, {"primary": "AP", "sort": "tag"})) == ["four", "one", "three", "two"]
    ascending = client.get(PAGE, {"sort": "AP"}).context["board"].rows
    assert [row.cells["AP"].mean for row in ascending] == means[::-1]


def test_a_mean_is_written_as_floatformat_writes_it() -> None:
    halves = [n / 800 + place for n in range(800) for place in (0.0, 0.00005, 0.000001)]
    for mean in (*halves, *(-half for half in halves), 2 / 3, 1e-6, 0.99995, 12345.678915, 1e16, 3.0, -0.00001):
        for digits in (DECIMALS, WHOLE):
            assert written_mean(Cell(mean, None, None, is_best=False, digits=digits)) == floatformat(mean, digits)


def test_runs_by_what_their_tag_holds() -> None:
    _, client, answer = board(tag="O")
    assert set(tags(answer)) == {"one", "two", "four"}
    empty = client.get(PAGE, {"tag": "<none>"})
    assert tags(empty) == []
    assert "No run’s tag has “&lt;none&gt;” in it." in empty.text


def test_against_a_baseline_the_numbers_and_words_are_those_of_the_comparison() -> None:
    people, client, answer = board(primary="AP", baseline="two")
    query = {"snapshot": "first", "measure": "AP", "test": "t", "baseline": "two"}
    (measure,) = (
        caller(people.researcher).get(reverse("api_evaluations_compare", args=["bees"]), query).json()["measures"]
    )
    shown = client.get(PAGE, {"primary": "AP", "baseline": "two", "form": "json"}).json()
    assert shown["conclusion"] == measure["conclusion"]
    assert all(sentence in answer.text.replace("&#x27;", "'") for sentence in measure["conclusion"])
    ours = {row["run"]: row for row in shown["runs"]}
    for pair in measure["pairs"]:
        row = ours[pair["first"]]
        names = ("difference", "difference low", "difference high", "adjusted p")
        assert [row[name] for name in names] == [pair[name] for name in ("difference", "low", "high", "adjusted_p")]
    assert ours["two"]["difference"] is None
    assert "AP − two" in heads(answer)
    assert "The family of tests is AP of the runs shown" in answer.text


def test_level_and_confidence_are_chosen() -> None:
    _, client, answer = board(primary="AP", baseline="two", alpha="0.5", confidence="0.8")
    comparison = answer.context["board"].comparison
    assert (comparison.design.alpha, comparison.design.confidence) == (0.5, 0.8)
    assert "at the level of 0.5" in comparison.conclusion[0]
    assert all(pair.interval.confidence == 0.8 for pair in comparison.pairs)
    assert client.get(PAGE, {"baseline": "two", "alpha": "0.9"}).status_code == 422


def test_the_family_is_of_the_runs_shown() -> None:
    _, client, answer = board(primary="AP", baseline="two", tag="one")
    assert len(answer.context["board"].comparison.pairs) == 1
    assert tags(answer) == ["one"]
    assert len(client.get(PAGE, {"primary": "AP", "baseline": "two"}).context["board"].comparison.pairs) == 3


def test_the_difference_sorts() -> None:
    _, _, answer = board(primary="AP", baseline="two", sort="-difference")
    *others, last = answer.context["board"].rows
    assert last.tag == "two"  # the baseline itself
    differences: list[float] = [row.pair.interval.mean for row in others]
    assert differences == sorted(differences, reverse=True)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"baseline": "five"}, "baseline"),
        ({"baseline": "one", "primary": "GMAP"}, "baseline"),
        ({"baseline": "one", "primary": "NumRet"}, "primary"),
        ({"measure": "nDCQ"}, "measure"),
    ],
)
def test_what_cannot_be_shown_is_an_error_of_its_field(changes: dict[str, str], field: str) -> None:
    answer = started(*RUNS).client("researcher").get(PAGE, changes)
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {field})
    assert len(tags(answer)) == 4


def test_files_have_what_is_shown_in_its_order() -> None:
    _, client, answer = board(primary="AP", measure="AP", baseline="two", sort="-tag")
    query = {"primary": "AP", "measure": "AP", "baseline": "two", "sort": "-tag"}
    rows = list(csv.DictReader(io.StringIO(client.get(PAGE, {**query, "form": "csv"}).content.decode())))
    assert [row["run"] for row in rows] == tags(answer) == ["two", "three", "one", "four"]
    assert list(rows[0]) == [
        *("run", "AP", "AP low", "AP high", "best rank", "worst rank"),
        *("difference", "difference low", "difference high", "adjusted p"),
        *("topics", "missing"),
    ]
    stored = {row.tag: row.cells["AP"].mean for row in answer.context["board"].rows}
    assert {row["run"]: row["AP"] for row in rows} == {tag: f"{mean:.4f}" for tag, mean in stored.items()}
    latex = client.get(PAGE, {**query, "form": "latex"}).content.decode()
    assert latex.splitlines()[-3].startswith("four & ")
    assert json.loads(client.get(PAGE, {**query, "form": "json"}).content)["runs"][0]["AP"] == stored["two"]


def test_what_the_address_names_in_vain_is_said() -> None:
    _, client, answer = board(mesure="AP")
    assert "<code>mesure</code>" in answer.text
    assert "ignores them" not in client.get(PAGE, {"measure": "AP", "sort": "tag", "snapshot": "first"}).text


def test_ranks_are_those_of_the_comparison_of_all_runs_shown() -> None:
    people, client, answer = board(primary="AP", alpha="0.2")
    query = {"snapshot": "first", "measure": "AP", "alpha": "0.2"}
    whole = caller(people.researcher).get(reverse("api_evaluations_compare_many", args=["bees"]), query).json()
    ranks = {run["run"]: (run["best_rank"], run["worst_rank"]) for run in whole["measures"][0]["runs"]}
    assert len(set(ranks.values())) > 1
    rows = client.get(PAGE, {"primary": "AP", "alpha": "0.2", "form": "json"}).json()["runs"]
    assert {row["run"]: (row["best rank"], row["worst rank"]) for row in rows} == ranks
    assert "leaves a run: they hold for all of them together" in " ".join(answer.text.split())
    by_rank = client.get(PAGE, {"primary": "AP", "alpha": "0.2", "sort": "-rank"})
    assert [ranks[tag] for tag in tags(by_rank)] == sorted(ranks.values(), reverse=True)
    two = client.get(PAGE, {"primary": "AP", "tag": "o", "form": "json"}).json()["runs"]
    assert max(row["worst rank"] for row in two) == 3
    assert "Ranks" not in heads(client.get(PAGE, {"primary": "GMAP"}))


def test_intervals_of_means_at_a_level_by_page_api_and_command() -> None:
    people, client, _ = board()
    output = io.StringIO()
    call_command("leaderboard", "show", "bees", "first", "--confidence", "0.8", "--json", stdout=output)
    command = {each["run"]: each["means"] for each in json.loads(output.getvalue())}
    query = {"snapshot": "first", "confidence": "0.8"}
    results = caller(people.researcher).get(reverse("api_evaluations", args=["bees"]), query).json()["results"]
    assert {each["run"]: each["means"] for each in results} == command
    rows = client.get(PAGE, {"confidence": "0.8", "form": "json"}).json()["runs"]
    page = {row["run"]: (row["AP"], row["AP low"], row["AP high"]) for row in rows}
    assert page == {tag: tuple(means["AP"].values()) for tag, means in command.items()}
    at_95 = {row["run"]: row["AP low"] for row in client.get(PAGE, {"form": "json"}).json()["runs"]}
    assert all(at_95[tag] < low for tag, (_, low, _) in page.items())
    assert "Bars are 80 % intervals" in client.get(PAGE, {"confidence": "0.8"}).text
