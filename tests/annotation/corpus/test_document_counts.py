"""The number of documents, as imports keep it beside a count over the rows."""

import pytest

from annotation.corpus.read.document_counts import Documents, counted_documents, kept_documents
from annotation.corpus.steps.document_counts import recount_documents
from annotation.models import Collection, DocumentCount
from tests.annotation.exchange.steps.import_work import many, stored
from tests.factories import make_collection, make_documents

pytestmark = [pytest.mark.django_db, pytest.mark.both("text")]


def row(collection: Collection) -> Documents | None:
    values = DocumentCount.objects.filter(collection=collection).values_list("n_documents", "n_with_text").first()
    return Documents(*values) if values else None


def test_each_import_adds_what_it_makes_visible() -> None:
    collection = make_collection()
    make_documents(collection, ["A", "B"])
    assert (row(collection), kept_documents(collection)) == (None, Documents(2, 2))
    stored(collection, "documents", many(3))
    assert row(collection) == counted_documents(collection) == Documents(5, 5)
    stored(collection, "judgments", "number,docno,annotator,grade\n1,D0,w,2\n1,E,w,1\n", name="crowd")
    assert row(collection) == counted_documents(collection) == Documents(6, 5)
    stored(collection, "documents", many(4, text="another") + '{"docno": "E", "text": "one"}\n', on_conflict="version")
    assert row(collection) == counted_documents(collection) == Documents(7, 7)
    stored(collection, "documents", many(4), on_conflict="version")
    assert row(collection) == counted_documents(collection) == Documents(7, 7)


def test_what_comes_to_nothing_is_not_counted() -> None:
    collection = make_collection()
    stored(collection, "documents", many(3))
    assert stored(collection, "documents", many(2, text="another") + many(9)).state == "refused"
    assert row(collection) == counted_documents(collection) == Documents(3, 3)


def test_a_recount_sets_a_wrong_number_right() -> None:
    collection = make_collection()
    stored(collection, "documents", many(3))
    DocumentCount.objects.update(n_documents=9, n_with_text=0)
    recount_documents(collection)
    assert row(collection) == Documents(3, 3)
