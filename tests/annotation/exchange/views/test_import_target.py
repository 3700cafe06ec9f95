"""What the page of an import says once it is published."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Import
from tests.annotation.roles import make_people

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "there", "following"),
    [
        ("topics", "topics", "imports/new/documents"),
        ("documents", "documents", "runs/new"),
        ("run", "runs", "pools/runs"),
        ("vectors", "vectors", "vectors/search"),
        ("qrels", "snapshots", "leaderboard/evaluate"),
        ("pairs", "pools", "batches/new"),
        ("gold", "gold", "batches/new"),
        ("judgments", "quality", "imports/new/gold"),
        ("collection", "documents", "runs/new"),
        ("queries", "topics", "pools/without-runs"),
        ("experiment", "ab-tests", "ab-tests/-"),
        ("clicks", "clicks", "snapshots"),
    ],
)
def test_what_is_published_says_where_it_is_and_what_comes_next(kind: str, there: str, following: str) -> None:
    people = make_people()
    record = Import.objects.create(
        collection=people.collection, kind=kind, state="published", published_at=timezone.now(), filename="a file"
    )
    page = people.client("admin").get(reverse("import_detail", args=["bees", record.pk])).text
    sentence = page.partition("Published ")[2].partition("</p>")[0]
    links = re.findall(r'href="/c/bees/([^"]+)"', sentence)
    assert (links[0].rstrip("/"), links[1].rstrip("/")) == (there, following)


def test_every_kind_of_import_is_tried_here() -> None:
    test = test_what_is_published_says_where_it_is_and_what_comes_next
    assert {kind for kind, *_ in test.pytestmark[0].args[1]} == set(Import.Kind.values)  # type: ignore[attr-defined]
