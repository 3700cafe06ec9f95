"""Rows put in by the portion: by COPY on PostgreSQL, with the errors that any other statement raises."""

import pytest
from django.db import DataError, IntegrityError, connection, transaction

from annotation.kernel.bulk_rows import insert
from annotation.models import Document
from tests.factories import make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def test_what_the_database_refuses_is_an_error_of_django_s() -> None:
    collection = make_collection()
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([Document(collection=collection, docno="twice") for _ in range(2)])
    if connection.vendor == "postgresql":  # SQLite knows no length
        with pytest.raises(DataError), transaction.atomic():
            insert([Document(collection=collection, docno="x" * 401)])
    assert not Document.objects.exists()


def test_rows_get_their_keys_in_order() -> None:
    collection = make_collection()
    rows = [Document(collection=collection, docno=docno) for docno in ("b\ta", "\\N", "a\nb", "é")]
    insert(rows)
    assert list(Document.objects.order_by("pk").values_list("pk", "docno")) == [(row.pk, row.docno) for row in rows]
