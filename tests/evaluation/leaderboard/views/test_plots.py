"""Plots of the leaderboard: points and curves of the means that stand in the table, and sentences about them."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from scipy import stats

from annotation.kernel.jobs import claim_job, run_job
from evaluation.leaderboard.pages.plots import curve_words, families_of, means_by
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from tests.annotation.roles import RESEARCH_ONLY, People
from tests.evaluation.leaderboard.views.test_comparing_many import RUNS, started

pytestmark = pytest.mark.django_db

PAGE = "/c/bees/leaderboard/plots"


def with_cutoffs() -> People:
    people = started(*RUNS)
    measures = ["AP", "nDCG@2", "nDCG@5", "P@2", "utility"]
    snapshot = people.collection.snapshots.get()
    ask_evaluation(snapshot, people.collection.runs.all(), measures=measures, averaging="complete", created_by=None)
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "done"
    return people


def shown(people: People, **query: str) -> Any:
    answer = people.client("researcher").get(PAGE, query)
    assert answer.status_code == 200, answer.context["form"].errors
    return answer


def test_who_sees_them() -> None:
    assert started("one", "two").statuses(PAGE) == RESEARCH_ONLY


def test_families_are_measures_that_differ_by_their_cutoff_alone() -> None:
    names = ["nDCG@10", "AP", "P@100", "nDCG(gains='exp')@5", "nDCG@5", "P(rel=2)@5", "P@9", "RR"]
    assert families_of(names) == {"nDCG": ["nDCG@5", "nDCG@10"], "P": ["P@9", "P@100"]}


def test_points_and_curves_are_the_means_of_the_table() -> None:
    answer = shown(with_cutoffs(), x="AP", y="nDCG@2", family="nDCG")
    board = answer.context["board"]
    means = {
        row.evaluation.run.tag: {name: cell.mean for name, cell in zip(board.measures, row.cells, strict=True) if cell}
        for row in board.rows
    }
    points = {dot.point.name: (dot.point.x, dot.point.y) for dot in answer.context["scatter"].dots}
    assert points == {tag: (by["AP"], by["nDCG@2"]) for tag, by in means.items()}
    assert answer.context["names"] == ["nDCG@2", "nDCG@5", "nDCG@10"]
    curves = {line.curve.name: list(line.curve.values) for line in answer.context["curves"].lines}
    assert curves == {tag: [by["nDCG@2"], by["nDCG@5"], by["nDCG@10"]] for tag, by in means.items()}
    tau = stats.kendalltau([by["AP"] for by in means.values()], [by["nDCG@2"] for by in means.values()]).statistic
    assert f"agree with τ-b {tau:.3f}." in answer.text
    drawn = [answer.text.count(mark) for mark in ("<circle", '<polyline class="curve', '<polyline class="reach"')]
    assert drawn == [2 * 4] * 3  # for a wide and for a narrow page
    pages = {row.evaluation.run.tag: f"/evaluations/{row.evaluation.pk}/" for row in board.rows}
    assert all(dot.point.href.endswith(f"{pages[dot.point.name]}?measure=AP") for dot in answer.context["scatter"].dots)
    assert all(pages[line.curve.name] in line.curve.href for line in answer.context["curves"].lines)
    assert "style=" not in answer.text


def test_runs_with_the_same_mean_are_first_together() -> None:
    board = shown(started("one", "two", "three")).context["board"]
    first, second, third = means_by(board, "R@100")
    (sentence,) = curve_words(board, ["R@100", "R@1000"])
    assert sentence.startswith(f"{first}, {second} and {third} have the highest mean")


def test_without_two_cutoffs_it_says_what_to_do() -> None:
    people = started("one", "two")
    answer = shown(people)
    assert "No measure is evaluated at two cutoffs or more" not in answer.text  # R@100 and R@1000 are
    assert answer.context["names"] == ["R@100", "R@1000"]
    assert shown(people, family="").context.get("curves") is None


def test_a_measure_by_itself_needs_no_words() -> None:
    assert shown(with_cutoffs(), x="AP", y="AP").context["scatter_words"] == []


@pytest.mark.parametrize(
    ("changes", "field"), [({"x": "nDCQ"}, "x"), ({"y": "P@7"}, "y"), ({"family": "AP"}, "family")]
)
def test_what_cannot_be_drawn_is_an_error_of_its_field(changes: dict[str, str], field: str) -> None:
    answer = started("one", "two").client("researcher").get(PAGE, changes)
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {field})


def test_nothing_to_draw_is_said() -> None:
    assert "Nothing to draw yet" in shown(started()).text


def test_strange_parameters_are_said() -> None:
    assert "<code>z</code>" in shown(started("one", "two"), z="1").text


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
