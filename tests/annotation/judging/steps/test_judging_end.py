"""What a person is told once nothing is open for them: the same as a claim would find."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.judging.read.remaining import cards_left
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.judging.steps.putting_off import put_off
from annotation.models import Batch, Participation, Slot, WorkSession
from tests.factories import make_annotator, make_batch, make_collection

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]
NOW = timezone.now()


def two_people() -> tuple[Batch, Participation, Participation]:
    """Two topics with two pairs each, one judgment a pair. In each topic a pair is kept for the first person alone."""
    collection = make_collection()
    people = [make_annotator(collection), make_annotator(collection)]
    batch = make_batch(collection, people, n_topics=2, n_documents=2, judgments_per_item=1)
    for block in (0, 1):
        Slot.objects.filter(pk=batch.slots.filter(block=block).earliest("pk").pk).update(
            reserved_for=people[0], due=0, transferable=False
        )
    one, other = batch.participations.order_by("annotator")
    return batch, one, other


def is_asked(participation: Participation) -> bool:
    """Whether the person's start page asks them to judge."""
    return Participation.objects.filter(cards_left(), pk=participation.pk).exists()


def judge_all(participation: Participation) -> int:
    """How many cards the person gets to judge."""
    n = 0
    while card := claim_next(participation, moment=NOW):
        record_judgment(participation, token=card.token, grade=1, moment=NOW)
        n += 1
    return n


def test_a_reservation_in_a_block_where_nothing_is_open_is_no_work() -> None:
    _, one, other = two_people()
    claim_next(other, moment=NOW)
    assert judge_all(one) == 2
    one.refresh_from_db()
    assert (desk_of(one, moment=NOW).state, is_asked(one)) == ("waiting", True)
    assert claim_next(one, moment=NOW + timedelta(minutes=11)), "the lease of the other has lapsed"


def test_nobody_is_asked_to_begin_where_a_claim_finds_nothing() -> None:
    _, one, other = two_people()
    assert judge_all(other) == 2
    one.refresh_from_db()
    assert (desk_of(one, moment=NOW).state, claim_next(one, moment=NOW)) == ("done", None)
    assert not is_asked(one)


def kept_for_the_end() -> tuple[Participation, Participation, int]:
    """Two people, a topic with two pairs, one judgment a pair; one of them is kept for the first person, due second."""
    collection = make_collection()
    people = [make_annotator(collection), make_annotator(collection)]
    batch = make_batch(collection, people, n_topics=1, n_documents=2, judgments_per_item=1)
    kept = batch.slots.earliest("pk")
    Slot.objects.filter(pk=kept.pk).update(reserved_for=people[0], due=1, transferable=False)
    one, other = batch.participations.order_by("annotator")
    return one, other, kept.item_id


def test_what_is_due_does_not_come_where_nothing_else_is_left_in_its_block() -> None:
    """Else the last card of a block would be a planted one more often than any other."""
    one, _, _ = kept_for_the_end()
    assert is_asked(one)
    assert judge_all(one) == 1
    one.refresh_from_db()
    assert (desk_of(one, moment=NOW).state, is_asked(one)) == ("done", False)


def test_a_planted_card_that_was_put_off_comes_back_when_nothing_else_is_left() -> None:
    one, _, kept = kept_for_the_end()
    Slot.objects.filter(item=kept).update(due=0)
    card = claim_next(one, moment=NOW)
    assert card is not None
    assert card.assignment.item_id == kept
    following = put_off(one, token=card.token, moment=NOW)
    assert following is not None
    record_judgment(one, token=following.token, grade=1, moment=NOW)
    again = claim_next(one, moment=NOW)
    assert again is not None
    assert again.assignment.item_id == kept


def test_a_planted_card_whose_lease_has_lapsed_comes_back_when_nothing_else_is_left() -> None:
    one, other, kept = kept_for_the_end()
    Slot.objects.filter(item=kept).update(due=0)
    claim_next(one, moment=NOW)
    assert judge_all(other) == 1
    later = NOW + timedelta(minutes=11)
    again = claim_next(one, moment=later)
    assert again is not None
    assert again.assignment.item_id == kept


@pytest.mark.parametrize(("n_documents", "state"), [(1, "done"), (2, "break")])
def test_who_judges_the_last_card_as_the_session_ends_is_done_at_once(n_documents: int, state: str) -> None:
    collection = make_collection()
    people = [make_annotator(collection)]
    batch = make_batch(collection, people, n_documents=n_documents, session_minutes=50, break_minutes=10)
    person, end = batch.participations.get(), NOW + timedelta(minutes=51)
    card = claim_next(person, moment=NOW)
    assert card is not None
    WorkSession.objects.update(last_active_at=end - timedelta(minutes=1))
    record_judgment(person, token=card.token, grade=1, moment=end)
    person.refresh_from_db()
    assert WorkSession.objects.get().break_until == end + timedelta(minutes=10)
    assert desk_of(person, moment=end).state == state
