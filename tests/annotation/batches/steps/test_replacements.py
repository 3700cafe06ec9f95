"""Judgments missing since somebody was excluded: counted, replaced once, and what came of it after a reinstatement."""

import threading
from collections.abc import Callable, Sequence
from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from annotation.batches.read.gold_ahead import coming
from annotation.batches.read.replacements import Missing, additions, missing_in, missing_judgments
from annotation.batches.steps.batches import close_batch, open_batch, reopen_batch
from annotation.batches.steps.layout import AddingError, lay_out
from annotation.batches.steps.replacements import replace_lost, withdraw_spare
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import record_judgment
from annotation.models import Annotator, AuditEvent, Batch, Collection, Participation, Planting, Slot
from annotation.trust.steps.exclusions import exclude_annotator, reinstate_annotator
from annotation.trust.steps.pausing import pause_annotator
from tests.annotation.campaign import make_campaign
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item

pytestmark = pytest.mark.both("locks")

NOW = timezone.now()


def judge_all(person: Participation) -> int:
    n = 0
    while card := claim_next(person, moment=NOW):
        record_judgment(person, token=card.token, grade=1, moment=NOW)
        n += 1
    return n


def campaign(*, n_people: int = 3, **columns: object) -> tuple[Batch, list[Annotator]]:
    """Three pairs, two judgments each: made by the first two people. The others have not begun."""
    collection = make_collection()
    people = [make_annotator(collection, pseudonym=name) for name in ("Amber", "Birch", "Cedar", "Dune")[:n_people]]
    batch = make_batch(collection, people, n_documents=3, judgments_per_item=2, **columns)  # type: ignore[arg-type]
    for person in batch.participations.order_by("pk")[:2]:
        assert judge_all(person) == 3
    return batch, people


def exclude(annotator: Annotator) -> None:
    exclude_annotator(annotator, reason="Looked away", actor=None)


def missing(batch: Batch) -> Missing:
    return missing_in(Batch.objects.select_related("collection").get(pk=batch.pk))


@pytest.mark.django_db
def test_nothing_is_missing_before_and_one_a_pair_after() -> None:
    batch, (amber, *_) = campaign()
    assert missing_judgments(batch.collection) == []
    exclude(amber)
    (loss,) = missing_judgments(batch.collection)
    assert loss == missing(batch)
    assert (loss.batch, loss.n, sorted(loss.n_of.values()), set(loss.most.values())) == (batch, 3, [1, 1, 1], {3})
    assert (loss.names, loss.n_stuck, loss.cost, loss.can_be_added) == (["Amber"], 0, None, True)
    assert loss.hours == pytest.approx(3 * 30 / 3600)
    assert Slot.objects.count() == 6


@pytest.mark.django_db
def test_a_pause_alone_loses_nothing() -> None:
    batch, (amber, *_) = campaign()
    pause_annotator(amber, reason="Too fast", actor=None)
    assert missing(batch).n == 0


@pytest.mark.django_db
def test_open_slots_are_still_to_come_and_not_missing() -> None:
    collection = make_collection()
    amber = make_annotator(collection)
    batch = make_batch(collection, [amber, make_annotator(collection)], n_documents=2, judgments_per_item=2)
    judge_all(batch.participations.get(annotator=amber))
    exclude(amber)
    loss = missing(batch)
    assert (loss.n, set(loss.most.values())) == (2, {3})


@pytest.mark.django_db
def test_gold_checks_and_withheld_pairs_are_not_replaced() -> None:
    batch, (amber, *_) = campaign()
    gold, withheld, _ = batch.items.order_by("pk")
    Planting.objects.create(item=gold, purpose=Planting.Purpose.GOLD)
    withheld.withheld = True
    withheld.save()
    exclude(amber)
    assert missing(batch).n == 1


@pytest.mark.django_db
def test_replacing_is_confirmed_once_and_judged_by_those_who_have_not_met_the_pair() -> None:
    batch, (amber, _birch, _cedar) = campaign()
    exclude(amber)
    added = replace_lost(batch, n=3, actor=None)
    assert (added.n_slots, added.n_items) == (3, 3)
    assert missing_judgments(batch.collection) == []
    with pytest.raises(AddingError, match="0 judgments are missing"):
        replace_lost(batch, n=3, actor=None)
    assert [judge_all(person) for person in batch.participations.order_by("pk")] == [0, 0, 3]
    (row,) = additions(batch.collection)
    assert (row.batch, row.n_added, row.n_judged, row.n_beyond) == (batch, 3, 3, 0)
    assert row.events[0].detail == {"slots": 3, "items": 3, "reason": "in place of judgments of Amber"}


