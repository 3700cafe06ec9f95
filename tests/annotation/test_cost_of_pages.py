"""What a page makes the database read does not grow with judgments, pairs, documents and gold that it does not show."""

import pytest
from django.test import Client

from annotation.corpus.steps.document_counts import recount_documents
from annotation.kernel.blocks import recount_blocks
from annotation.kernel.judged import keeping
from annotation.kernel.judged.keeping import keep_columns
from annotation.kernel.judgment_counts import recount_batch
from annotation.models import Batch, Collection, Item, Slot
from annotation.trust.read import results
from annotation.trust.steps import results as sweeping
from annotation.trust.steps.results import sweep_results
from tests.factories import (
    make_annotators,
    make_batch,
    make_collection,
    make_documents,
    make_golds,
    make_items,
    make_judgments,
    make_topics,
    make_user,
)
from tests.rows_read import plan_by_indexes, rows_of, tell_all

pytestmark = [pytest.mark.django_db, pytest.mark.both("reads")]

N_TOPICS, N_PEOPLE = 4, 3
SMALL, LARGE = 20, 60  # documents of each topic; each pair has two judgments
ROOM = 60  # rows; of the judgments alone there are 320 more
PAGES = (
    "",
    "start",
    "people/",
    "alerts/",
    "batches/{token}/health",
    "batches/{token}/close",
    "quality/",
    "quality/contested/",
    "quality/annotators/{person}/",
    "quality/watch",
    "gold/suspects",
)


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a large batch is, so that its results are kept; and indexes even where a whole table is as quick."""
    monkeypatch.setattr(keeping, "SETTLED", -3_600_000_000)
    monkeypatch.setattr(results, "LARGE", 1)
    monkeypatch.setattr(sweeping, "_looked", [])
    monkeypatch.setattr(sweeping, "TIMES", 0)
    plan_by_indexes()


def test_pages_read_no_more_where_more_was_judged() -> None:
    small, large = (_rows_by_page(n) for n in (SMALL, LARGE))
    assert {page: (small[page], n) for page, n in large.items() if n > small[page] + ROOM} == {}


def test_no_page_reads_everybody_to_count_who_is_paused() -> None:
    """The list of topics shows nobody, but the navigation beside it how many are paused."""
    client, admin = Client(), make_user()
    small, large = (make_collection(admin=admin) for _ in range(2))
    make_annotators(small, [""] * N_PEOPLE)
    make_annotators(large, [""] * (N_PEOPLE + 3 * ROOM))
    tell_all()
    client.force_login(admin)
    few, many = (rows_of(client, f"/c/{collection.slug}/topics/") for collection in (small, large))
    assert many <= few + ROOM


def _rows_by_page(n_documents: int) -> dict[str, int]:
    admin = make_user()
    batch = _judged(make_collection(admin=admin), n_documents)
    client = Client()
    client.force_login(admin)
    names = {"token": batch.token, "person": batch.participations.latest("pk").annotator.pseudonym}
    address = {page: f"/c/{batch.collection.slug}/{page.format(**names)}" for page in PAGES}
    rows = _rows_once_made(client, address)
    make_golds(list(Item.objects.filter(batch=batch)), 1)
    tell_all()
    return rows | _rows_once_made(client, {"gold/": f"/c/{batch.collection.slug}/gold/"})


def _rows_once_made(client: Client, address: dict[str, str]) -> dict[str, int]:
    """By page, once the worker has made what these pages ask for."""
    for each in address.values():
        client.get(each)
    sweeping._looked.clear()
    sweep_results()
    return {page: rows_of(client, each) for page, each in address.items()}


def _judged(collection: Collection, n_documents: int) -> Batch:
    """Topics with so many documents each and one with a single one, all judged by two people; the last person judges
    that one alone."""
    people = make_annotators(collection, [""] * N_PEOPLE)
    batch = make_batch(collection, people, n_topics=N_TOPICS, n_documents=n_documents)
    (topic,), (document,) = make_topics(collection, ["constant"]), make_documents(collection, ["constant"])
    make_items(batch, topic, [document], block=N_TOPICS)
    slots = Slot.objects.filter(batch=batch).select_related("item").order_by("pk")
    slots.update(state=Slot.State.JUDGED)
    judged_by = [people[-1 if (slot.item.topic_id, slot.n) == (topic.pk, 0) else slot.n] for slot in slots]
    judgments = [(slot.item, person, slot.item.block % 3) for slot, person in zip(slots, judged_by, strict=True)]
    make_judgments(judgments, slots=list(slots))
    recount_blocks(batch)
    recount_batch(batch)
    recount_documents(collection)
    keep_columns(batch, behind=1, least=1)
    tell_all()
    return batch
