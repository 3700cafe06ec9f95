"""Pools: from pairs and from files."""

from io import BytesIO

import pytest
from django.db import IntegrityError

from annotation.corpus.steps.pooling import PoolError, create_pool_from_file, delete_pool
from annotation.formats.problems import FormatError
from annotation.models import AuditEvent, Collection, Import, Pool
from tests.annotation.campaign import make_campaign
from tests.factories import make_collection, make_document, make_topic, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]


def with_texts() -> Collection:
    collection = make_collection()
    for number in ("1", "2"):
        make_topic(collection, number)
    for docno in ("a", "b", "c"):
        make_document(collection, docno)
    return collection


def pool_of(collection: Collection, text: str, name: str = "mine") -> Pool:
    return create_pool_from_file(
        collection, name=name, stream=BytesIO(text.encode()), filename="pairs.txt", created_by=make_user()
    )


def faults(collection: Collection, text: str) -> list[str]:
    with pytest.raises(FormatError) as refused:
        pool_of(collection, text)
    assert not Pool.objects.exists()
    return [str(problem) for problem in refused.value.problems]


def test_a_file_becomes_a_pool_in_its_order() -> None:
    pool = pool_of(with_texts(), "2 c\n1 b\n2 a\n1 a\n")
    pairs = pool.pairs.order_by("topic__number", "rank").values_list("topic__number", "document__docno", "rank")
    assert list(pairs) == [("1", "b", 1), ("1", "a", 2), ("2", "c", 1), ("2", "a", 2)]
    assert (pool.n_pairs, pool.origin) == (4, {"kind": "file", "filename": "pairs.txt"})
    event = AuditEvent.objects.get(verb="pool created")
    assert (event.subject, event.detail, event.actor) == ("mine", {"pairs": 4}, pool.created_by)


def test_unknown_topics_and_documents_are_named_by_line() -> None:
    assert faults(with_texts(), "1 a\n3 a\n\n1 z\n9 z\n") == [
        "pairs.txt:2: the collection has no topic 3",
        "pairs.txt:4: the collection has no document z",
        "pairs.txt:5: the collection has no topic 9",
        "pairs.txt:5: the collection has no document z",
    ]


def test_faults_of_the_file_and_unknown_pairs_come_together() -> None:
    assert faults(with_texts(), "1 0 a 1\n1 z\n") == [
        "pairs.txt:1: 2 columns expected (number docno), 4 found; which look like qrels: keep the first and third",
        "pairs.txt:2: the collection has no document z",
    ]


def test_an_empty_file_is_refused() -> None:
    assert faults(with_texts(), "") == ["pairs.txt: there is no pair in this file"]


def test_texts_of_an_import_under_way_are_not_there_yet() -> None:
    collection = with_texts()
    record = Import.objects.create(collection=collection, kind=Import.Kind.DOCUMENTS, filename="x", sha256="0" * 64)
    collection.documents.filter(docno="a").update(brought_by=record)
    assert faults(collection, "1 a\n1 b\n") == ["pairs.txt:1: the collection has no document a"]


def test_a_name_is_taken_once() -> None:
    collection = with_texts()
    pool_of(collection, "1 a\n")
    with pytest.raises(IntegrityError):
        pool_of(collection, "1 b\n")


def test_a_pool_with_a_batch_stays() -> None:
    campaign = make_campaign()
    campaign.draft()
    with pytest.raises(PoolError):
        delete_pool(campaign.pool, actor=None)
    assert Pool.objects.filter(pk=campaign.pool.pk).exists()


def test_a_pool_without_one_can_go() -> None:
    delete_pool(pool_of(with_texts(), "1 a\n"), actor=None)
    assert not Pool.objects.exists()
    assert AuditEvent.objects.filter(verb="pool deleted", subject="mine").count() == 1
