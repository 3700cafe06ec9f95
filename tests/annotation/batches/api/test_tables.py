"""Hours of work, and how a policy steers a batch, by the API: the rows of the pages' files."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.models import Batch, Item
from tests.annotation.batches.api.test_batches import judged_batch
from tests.annotation.batches.steps.overlap_work import make_steered
from tests.annotation.batches.steps.test_overlap import judged_apart
from tests.annotation.callers import RESEARCH, caller, statuses
from tests.annotation.counting import queries_of
from tests.annotation.roles import make_people
from tests.factories import make_batch, make_collection

pytestmark = pytest.mark.django_db


def at(name: str, batch: Batch) -> str:
    return reverse(f"api_batch_{name}", args=["bees", batch.token])


def test_hours_a_row_a_person_and_day() -> None:
    people = make_people()
    batch = judged_batch(people)
    assert statuses(people, at("hours", batch)) == RESEARCH
    client = caller(people.researcher)
    (row,) = client.get(at("hours", batch)).json()["results"]
    assert (row["annotator"], row["judgments"], row["active_hours"], row["wall_hours"]) == ("A-TWO", 3, 1.5, 3.0)
    assert client.get(at("hours", make_batch(make_collection(), []))).status_code == 404


def test_how_a_policy_steers_is_as_in_the_file() -> None:
    people = make_people()
    steered = make_steered(people.collection)
    judged_apart(steered)
    steered.look()
    client = caller(people.researcher)
    rows = client.get(at("overlap", steered.batch)).json()["results"]
    file = people.client("researcher").get(f"/c/bees/batches/{steered.batch.token}/overlap.csv").text
    assert [str(row["judgments"]) for row in rows] == [row["judgments"] for row in csv.DictReader(io.StringIO(file))]
    assert sum(row["gold_pairs"] for row in rows) == 32
    assert statuses(people, at("overlap", steered.batch)) == RESEARCH
    assert client.get(at("overlap", make_batch(people.collection, []))).status_code == 404


def test_the_number_of_queries_for_withheld_pairs_does_not_grow() -> None:
    people = make_people()
    batch, client = make_batch(people.collection, [], n_documents=4), caller(people.admin)
    items = [item.pk for item in batch.items.order_by("pk")]
    counts = []
    for n in (1, 3):
        Item.objects.filter(pk__in=items[:n]).update(withheld=True)
        counts.append(queries_of(client, at("withheld", batch), n))
    assert counts[0] == counts[1]
