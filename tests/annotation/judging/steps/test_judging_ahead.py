"""The second lease: the next card is there before it is wanted, and costs nobody an item."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import Refused, record_judgment
from annotation.judging.steps.leases import release_ahead, renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.sessions import break_until
from annotation.judging.steps.undo import keep_grade, reopen
from annotation.judging.steps.workspace import workspace_of
from annotation.models import Assignment, Batch, Card, Feedback, Judgment, Participation, Slot, User, WorkSession
from tests.factories import make_annotator, make_batch, make_collection, make_document, make_item
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def batch_for(people: int = 2, **settings: object) -> tuple[Batch, list[Participation]]:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection) for _ in range(people)], **settings)  # type: ignore[arg-type]
    return batch, list(batch.participations.order_by("id"))


def claim_two(person: Participation, moment: object = NOW, page: str = "") -> list[Card]:
    claim_next(person, moment=moment, ahead=True, page=page)  # type: ignore[arg-type]
    return cards_of(person, moment)


def cards_of(person: Participation, moment: object = NOW) -> list[Card]:
    participation = Participation.objects.get(pk=person.pk)
    return workspace_of(participation, moment=moment).cards  # type: ignore[arg-type]


def grade(person: Participation, card: Card, moment: object = NOW, **fields: object) -> list[Card]:
    """The person's cards after it."""
    _, workspace = record_judgment(
        person,
        token=card.token,
        **{"grade": 2, "moment": moment, "ahead": True, **fields},  # type: ignore[arg-type]
    )
    return workspace.cards


def test_two_cards_are_held_and_no_third() -> None:
    _, (one, _) = batch_for()
    first, second = claim_two(one)
    assert claim_two(one) == [first, second]
    assert Slot.objects.filter(state=Slot.State.LEASED).count() == 2
    assert (first.shown_at, second.shown_at) == (NOW, None)


def test_the_next_card_is_shown_when_the_one_before_it_is_judged() -> None:
    _, (one, _) = batch_for()
    first, second = claim_two(one)
    later = NOW + 20 * SECOND
    shown, third = grade(one, first, later)
    assert shown == second
    second.refresh_from_db()
    assert (second.issued_at, second.shown_at) == (NOW, later)
    assert (third.issued_at, third.shown_at) == (later, None)


@pytest.mark.parametrize("deed", ["skip", "put off"])
def test_what_is_skipped_or_put_off_also_makes_room_for_the_next(deed: str) -> None:
    _, (one, _) = batch_for()
    first, second = claim_two(one)
    if deed == "skip":
        reason = Assignment.SkipReason.OTHER
        skip_item(one, token=first.token, reason=reason, moment=NOW + SECOND, ahead=True)
    else:
        put_off(one, token=first.token, moment=NOW + SECOND, ahead=True)
    cards = cards_of(one)
    assert cards[0] == second
    assert cards[0].shown_at == NOW + SECOND
    assert len(cards) == 2


@pytest.mark.parametrize(
    ("wall_ms", "stored", "early"),
    [
        (None, 7000, True),
        (4000, 4000, True),
        (9999, 9999, True),
        (10000, 10000, False),
        (12000, 12000, False),
        (90000, 27000, False),
    ],
)
def test_the_time_runs_from_being_shown_or_as_the_page_says(wall_ms: int | None, stored: int, early: bool) -> None:
    _, (one, _) = batch_for(minimum_seconds=10)
    first, second = claim_two(one)
    grade(one, first, NOW + 20 * SECOND)
    grade(one, second, NOW + 27 * SECOND, wall_ms=wall_ms, active_ms=60000)
    judgment = Judgment.objects.latest("pk")
    assert (judgment.wall_ms, judgment.active_ms, judgment.early) == (stored, stored, early)


def test_evidence_is_kept_with_the_grade() -> None:
    _, (one, _) = batch_for()
    grade(one, claim_two(one)[0], evidence_start=0, evidence_end=4)
    assert Judgment.objects.values_list("evidence_start", "evidence_end").get() == (0, 4)


