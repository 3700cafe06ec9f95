"""Thirty-two people judge one batch at once; submissions are doubled and the server is killed in the middle.

The same checker watches a naive variant that counts judgments and then inserts one; there it must find breaches.
"""

import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.judging.steps.stock import FIRST_N
from annotation.kernel.blocks import recount_blocks
from annotation.models import Annotator, Assignment, Batch, Item, Judgment, Slot
from tests.annotation.campaign import make_campaign
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.clients import PATIENCE, Client
from tests.journeys.invariants import AT_HAND, broken_invariants
from tests.live import Server
from tests.soak.judging import at_the_end, room_of

pytestmark = pytest.mark.both("locks")

PEOPLE = 32


@pytest.fixture
def server(transactional_db: None, tmp_path: Path) -> Generator[Server, None, None]:
    server = Server(tmp_path / "var")
    server.start()
    yield server
    server.stop()


def race_batch(n_documents: int, judgments_per_item: int) -> tuple[Batch, list[Annotator]]:
    collection = make_collection()
    people = [make_annotator(collection) for _ in range(PEOPLE)]
    batch = make_batch(collection, people, n_topics=8, n_documents=n_documents, judgments_per_item=judgments_per_item)
    return batch, people


def test_thirty_two_people_and_a_server_killed_in_the_middle(server: Server) -> None:
    batch, people = race_batch(n_documents=6, judgments_per_item=5)
    clients = [Client(server, batch, person, seed) for seed, person in enumerate(people)]
    threads = [threading.Thread(target=client.judge_to_the_end) for client in clients]
    for thread in threads:
        thread.start()
    _wait_for(lambda: Judgment.objects.filter(batch=batch).count() >= 90)
    server.kill()
    before = Judgment.objects.filter(batch=batch).count()
    server.start()
    for thread in threads:
        thread.join()

    acknowledged = {token: grade for client in clients for token, grade in client.acknowledged.items()}
    assert broken_invariants(batch, acknowledged) == []
    assert 90 <= before < 240, "the server was killed in the middle"
    assert Judgment.objects.filter(batch=batch, surplus=False).count() == 8 * 6 * 5
    assert not Slot.objects.filter(batch=batch).exclude(state=Slot.State.JUDGED).exists()
    assert [fault for client in clients for fault in client.faults] == []


def test_thirty_two_people_on_a_layout_where_coins_decide(server: Server) -> None:
    """The same people in the same blocks: what coins keep for one is nobody else's, and every wanted slot is filled."""
    campaign = make_campaign(n_topics=4, n_pairs=24, n_gold=12, n_people=PEOPLE)
    batch = campaign.draft(
        gold_share=0.2, check_share=0.05, repeat_share=0.05, judgments_per_item=4, minimum_seconds=0, session_minutes=0
    )
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    clients = [Client(server, batch, person, seed) for seed, person in enumerate(campaign.annotators)]
    threads = [threading.Thread(target=client.judge_to_the_end) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    acknowledged = {token: grade for client in clients for token, grade in client.acknowledged.items()}
    assert broken_invariants(batch, acknowledged) == []
    wanted = Slot.objects.filter(batch=batch, item__planting__isnull=True, reading=1)
    assert set(wanted.values_list("state", flat=True)) == {Slot.State.JUDGED}
    assert Judgment.objects.filter(batch=batch, item__planting__purpose="gold").count() > 50
    assert [fault for client in clients for fault in client.faults] == []


def test_the_checker_catches_a_naive_variant(transactional_db: None) -> None:
    batch, people = race_batch(n_documents=1, judgments_per_item=2)
    item = Item.objects.filter(batch=batch).earliest("id")
    counted = threading.Barrier(4)

    def judge_naively(person: Annotator) -> None:
        """Count, then insert: between the two, others have counted as well."""
        n = Judgment.objects.filter(item=item).count()
        counted.wait(30)
        if n < batch.judgments_per_item:
            insert_without_slot(item, person)
        connection.close()

    threads = [threading.Thread(target=judge_naively, args=(person,)) for person in people[:4]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    breaches = broken_invariants(batch, {"a form that was never stored": 3})
    assert f"item {item.pk}: 4 judgments in 2 slots" in breaches
    assert "form a form that was never stored: grade 3 was acknowledged, None is stored" in breaches
    assert f"item {item.pk}: 0 counted, 4 judged" in breaches
    assert {f"annotator {person.pk}: 0 counted, 1 judged" for person in people[:4]} <= set(breaches)


def test_the_checker_catches_leases_that_are_not_right(db: None) -> None:
    batch, people = race_batch(n_documents=1, judgments_per_item=1)
    *slots, lost = Slot.objects.filter(batch=batch).order_by("pk")[: AT_HAND + 2]
    moment = timezone.now()
    for slot in slots:
        Assignment.objects.create(
            collection_id=slot.collection_id, batch=batch, item=slot.item, annotator=people[0], slot=slot,
            claimed_at=moment,
        )  # fmt: skip
    Slot.objects.filter(pk__in=[*(slot.pk for slot in slots[:-1]), lost.pk]).update(state="leased", lease_until=moment)
    recount_blocks(batch)
    assert broken_invariants(batch) == [
        f"slot {lost.pk} is leased to nobody",
        f"slot {slots[-1].pk} is not leased, and somebody has a lease on it",
        f"annotator {people[0].pk} holds {AT_HAND + 1} leases",
    ]


def test_the_soak_tells_what_is_left_when_all_have_finished(db: None) -> None:
    batch, _ = race_batch(n_documents=1, judgments_per_item=2)
    room, item = room_of(batch), Item.objects.filter(batch=batch).earliest("id")
    assert at_the_end(batch, room, {}) == ["16 open slots are left"]
    made_for = Annotator.objects.filter(participations__batch=batch).earliest("id")
    Slot.objects.create(
        collection_id=batch.collection_id, batch=batch, item=item, block=item.block, n=FIRST_N,
        reserved_for=made_for, due=1,
    )  # fmt: skip
    assert at_the_end(batch, room, {}) == ["16 open slots are left"]
    Slot.objects.filter(item=item, n=0).update(state="leased", lease_until=timezone.now())
    Slot.objects.filter(item=item, n=1).delete()
    assert at_the_end(batch, room, {}) == [
        "an item wants more judgments than it did, or fewer",
        "1 leases are left",
        "14 open slots are left",
    ]
    insert_without_slot(item, Annotator.objects.filter(collection=batch.collection).earliest("id"))
    assert "form naive-" in at_the_end(batch, room, {})[1]


def insert_without_slot(item: Item, person: Annotator) -> None:
    moment = timezone.now()
    assignment = Assignment.objects.create(
        collection_id=item.collection_id, batch_id=item.batch_id, item=item, annotator=person,
        state=Assignment.State.SURPLUS, claimed_at=moment,
    )  # fmt: skip
    Judgment.objects.create(
        collection_id=item.collection_id, batch_id=item.batch_id, item=item, topic_id=item.topic_id,
        document_id=item.document_id, annotator=person, assignment=assignment, revision=1,
        token=f"naive-{person.pk}", criterion="relevance", scale_id=item.scale_id, grade=1, created_at=moment,
    )  # fmt: skip


def _wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)
