"""Deleting in portions: what is looked for outside a transaction, and what is counted."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.kernel.clearing import delete_in_portions
from annotation.models import KeptAnswer
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def kept(n: int) -> None:
    person = make_user()
    KeptAnswer.objects.bulk_create(KeptAnswer(user=person, key_hash=f"{at:064}") for at in range(n))


def test_rows_are_looked_for_before_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.kernel.clearing.PORTION", 2)
    kept(3)
    with CaptureQueriesContext(connection) as seen:
        assert delete_in_portions(KeptAnswer.objects.filter(created_at__lt=timezone.now())) == 3
    words = [query["sql"].split()[0] for query in seen]
    assert words == ["SELECT", "SAVEPOINT", "DELETE", "RELEASE"] * 2 + ["SELECT"]


def test_what_another_has_deleted_meanwhile_is_not_counted() -> None:
    kept(3)
    rows = KeptAnswer.objects.filter(created_at__lt=timezone.now())

    def sweep_elsewhere() -> None:
        rows.filter(pk__in=rows.values("pk")[:2]).delete()

    assert delete_in_portions(rows, sweep_elsewhere) == 1