def test_a_card_given_back_is_free_for_others_and_is_the_same_card_when_it_comes_again() -> None:
    batch, (one, two) = batch_for(n_documents=2, judgments_per_item=1)
    first, second = claim_two(one)
    assert claim_next(two, moment=NOW) is None
    assert release_ahead(one, tokens=[second.token], moment=NOW)
    assert cards_of(one) == [first]
    assert Slot.objects.filter(state=Slot.State.OPEN).count() == 1
    assert claim_two(one) == [first, second]
    release_ahead(one, tokens=[second.token], moment=NOW)
    taken = claim_next(two, moment=NOW)
    assert taken is not None
    assert taken.assignment.item_id == second.assignment.item_id
    assert broken_invariants(batch) == []


def test_a_card_ahead_goes_back_when_the_last_page_that_holds_it_goes() -> None:
    """Whichever comes first: the old page's farewell, or what the new one asks."""
    _, (one, _) = batch_for()
    claim_next(one, moment=NOW, ahead=True, page="old")
    first, second = claim_two(one, page="new")
    assert not release_ahead(one, tokens=[second.token], moment=NOW, page="old")
    assert not release_ahead(one, tokens=[second.token], moment=NOW, page="old")
    assert cards_of(one) == [first, second]
    assert release_ahead(one, tokens=[second.token], moment=NOW, page="new")
    assert cards_of(one) == [first]
    assert claim_two(one, page="another") == [first, second]
    assert release_ahead(one, tokens=[second.token], moment=NOW, page="another")


def test_a_card_that_came_with_a_grade_is_its_page_s_and_that_of_whoever_asks_later() -> None:
    _, (one, _) = batch_for()
    first, _ = claim_two(one, page="left")
    third = grade(one, first, page="left")[1]
    assert claim_two(one, page="right")[1] == third
    assert not release_ahead(one, tokens=[third.token], moment=NOW, page="left")
    assert release_ahead(one, tokens=[third.token], moment=NOW, page="right")


def test_a_card_in_front_of_the_person_is_not_given_back() -> None:
    _, (one, two) = batch_for()
    first, second = claim_two(one)
    assert not release_ahead(one, tokens=[first.token], moment=NOW)
    grade(one, first)
    assert not release_ahead(one, tokens=[second.token], moment=NOW)
    assert not release_ahead(one, tokens=[first.token], moment=NOW)
    with pytest.raises(Card.DoesNotExist):
        release_ahead(two, tokens=[second.token], moment=NOW)
    assert cards_of(one)[0] == second


def test_a_card_given_back_and_judged_all_the_same_counts_once() -> None:
    batch, (one, _) = batch_for(n_documents=2, judgments_per_item=1)
    first, second = claim_two(one)
    release_ahead(one, tokens=[second.token], moment=NOW)
    grade(one, second)
    grade(one, second)
    assert Judgment.objects.filter(token=second.token, surplus=False).count() == 1
    assert cards_of(one) == [first]
    assert broken_invariants(batch) == []


def test_a_heartbeat_renews_both_leases() -> None:
    _, (one, _) = batch_for()
    first, _ = claim_two(one)
    assert renew_lease(one, token=first.token, moment=NOW + 9 * MINUTE)
    assert len(cards_of(one, NOW + 18 * MINUTE)) == 2
    assert cards_of(one, NOW + 20 * MINUTE) == []


def test_nothing_is_fetched_ahead_in_the_last_minute_before_the_break() -> None:
    _, (one, _) = batch_for(n_documents=9, session_minutes=5)
    user = User.objects.get(annotators=one.annotator)
    WorkSession.objects.create(user=user, started_at=NOW - 4 * MINUTE, last_active_at=NOW - MINUTE)
    assert len(claim_two(one, NOW)) == 1
    assert len(claim_two(one, NOW - SECOND)) == 2