@pytest.mark.django_db
def test_reinstating_shows_what_was_added_and_excluding_again_asks_for_nothing_new() -> None:
    batch, (amber, _birch, cedar) = campaign()
    exclude(amber)
    replace_lost(batch, n=3, actor=None)
    judge_all(batch.participations.get(annotator=cedar))
    reinstate_annotator(amber, reason="Looked again", actor=None)
    (row,) = additions(batch.collection)
    assert (row.n_added, row.n_judged, row.n_beyond) == (3, 3, 3)
    assert missing_judgments(batch.collection) == []
    exclude(amber)
    assert missing_judgments(batch.collection) == []
    exclude(cedar)
    assert missing(batch).n == 3
    assert missing(batch).names == ["Amber", "Cedar"]


@pytest.mark.django_db
def test_it_says_for_how_many_nobody_is_left() -> None:
    batch, (amber, birch, cedar, dune) = campaign(n_people=4)
    exclude(amber)
    assert missing(batch).n_stuck == 0
    pause_annotator(dune, reason="Too fast", actor=None)
    assert missing(batch).n_stuck == 0
    item = batch.items.order_by("pk")[0]
    Slot.objects.create(collection=batch.collection, batch=batch, item=item, n=2, block=0)
    assert (missing(batch).n, missing(batch).n_stuck) == (2, 0)
    pause_annotator(cedar, reason="Too fast", actor=None)
    assert missing(batch).n_stuck == 2
    exclude(birch)
    assert (missing(batch).n, missing(batch).n_stuck) == (5, 5)


@pytest.mark.django_db
def test_the_cost_is_the_batch_s_else_the_collection_s() -> None:
    batch, (amber, *_) = campaign()
    exclude(amber)
    Collection.objects.update(cost_per_judgment=Decimal("0.5"), currency="EUR")
    assert missing(batch).cost == Decimal("1.5")
    Batch.objects.update(cost_per_judgment=Decimal("0.25"))
    assert missing(batch).cost == Decimal("0.75")


@pytest.mark.django_db
def test_a_proposal_that_holds_no_more_and_a_closed_batch_are_refused() -> None:
    batch, (amber, birch, _) = campaign()
    exclude(amber)
    exclude(birch)
    with pytest.raises(AddingError, match="By now 6 judgments are missing"):
        replace_lost(batch, n=3, actor=None)
    close_batch(batch, actor=None)
    assert not missing(batch).can_be_added
    with pytest.raises(AddingError, match="Reopen it first"):
        replace_lost(batch, n=6, actor=None)
    assert Slot.objects.count() == 6


