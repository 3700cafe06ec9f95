"""The page of one run: beside the best and the median run, and its ranking of a topic with grades."""

import statistics
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Topic
from evaluation.engine.one_run import LEVELS
from evaluation.leaderboard.read.evaluations import values_of
from evaluation.leaderboard.steps.evaluating import ask_evaluation
from evaluation.models import Evaluation
from tests.annotation.roles import RESEARCH_ONLY, People, make_people
from tests.evaluation.leaderboard.views.test_comparing_many import RUNS, started
from tests.factories import make_document, make_run, make_snapshot, make_topic

pytestmark = pytest.mark.django_db


def page_of(tag: str = "two") -> str:
    return f"/c/bees/evaluations/{Evaluation.objects.get(run__tag=tag).pk}/"


def shown(people: People, **query: str) -> Any:
    answer = people.client("researcher").get(page_of(), query)
    assert answer.status_code == 200
    return answer


def test_who_sees_them() -> None:
    people = started("one", "two")
    assert people.statuses(page_of()) == RESEARCH_ONLY
    assert people.statuses(f"{page_of()}topics/1") == RESEARCH_ONLY


def test_each_topic_stands_beside_the_median_and_the_best_run() -> None:
    answer = shown(started(*RUNS), measure="AP")
    values = {}
    for each in Evaluation.objects.select_related("run"):
        stored = values_of(each)
        column = stored.value[:, stored.measures.index("AP")].tolist()
        values[each.run.tag] = dict(zip(stored.numbers, column, strict=True))
    rows = answer.context["topics"]
    assert len(rows) == len(answer.context["plot"].marks) == 8
    for row in rows:
        of_topic = {tag: column[row.number] for tag, column in values.items()}
        assert row.value == of_topic["two"]
        assert row.median == pytest.approx(statistics.median(of_topic.values()))
        assert row.best == of_topic[row.best_tag] == max(of_topic.values())
        assert row.difference == row.value - row.median
    medians = [row.median for row in rows]
    assert medians == sorted(medians)
    assert f"Hardest for the median run by AP: {rows[0].number} ({rows[0].median:.4f}), " in answer.text


@pytest.mark.parametrize("sort", ["value", "-difference", "-best", "topic"])
def test_topics_sort(sort: str) -> None:
    rows = shown(started(*RUNS), measure="AP", sort=sort).context["topics"]
    key = sort.removeprefix("-")
    keys = [int(row.number) if key == "topic" else getattr(row, key) for row in rows]
    assert keys == sorted(keys, reverse=sort.startswith("-"))
    assert len(rows) == 8


def test_thousands_of_topics_come_in_pages() -> None:
    people = make_people()
    snapshot = make_snapshot(people.collection, "".join(f"{n} 0 D{n} 1\n" for n in range(3000)))
    run = make_run(people.collection, "".join(f"{n} Q0 D{n} 1 1.0 two\n" for n in range(3000)))
    ask_evaluation(snapshot, [run], measures=["AP", "P@5"], averaging="complete", created_by=None)
    while job := claim_job():
        assert run_job(job).state == "done"
    answer = shown(people, page="10", against="2")
    assert len(answer.content) < 1_000_000
    assert [number for number, _ in answer.context["rows"]] == [str(n) for n in range(2700, 3000)]
    assert ("2,701–3,000 of 3,000" in answer.text, "301–600 of 3,000" in answer.text) == (True, True)
    client, where = people.client("researcher"), {"snapshot": snapshot.name, "averaging": "complete"}
    board = client.get("/c/bees/leaderboard/topics", {**where, "measure": "AP", "page": "30"})
    assert (len(board.content) < 1_000_000, "2,901–3,000 of 3,000" in board.text) == (True, True)
    values = client.get("/c/bees/leaderboard/values.csv", {**where, "rows": "topics"})
    assert (values.streaming, values.getvalue().count(b"\n")) == (True, 3002)


def test_precision_over_recall_is_drawn() -> None:
    answer = shown(started("one", "two"))
    (line,) = answer.context["recall"].lines
    assert len(line.points.split()) == len(LEVELS) == 11
    assert list(line.curve.values) == sorted(line.curve.values, reverse=True)
    assert line.curve.values[0] <= 1


def test_a_measure_that_is_not_there() -> None:
    client = started("one", "two").client("researcher")
    assert client.get(page_of(), {"measure": "P@7"}).status_code == 404
    assert "<code>mesure</code>" in client.get(page_of(), {"mesure": "AP"}).text


def test_a_ranking_shows_grades_and_leads_to_what_is_here() -> None:
    people = started("one", "two")
    make_document(people.collection, "d3")
    make_topic(people.collection, "1")
    answer = people.client("researcher").get(f"{page_of()}topics/1")
    rows = answer.context["rows"]
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {row.docno: row.grade for row in rows} == {f"d{n}": n % 3 for n in range(6)}
    assert 'href="/c/bees/documents/d3"' in answer.text
    assert 'href="/c/bees/documents/d2"' not in answer.text
    assert 'href="/c/bees/topics/1"' in answer.text
    assert Topic.objects.count() == 1


def test_a_topic_that_the_snapshot_lacks() -> None:
    people = started("one", "two")
    assert people.client("researcher").get(f"{page_of()}topics/77").status_code == 404


def test_four_runs_take_the_queries_of_two() -> None:
    people = started(*RUNS)
    client = people.client("researcher")
    with CaptureQueriesContext(connection) as four:
        client.get(page_of())
    for tag in ("three", "four"):
        people.collection.runs.get(tag=tag).evaluations.all().delete()
    with CaptureQueriesContext(connection) as two:
        client.get(page_of())
    assert len(four) == len(two)