def test_a_card_fetched_before_the_break_may_be_handed_in_during_it() -> None:
    _, (one, _) = batch_for(n_documents=9, session_minutes=5)
    first, second = claim_two(one, NOW)
    assert grade(one, first, NOW + 6 * MINUTE) == [second]
    assert break_until(one, moment=NOW + 6 * MINUTE) is not None
    assert grade(one, second, NOW + 7 * MINUTE) == []
    assert Judgment.objects.filter(surplus=False).count() == 2


def test_a_reservation_comes_at_its_place_also_when_cards_are_fetched_ahead() -> None:
    batch, (one, _) = batch_for(n_documents=6, judgments_per_item=1)
    item = make_item(batch, batch.items.earliest("id").topic, make_document(batch.collection), shuffle=77)
    item.slots.update(reserved_for=one.annotator_id, due=3)
    cards, met = claim_two(one), []
    while cards:
        met.append(cards[0].assignment.item_id)
        cards = grade(one, cards[0])
    assert met.index(item.pk) == 3
    assert len(met) == 7


def test_what_is_put_off_at_the_end_of_a_topic_comes_again_although_the_next_topic_was_begun() -> None:
    _, (one, _) = batch_for(n_topics=3, n_documents=2, judgments_per_item=1)
    first, second = claim_two(one)
    cards = grade(one, first)
    assert cards[1].assignment.item.topic_id != second.assignment.item.topic_id
    put_off(one, token=second.token, moment=NOW, ahead=True)
    cards = cards_of(one)
    assert [card.assignment.item_id == second.assignment.item_id for card in cards] == [False, True]


def test_all_is_judged_to_the_end_with_cards_fetched_ahead() -> None:
    batch, people = batch_for(3, n_topics=3, n_documents=4, judgments_per_item=2)
    hands = {person: claim_two(person) for person in people}
    while any(hands.values()):
        for person in people:
            if hands[person]:
                hands[person] = grade(person, hands[person][0])
            else:
                hands[person] = claim_two(person)
    assert Judgment.objects.filter(surplus=False).count() == 3 * 4 * 2
    assert broken_invariants(batch) == []


def test_a_reopened_card_comes_first_and_the_current_one_waits() -> None:
    _, (one, _) = batch_for()
    first, second = claim_two(one)
    third = grade(one, first)[1]
    reopened = reopen(one, moment=NOW)
    assert cards_of(one) == [reopened, second, third]
    keep_grade(one)
    assert cards_of(one)[0] == second


def test_any_judgment_of_the_batch_may_be_opened_again_by_its_token() -> None:
    _, (one, two) = batch_for()
    first, second = claim_two(one)
    cards = grade(one, first)
    cards = grade(one, second)
    reopened = reopen(one, token=first.token, moment=NOW)
    assert reopened is not None
    assert (reopened.assignment_id, reopened.revision) == (first.assignment_id, 2)
    grade(one, reopened, grade=4)
    assert list(Judgment.objects.filter(assignment=first.assignment_id).values_list("grade", flat=True)) == [2, 4]
    before = reopen(one, token=cards[0].token, moment=NOW)
    assert before is not None
    assert before.assignment_id == second.assignment_id
    with pytest.raises(Card.DoesNotExist):
        reopen(two, token=first.token, moment=NOW)


def test_what_a_person_has_been_told_about_is_final() -> None:
    batch, (one, _) = batch_for()
    first, second = claim_two(one)
    grade(one, first)
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    Feedback.objects.create(
        batch=batch, annotator=one.annotator, assignment=first.assignment, grade=3, accepted=[3], created_at=NOW
    )
    outcome, _ = record_judgment(one, token=reopened.token, grade=4, moment=NOW)
    assert isinstance(outcome, Refused)
    keep_grade(one)
    assert reopen(one, moment=NOW) is None
    assert reopen(one, token=first.token, moment=NOW) is None
    other, _ = record_judgment(one, token=first.token, grade=4, moment=NOW)
    assert isinstance(other, Refused)
    grade(one, second)
    again = reopen(one, moment=NOW)
    assert again is not None
    assert again.assignment_id == second.assignment_id
