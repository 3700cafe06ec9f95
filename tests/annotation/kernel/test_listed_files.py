"""The CSV files of lists: what they are called, and that no spreadsheet runs what people have named."""

import csv

import pytest

from annotation.models import Annotator, Batch, Import, Pool, User
from tests.annotation.review.views.test_appeals import object_to
from tests.annotation.roles import make_people
from tests.annotation.worked_campaign import make_worked
from tests.factories import make_snapshot

pytestmark = pytest.mark.django_db

NAME = "=1+1"


@pytest.mark.parametrize(
    ("address", "query"),
    [
        ("batches/", "as=csv"),
        ("batches/TOKEN/", "people-as=csv"),
        ("batches/TOKEN/health", "people-as=csv"),
        ("gold/objections/", "as=csv"),
        ("gold/objections/", "columns=batch&as=csv"),
        ("gold/supply", "as=csv"),
        ("imports/", "as=csv"),
        ("people/", "columns=username&as=csv"),
        ("people/", "columns=pseudonym&q=leader&as=csv"),
        ("pools/", "as=csv"),
        ("quality/annotators", "as=csv"),
        ("snapshots/", "as=csv"),
    ],
)
def test_no_name_runs_in_a_spreadsheet(address: str, query: str) -> None:
    people = make_people()
    worked = make_worked(people.collection)
    object_to(worked, "Cedar", "G11")
    make_snapshot(people.collection, "1 0 d1 1\n", name=NAME)
    Import.objects.create(collection=people.collection, kind="topics", filename=NAME, sha256="0" * 64)
    User.objects.filter(pk=people.researcher.pk).update(username=NAME)
    User.objects.filter(pk=people.annotator.pk).update(username="leader")
    Annotator.objects.filter(user=people.annotator).update(pseudonym="=2+2")
    Annotator.objects.filter(pk=worked.people["Cedar"].pk).update(pseudonym=NAME)
    Pool.objects.update(name=NAME)
    Batch.objects.update(name=NAME)
    answer = people.client("admin").get(f"/c/bees/{address.replace('TOKEN', worked.batch.token)}?{query}")
    cells = [cell for row in csv.reader(answer.getvalue().decode().splitlines()) for cell in row]
    starts = {cell[:2] for cell in cells if "=" in cell}
    assert starts == {"'="}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("batches/TOKEN/?as=csv", "bees-first-topics"),
        ("batches/TOKEN/?people-as=csv", "bees-first-annotators"),
        ("batches/TOKEN/health?as=csv", "bees-first-health-topics"),
        ("batches/TOKEN/health?people-as=csv", "bees-first-health-annotators"),
        ("documents/d1?as=csv", "bees-document-d1-pairs"),
        ("gold/supply?as=csv", "bees-gold-supply"),
        ("quality/annotators?as=csv", "bees-first-annotators"),
        ("quality/contested/?as=csv", "bees-first-contested"),
        ("topics/1?as=csv", "bees-topic-1-pairs"),
    ],
)
def test_a_file_is_named_by_what_it_is_of(address: str, name: str) -> None:
    people = make_people()
    worked = make_worked(people.collection)
    answer = people.client("admin").get(f"/c/bees/{address.replace('TOKEN', worked.batch.token)}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.csv"'


@pytest.mark.parametrize("address", ["batches/?as=csv", "batches/TOKEN/?as=csv"])
def test_what_a_page_says_as_one_of_so_many_is_two_columns(address: str) -> None:
    people = make_people()
    worked = make_worked(people.collection)
    lines = people.client("admin").get(f"/c/bees/{address.replace('TOKEN', worked.batch.token)}").getvalue().decode()
    head = lines.splitlines()[0]
    assert "judged,expected" in head or "judgments,judgments_wanted" in head
