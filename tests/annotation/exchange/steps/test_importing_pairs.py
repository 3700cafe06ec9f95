"""A file of pairs becomes a pool: filled out of sight, there at once, and gone again where it comes to nothing."""

from io import BytesIO

import pytest
from django.db import IntegrityError
from pytest_django import Settings

from annotation.corpus.read.pools import pools_of
from annotation.corpus.steps import pooling
from annotation.corpus.steps.pooling import create_pool_from_file
from annotation.exchange.steps.importing.pairs import PairImporter
from annotation.formats.problems import FormatError
from annotation.home.read.collection import collection_counts
from annotation.kernel import bulk_rows as writing
from annotation.kernel.jobs import ask_cancel
from annotation.models import AuditEvent, Collection, Pool, PoolPair
from tests.annotation.exchange.steps.import_work import bring, problems_of, stored, work
from tests.factories import make_collection, make_document, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.both("imports")]

PAIRS = "1\tB\n1\tA\n2\tC\n2\tA\n1\tC\n"


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PORTION", 2)


def with_texts() -> Collection:
    collection = make_collection()
    for number in "12":
        make_topic(collection, number)
    for docno in "ABC":
        make_document(collection, docno)
    return collection


def test_pairs_keep_the_order_of_the_file() -> None:
    collection = with_texts()
    record = stored(collection, "pairs", PAIRS, name="mine")
    pool = Pool.objects.get()
    assert (record.state, pool.brought_by, pool.n_pairs, list(pools_of(collection))) == ("published", record, 5, [pool])
    rows = pool.pairs.order_by("topic__number", "rank").values_list("topic__number", "document__docno", "rank")
    assert list(rows) == [("1", "B", 1), ("1", "A", 2), ("1", "C", 3), ("2", "C", 1), ("2", "A", 2)]
    assert pool.origin == {"kind": "file", "filename": "my.pairs", "sha256": record.sha256}
    events = AuditEvent.objects.filter(verb="pool created")
    assert list(events.values_list("subject", "detail")) == [("mine", {"pairs": 5})]


class LookedAt(PairImporter):
    """Whatever is to be seen of the pool once it is filled; then somebody cancels."""

    seen: list[tuple[int, int, int]] = []

    def stage(self, *arguments):  # type: ignore[no-untyped-def]
        preview = super().stage(*arguments)
        collection = self.record.collection
        self.seen.append((PoolPair.objects.count(), pools_of(collection).count(), collection_counts(collection).pools))
        ask_cancel(self.run.job)
        return preview


def test_nobody_sees_a_pool_before_it_is_whole_and_nothing_is_left_of_it(settings: Settings) -> None:
    settings.TOUCHSTONE_IMPORTERS = {"pairs": f"{__name__}.LookedAt"}
    collection = with_texts()
    record = bring(collection, "pairs", PAIRS, publish=True, name="mine")
    assert work() == ["done", "cancelled"]
    record.refresh_from_db()
    assert (record.state, LookedAt.seen) == ("cancelled", [(5, 0, 0)])
    assert (Pool.objects.count(), PoolPair.objects.count()) == (0, 0)


def test_a_name_that_was_taken_meanwhile_is_a_problem() -> None:
    collection = with_texts()
    record = bring(collection, "pairs", PAIRS, publish=True, name="mine")
    other = BytesIO(b"1 A\n")
    create_pool_from_file(collection, name="mine", stream=other, filename="other", created_by=None)
    work()
    record.refresh_from_db()
    assert problems_of(record) == [("my.pairs", 0, "the collection already has a pool called mine")]
    assert (record.state, Pool.objects.count(), PoolPair.objects.count()) == ("refused", 1, 1)


def test_another_collection_may_have_a_pool_of_the_same_name() -> None:
    for _ in range(2):
        assert stored(with_texts(), "pairs", PAIRS, name="mine").state == "published"
    assert Pool.objects.filter(name="mine").count() == 2


def test_more_pairs_than_are_stored_at_once_come_as_an_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pooling, "MOST_AT_ONCE", 4)
    collection = with_texts()
    with pytest.raises(FormatError, match="5 pairs, at most 4 are stored at once: import them as a file of pairs"):
        create_pool_from_file(collection, name="m", stream=BytesIO(PAIRS.encode()), filename="p", created_by=None)
    assert stored(collection, "pairs", PAIRS, name="mine").state == "published"


def test_a_pool_that_is_being_filled_holds_its_name() -> None:
    collection = with_texts()
    record = bring(collection, "pairs", PAIRS, name="mine")
    Pool.objects.create(collection=collection, name="mine", brought_by=record)
    with pytest.raises(IntegrityError):
        create_pool_from_file(collection, name="mine", stream=BytesIO(b"1 A\n"), filename="p", created_by=None)
