"""Slots, assignments, judgments: the promises of the judging loop, one by one."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone

from annotation.batches.steps.batches import release_item
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import Conflict, Outcome, Recorded, Refused, record_judgment
from annotation.judging.steps.leases import renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.sessions import break_until
from annotation.judging.steps.undo import keep_grade, reopen
from annotation.models import Assignment, Batch, Card, Item, Judgment, Participation, Slot, WorkSession
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
MINUTE = timedelta(minutes=1)


def batch_for(people: int = 2, **settings: object) -> tuple[Batch, list[Participation]]:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection) for _ in range(people)], **settings)  # type: ignore[arg-type]
    return batch, list(batch.participations.order_by("id"))


def claim(person: Participation, moment: datetime = NOW) -> Card:
    card = claim_next(person, moment=moment)
    assert card is not None
    return card


def grade(person: Participation, card: Card, value: int = 2, moment: datetime = NOW) -> Outcome:
    outcome, _ = record_judgment(person, token=card.token, grade=value, moment=moment)
    return outcome


def judge_all(person: Participation, value: int = 2) -> list[int]:
    """The items a person meets, in order, until there are none."""
    met = []
    while (card := claim_next(person, moment=NOW)) is not None:
        met.append(card.assignment.item_id)
        grade(person, card, value)
    return met


def test_a_claim_leases_one_slot_for_ten_minutes() -> None:
    batch, (one, _) = batch_for()
    card = claim(one)
    slot = Slot.objects.get(state=Slot.State.LEASED)
    assert card.assignment.slot_id == slot.pk
    assert slot.lease_until == NOW + 10 * MINUTE
    assert card.assignment.guideline_id == batch.collection.guideline_id


def test_claiming_again_gives_the_same_card() -> None:
    _, (one, _) = batch_for()
    assert claim(one) == claim(one)
    assert Assignment.objects.count() == 1


def test_a_judgment_is_recorded_and_the_next_card_claimed() -> None:
    _, (one, _) = batch_for(minimum_seconds=10)
    card = claim(one)
    outcome, workspace = record_judgment(
        one, token=card.token, grade=3, moment=NOW + timedelta(seconds=4), active_ms=3500, comment="Nearly all of it."
    )
    judgment = Judgment.objects.get()
    assert outcome == Recorded(judgment)
    assert workspace.card is not None
    assert workspace.card.assignment.item_id != card.assignment.item_id
    assert (judgment.grade, judgment.revision, judgment.token) == (3, 1, card.token)
    assert (judgment.active_ms, judgment.wall_ms, judgment.early) == (3500, 4000, True)
    assert (judgment.comment, judgment.surplus, judgment.blind) == ("Nearly all of it.", False, True)
    assert Item.objects.get(pk=judgment.item_id).n_judged == 1


def test_the_same_form_twice_is_one_judgment_and_claims_nothing_new() -> None:
    _, (one, _) = batch_for()
    card = claim(one)
    first, workspace = record_judgment(one, token=card.token, grade=3, moment=NOW)
    again, same = record_judgment(one, token=card.token, grade=3, moment=NOW)
    assert isinstance(first, Recorded)
    assert again == Recorded(first.judgment, replayed=True)
    assert workspace.cards == same.cards
    assert Judgment.objects.count() == 1
    assert Assignment.objects.count() == 2


def test_another_grade_on_an_answered_form_is_asked_about() -> None:
    _, (one, _) = batch_for()
    card = claim(one)
    grade(one, card, 3)
    asked = grade(one, card, 1)
    assert isinstance(asked, Conflict)
    assert list(Judgment.objects.values_list("grade", flat=True)) == [3]
    grade(one, asked.card, 1)
    assert list(Judgment.objects.order_by("revision").values_list("revision", "grade")) == [(1, 3), (2, 1)]


def test_asking_twice_issues_one_card() -> None:
    _, (one, _) = batch_for()
    card = claim(one)
    grade(one, card, 3)
    first, second = grade(one, card, 1), grade(one, card, 0)
    assert isinstance(first, Conflict)
    assert isinstance(second, Conflict)
    assert first.card == second.card


def test_a_token_of_someone_else_is_unknown() -> None:
    _, (one, two) = batch_for()
    card = claim(one)
    with pytest.raises(Card.DoesNotExist):
        grade(two, card)
    assert not Judgment.objects.exists()


def test_nobody_meets_an_item_twice_and_no_item_gets_more_than_its_slots() -> None:
    batch, people = batch_for(4, n_topics=2, n_documents=3, judgments_per_item=2)
    met = [judge_all(person) for person in people]
    assert all(len(set(items)) == len(items) for items in met)
    assert Judgment.objects.count() == 2 * 3 * 2
    assert broken_invariants(batch) == []


def test_orders_differ_between_people_and_topics_come_in_blocks() -> None:
    _, (one, two) = batch_for(2, n_topics=3, n_documents=8)
    orders = [judge_all(one), judge_all(two)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    topics = [Item.objects.get(pk=item).topic_id for item in orders[0]]
    changes = sum(before != after for before, after in pairwise(topics))
    assert changes == 2


def test_half_judged_items_and_topics_go_first() -> None:
    _, (one, two) = batch_for(2, n_topics=4, n_documents=10)
    begun = []
    for _ in range(4):
        card = claim(one)
        begun.append(card.assignment.item_id)
        grade(one, card)
    followed = []
    for _ in range(4):
        card = claim(two)
        followed.append(card.assignment.item_id)
        grade(two, card)
    assert sorted(followed) == sorted(begun)


def test_a_reserved_slot_comes_when_it_is_due_and_only_to_its_person() -> None:
    batch, (one, two) = batch_for(2, n_documents=4, judgments_per_item=1)
    item = make_item(batch, batch.items.earliest("id").topic, make_document(batch.collection), shuffle=77)
    item.slots.update(reserved_for=one.annotator_id, due=2)
    order = judge_all(one)
    assert order.index(item.pk) == 2
    assert item.pk not in judge_all(two)


def test_cards_of_another_batch_bring_no_reservation_forward() -> None:
    """Both batches number their blocks from 0."""
    _, (one, _) = batch_for()
    batch = make_batch(one.batch.collection, [one.annotator], n_documents=4, judgments_per_item=1)
    item = make_item(batch, batch.items.earliest("id").topic, make_document(batch.collection), shuffle=77)
    item.slots.update(reserved_for=one.annotator_id, due=2)
    judge_all(one)
    assert judge_all(batch.participations.get()).index(item.pk) == 2


def test_others_reservations_open_up_at_the_end_when_they_are_transferable() -> None:
    batch, (one, two) = batch_for(2, n_documents=3, judgments_per_item=1)
    kept, transferable = batch.items.order_by("id")[:2]
    Slot.objects.filter(item=kept).update(reserved_for=two.annotator_id, due=0)
    Slot.objects.filter(item=transferable).update(reserved_for=two.annotator_id, due=0, transferable=True)
    order = judge_all(one)
    assert kept.pk not in order
    assert order[-1] == transferable.pk
    assert len(order) == 2


def test_a_lapsed_lease_goes_to_another_and_the_late_judgment_is_surplus() -> None:
    batch, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    late = claim(one)
    later = NOW + 11 * MINUTE
    card = claim(two, later)
    assert card.assignment.item_id == late.assignment.item_id
    outcome = grade(one, late, 4, later)
    assert isinstance(outcome, Recorded)
    assert outcome.judgment.surplus
    grade(two, card, 1, later)
    assert list(Judgment.objects.filter(surplus=False).values_list("grade", flat=True)) == [1]
    assert Assignment.objects.get(pk=late.assignment_id).state == Assignment.State.SURPLUS
    assert broken_invariants(batch) == []


def test_a_lapsed_lease_that_nobody_took_still_counts() -> None:
    _, (one, _) = batch_for(2, n_documents=1, judgments_per_item=1)
    card = claim(one)
    outcome = grade(one, card, 4, NOW + 60 * MINUTE)
    assert isinstance(outcome, Recorded)
    assert not outcome.judgment.surplus


def test_someone_who_was_away_meets_the_item_again_under_a_new_card() -> None:
    _, (one, _) = batch_for(2, n_documents=1)
    old = claim(one)
    new = claim(one, NOW + 30 * MINUTE)
    assert new.assignment_id == old.assignment_id
    assert new.token != old.token
    assert isinstance(grade(one, old, 2, NOW + 31 * MINUTE), Recorded)
    assert Judgment.objects.count() == 1


def test_a_heartbeat_renews_only_what_is_still_held() -> None:
    _, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    card = claim(one)
    assert renew_lease(one, token=card.token, moment=NOW + 9 * MINUTE)
    assert claim_next(two, moment=NOW + 12 * MINUTE) is None
    assert claim(two, NOW + 20 * MINUTE)
    assert not renew_lease(one, token=card.token, moment=NOW + 21 * MINUTE)
    assert not renew_lease(two, token=card.token, moment=NOW + 21 * MINUTE)


def test_a_skipped_item_goes_to_others_and_never_back() -> None:
    _, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    card = claim(one)
    reason = Assignment.SkipReason.CONFLICT
    assert skip_item(one, token=card.token, reason=reason, moment=NOW) is None
    assert claim_next(one, moment=NOW) is None
    assert claim(two).assignment.item_id == card.assignment.item_id
    skipped = Assignment.objects.get(pk=card.assignment_id)
    assert (skipped.state, skipped.skip_reason, skipped.slot_id) == ("skipped", "conflict", None)
    assert isinstance(grade(one, card), Refused)


def test_two_who_cannot_judge_withhold_the_item() -> None:
    _, people = batch_for(3, n_documents=1, judgments_per_item=2)
    for person in people[:2]:
        skip_item(person, token=claim(person).token, reason=Assignment.SkipReason.BROKEN, moment=NOW)
    assert Item.objects.get().withheld
    assert claim_next(people[2], moment=NOW) is None


def test_a_conflict_of_interest_says_nothing_about_the_item() -> None:
    _, people = batch_for(3, n_documents=1, judgments_per_item=2)
    for person in people[:2]:
        skip_item(person, token=claim(person).token, reason=Assignment.SkipReason.CONFLICT, moment=NOW)
    assert not Item.objects.get().withheld


def test_a_conflict_of_interest_withholds_no_item_that_an_admin_has_released() -> None:
    _, people = batch_for(4, n_documents=1, judgments_per_item=2)
    for person in people[:2]:
        skip_item(person, token=claim(person).token, reason=Assignment.SkipReason.BROKEN, moment=NOW)
    release_item(Item.objects.get(), actor=None)
    skip_item(people[2], token=claim(people[2]).token, reason=Assignment.SkipReason.CONFLICT, moment=NOW)
    assert not Item.objects.get().withheld
    skip_item(people[3], token=claim(people[3]).token, reason=Assignment.SkipReason.LANGUAGE, moment=NOW)
    assert Item.objects.get().withheld


def test_skipping_twice_skips_once() -> None:
    _, (one, _) = batch_for(2, n_documents=3)
    card = claim(one)
    following = skip_item(one, token=card.token, reason=Assignment.SkipReason.OTHER, moment=NOW)
    assert skip_item(one, token=card.token, reason=Assignment.SkipReason.OTHER, moment=NOW) == following
    assert Assignment.objects.filter(state=Assignment.State.SKIPPED).count() == 1


def test_what_is_put_off_comes_last_in_its_topic() -> None:
    _, (one, _) = batch_for(2, n_topics=2, n_documents=3)
    card = claim(one)
    put_off(one, token=card.token, moment=NOW)
    order = judge_all(one)
    assert order.index(card.assignment.item_id) == 2


def test_several_put_off_take_turns() -> None:
    _, (one, _) = batch_for(2, n_documents=3)
    seen = []
    for n in range(6):
        card = claim(one)
        seen.append(card.assignment.item_id)
        put_off(one, token=card.token, moment=NOW + n * timedelta(seconds=1))
    assert seen[:3] == seen[3:]


def test_undo_reopens_the_last_card_and_the_old_grade_stands_until_saved() -> None:
    batch, (one, _) = batch_for(2)
    cards = [claim(one)]
    grade(one, cards[0], 4)
    cards.append(claim(one))
    grade(one, cards[1], 3)
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    assert reopened.assignment_id == cards[1].assignment_id
    assert Judgment.objects.count() == 2
    grade(one, reopened, 1)
    last = Judgment.objects.latest("id")
    assert (last.assignment_id, last.revision, last.grade) == (cards[1].assignment_id, 2, 1)
    one.refresh_from_db()
    assert (one.reopened, one.n_judged) == (None, 2)
    assert broken_invariants(batch) == []


def test_undo_again_goes_further_back_and_keeping_leaves_all_as_it_was() -> None:
    _, (one, _) = batch_for(2)
    first = claim(one)
    grade(one, first)
    grade(one, claim(one))
    reopen(one, moment=NOW)
    one.refresh_from_db()
    further = reopen(one, moment=NOW)
    assert further is not None
    assert further.assignment_id == first.assignment_id
    one.refresh_from_db()
    assert reopen(one, moment=NOW) is None
    keep_grade(one)
    one.refresh_from_db()
    assert one.reopened is None
    assert Judgment.objects.count() == 2


@pytest.mark.parametrize("state", [Batch.State.PAUSED, Batch.State.CLOSED])
def test_pausing_or_closing_stops_claims_but_not_a_submission(state: Batch.State) -> None:
    batch, (one, two) = batch_for(2)
    card = claim(one)
    Batch.objects.filter(pk=batch.pk).update(state=state)
    assert claim_next(two, moment=NOW) is None
    outcome, workspace = record_judgment(one, token=card.token, grade=2, moment=NOW)
    assert isinstance(outcome, Recorded)
    assert workspace.card is None


def test_a_closed_batch_takes_no_revision() -> None:
    batch, (one, _) = batch_for(2)
    card = claim(one)
    grade(one, card)
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.CLOSED)
    assert isinstance(grade(one, reopened, 0), Refused)
    assert isinstance(grade(one, card, 0), Refused)
    one = Participation.objects.select_related("batch", "annotator").get(pk=one.pk)
    assert reopen(one, moment=NOW) is None
    shown = desk_of(one, moment=NOW).card
    assert shown is not None
    assert shown.token != reopened.token


def test_a_session_ends_with_a_break_and_begins_anew_after_it() -> None:
    _, (one, _) = batch_for(2, n_documents=10, session_minutes=50, break_minutes=10)
    for minute in range(0, 50, 5):
        card = claim_next(one, moment=NOW + minute * MINUTE)
        assert card is not None
        grade(one, card, 2, NOW + minute * MINUTE)
    Slot.objects.filter(state=Slot.State.LEASED).update(state=Slot.State.OPEN, lease_until=None)
    session = WorkSession.objects.get()
    assert (session.n_judged, session.ended_at) == (10, None)


def test_at_the_limit_the_judgment_is_kept_and_no_new_card_is_given() -> None:
    _, (one, _) = batch_for(2, n_documents=30, session_minutes=50, break_minutes=10)
    for minute in range(0, 51, 5):
        card = claim_next(one, moment=NOW + minute * MINUTE)
        assert card is not None
        outcome, workspace = record_judgment(one, token=card.token, grade=2, moment=NOW + minute * MINUTE)
    assert isinstance(outcome, Recorded)
    assert workspace.card is None
    ends = break_until(one, moment=NOW + 51 * MINUTE)
    assert ends == NOW + 60 * MINUTE
    assert claim_next(one, moment=NOW + 59 * MINUTE) is None
    assert claim_next(one, moment=NOW + 61 * MINUTE) is not None
    assert WorkSession.objects.count() == 2


def test_the_desk_shows_what_is_there() -> None:
    batch, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    assert desk_of(one, moment=NOW).state == "start"
    card = claim(one)
    one.refresh_from_db()
    assert desk_of(one, moment=NOW).state == "card"
    assert desk_of(two, moment=NOW).state == "waiting"
    grade(one, card)
    assert desk_of(two, moment=NOW).state == "done"
    one.refresh_from_db()
    desk = desk_of(one, moment=NOW)
    assert (desk.state, desk.progress.mine, desk.progress.batch_done, desk.progress.batch_total) == ("done", 1, 1, 1)
    batch.state = Batch.State.CLOSED
    batch.save(update_fields=["state"])
    one = Participation.objects.select_related("batch", "annotator").get(pk=one.pk)
    assert desk_of(one, moment=NOW).state == "closed"