@pytest.mark.django_db
def test_the_number_of_queries_does_not_depend_on_the_pairs(django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    batch, (amber, *_) = campaign()
    for _ in range(5):
        make_item(batch, batch.items.order_by("pk")[0].topic, make_document(batch.collection))
    exclude(amber)
    with django_assert_max_num_queries(16):
        missing_judgments(batch.collection)


def spare(batch: Batch) -> int:
    (row,) = additions(batch.collection)
    return row.n_spare


@pytest.mark.django_db
def test_added_slots_that_are_not_needed_any_more_are_withdrawn_once() -> None:
    batch, (amber, *_) = campaign()
    before = Batch.objects.get(pk=batch.pk).n_expected
    exclude(amber)
    replace_lost(batch, n=3, actor=None)
    assert Batch.objects.get(pk=batch.pk).n_expected == before + 3
    assert (spare(batch), withdraw_spare(batch, actor=None).n_slots) == (0, 0)
    reinstate_annotator(amber, reason="Looked again", actor=None)
    assert spare(batch) == 3
    withdrawn = withdraw_spare(batch, actor=None)
    assert (withdrawn.n_slots, withdrawn.n_items, spare(batch)) == (3, 3, 0)
    assert withdraw_spare(batch, actor=None).n_slots == 0
    assert (Slot.objects.count(), Batch.objects.get(pk=batch.pk).n_expected) == (6, before)
    event = AuditEvent.objects.get(verb="slots withdrawn")
    assert event.detail == {"slots": 3, "items": 3, "reason": "not needed any more"}
    exclude(amber)
    assert replace_lost(batch, n=3, actor=None).n_slots == 3


@pytest.mark.django_db
def test_a_card_in_hand_a_judgment_and_the_slots_of_the_layout_stay() -> None:
    batch, (amber, _birch, cedar) = campaign()
    exclude(amber)
    replace_lost(batch, n=3, actor=None)
    person = batch.participations.get(annotator=cedar)
    for _ in range(2):
        card = claim_next(person, moment=NOW)
        assert card is not None
        if not Slot.objects.filter(n=2, state="judged").exists():
            record_judgment(person, token=card.token, grade=1, moment=NOW)
    reinstate_annotator(amber, reason="Looked again", actor=None)
    assert withdraw_spare(batch, actor=None).n_slots == 1
    assert sorted(Slot.objects.filter(n=2).values_list("state", flat=True)) == ["judged", "leased"]
    assert Slot.objects.filter(n__lt=2).count() == 6


@pytest.mark.django_db
def test_only_what_is_too_much_is_withdrawn_and_nothing_of_a_closed_batch() -> None:
    batch, (amber, birch, _) = campaign()
    exclude(amber)
    exclude(birch)
    replace_lost(batch, n=6, actor=None)
    reinstate_annotator(amber, reason="Looked again", actor=None)
    assert spare(batch) == 3
    close_batch(batch, actor=None)
    with pytest.raises(AddingError, match="Reopen it first"):
        withdraw_spare(batch, actor=None)
    assert Slot.objects.count() == 12
    reopen_batch(batch, actor=None)
    assert withdraw_spare(batch, actor=None).n_slots == 3
    assert {slot.n for slot in Slot.objects.all()} == {0, 1, 2}, "the last ones go"


@pytest.mark.django_db(transaction=True)
def test_withdrawing_while_people_claim_takes_no_card_from_anybody() -> None:
    batch, (amber, _birch, cedar) = campaign()
    exclude(amber)
    replace_lost(batch, n=3, actor=None)
    reinstate_annotator(amber, reason="Looked again", actor=None)
    person = batch.participations.get(annotator=cedar)
    at_once([lambda: withdraw_spare(batch, actor=None)] * 2 + [lambda: claim_next(person, moment=NOW)])
    leases = Slot.objects.filter(state="leased")
    assert leases.count() <= 1
    assert all(slot.assignment.annotator == cedar for slot in leases)
    assert Slot.objects.filter(n=2).count() == leases.count()
    assert Slot.objects.filter(n__lt=2).count() == 6
    withdrawn = sum(event.detail["slots"] for event in AuditEvent.objects.filter(verb="slots withdrawn"))
    assert withdrawn == 3 - leases.count()


@pytest.mark.django_db(transaction=True)
def test_two_who_confirm_at_once_add_it_once() -> None:
    batch, (amber, *_) = campaign()
    exclude(amber)
    at_once([lambda: replace_lost(batch, n=3, actor=None)] * 3)
    assert Slot.objects.count() == 9


def at_once(deeds: Sequence[Callable[[], object]]) -> None:
    """Run them in threads of their own; a refusal is an answer, anything else is raised here."""
    faults: list[Exception] = []
    ready = threading.Barrier(len(deeds))

    def run(deed: Callable[[], object]) -> None:
        try:
            ready.wait()
            deed()
        except AddingError:
            pass
        except Exception as fault:  # noqa: BLE001 -- raised below
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def judged_without_the_last(*, gold_share: float) -> tuple[Batch, list[Participation]]:
    """A batch laid out for four people; three have judged all of it, the first of them is excluded."""
    draft = make_campaign(n_topics=4, n_pairs=40, n_gold=20, n_people=4).draft(
        judgments_per_item=2, gold_share=gold_share, block_size=20, minimum_seconds=0, session_minutes=0
    )
    lay_out(draft, actor=None)
    open_batch(draft, actor=None)
    people = list(draft.participations.select_related("annotator", "batch").order_by("pk"))
    for person in people[:3]:
        judge_all(person)
    exclude(people[0].annotator)
    return draft, people


def gold_judged(person: Participation) -> int:
    gold = Planting.Purpose.GOLD
    return person.batch.assignments.filter(annotator=person.annotator, item__planting__purpose=gold).count()


@pytest.mark.django_db
def test_added_slots_bring_gold_to_who_judges_nothing_else_as_the_page_said() -> None:
    batch, people = judged_without_the_last(gold_share=0.2)
    late, loss = people[3], missing(batch)
    pause_annotator(people[1].annotator, reason="A rest", actor=None)
    pause_annotator(people[2].annotator, reason="A rest", actor=None)
    gold = missing(batch).gold
    assert set(loss.gold.n_of) >= set(gold.n_of) == {late.annotator.pseudonym}
    replace_lost(batch, n=loss.n, actor=None)
    n_cards = judge_all(Participation.objects.get(pk=late.pk))
    assert gold_judged(late) == pytest.approx(gold.most, rel=0.35)
    assert gold.most == gold.least > 10
    assert gold_judged(late) / n_cards == pytest.approx(0.2, abs=0.06)
    assert gold.unchecked == []


@pytest.mark.django_db
def test_who_has_no_gold_in_those_blocks_is_named() -> None:
    batch, people = judged_without_the_last(gold_share=0.0)
    gold = missing(batch).gold
    assert (gold.most, people[3].annotator.pseudonym in gold.unchecked, gold.n_people) == (0, True, len(gold.unchecked))


@pytest.mark.parametrize(
    ("dues", "done", "n", "come"),
    [
        ([], 0, 5, 0),
        ([0], 0, 1, 1),
        ([1], 0, 1, 0),
        ([1], 0, 2, 1),
        ([0, 2], 0, 2, 2),
        ([9], 8, 1, 0),
        ([3, 8], 8, 1, 2),
    ],
)
def test_what_is_due_comes_before_an_ordinary_card_never_after_the_last(
    dues: list[int], done: int, n: int, come: int
) -> None:
    assert coming(dues, done, n) == come
