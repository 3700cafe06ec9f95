"""Hours of a batch under way: by day, and what a judgment takes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.batches.read import batches
from annotation.batches.read.batches import seconds_per_judgment
from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.models import (
    Judgment,
    User,
)
from tests.annotation.batches.views.under_way import NOW, judge, under_way
from tests.annotation.callers import caller

pytestmark = pytest.mark.django_db


def test_hours_as_csv() -> None:
    people, campaign, batch = under_way()
    campaign.annotators[0].pseudonym = "=1+1"
    campaign.annotators[0].save()
    judge(batch, 0, 10)
    day = NOW.date().isoformat()
    Judgment.objects.update(created_at=NOW)
    answer = people.client("researcher").get(f"/c/bees/batches/{batch.token}/hours.csv")
    assert answer.text == (f"day,annotator,judgments,active_hours,wall_hours\r\n{day},'=1+1,10,0.0500,0.1000\r\n")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="first-hours.csv"'


def test_the_days_of_the_hours_are_those_of_the_api_whatever_the_zone_of_the_reader() -> None:
    people, _, batch = under_way()
    judge(batch, 0, 2)
    late = NOW.replace(hour=23, minute=30)
    Judgment.objects.update(created_at=late)
    User.objects.filter(pk=people.researcher.pk).update(time_zone="Pacific/Kiritimati")
    file = people.client("researcher").get(f"/c/bees/batches/{batch.token}/hours.csv").text
    (row,) = caller(people.researcher).get(f"/api/v1/collections/bees/batches/{batch.token}/hours").json()["results"]
    assert {file.splitlines()[1].split(",")[0], row["day"]} == {late.date().isoformat()}


def test_hours_are_measured_once_there_are_judgments_enough() -> None:
    _, campaign, batch = under_way(n_pairs=20)
    assert seconds_per_judgment(campaign.collection, minimum=10) == (30, False)
    assert seconds_per_judgment(campaign.collection, minimum=45) == (45, False)
    judge(batch, 0, 20, seconds=40)
    assert seconds_per_judgment(campaign.collection, minimum=10) == (20, True)


def test_hours_follow_from_the_newest_batches_however_many_judgments_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    _, campaign, batch = under_way(n_pairs=50)
    newer = campaign.draft(name="newer")
    lay_out(newer, actor=None)
    open_batch(newer, actor=None)
    judge(newer, 0, 20, seconds=60)
    judge(batch, 1, 20, seconds=40)
    monkeypatch.setattr(batches, "NEWEST_TIMES", 20)
    with CaptureQueriesContext(connection) as queries:
        assert seconds_per_judgment(campaign.collection, minimum=10) == (30, True)
    (query,) = queries
    assert query["sql"].endswith("LIMIT 20")
    if connection.vendor == "sqlite":  # with rows so few PostgreSQL reads the whole table
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            plan = [row[-1] for row in cursor.fetchall()]
        assert plan == ["SEARCH annotation_judgment USING INDEX judgment_by_batch (collection_id=?)"]
