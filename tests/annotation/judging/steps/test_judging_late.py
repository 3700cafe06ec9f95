"""Judging: what comes late, twice, from an old tab, or during a break."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.gates import acknowledge_guideline
from annotation.judging.steps.grading import Conflict, Recorded, record_judgment
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.sessions import break_until
from annotation.judging.steps.undo import reopen
from annotation.kernel.blocks import recount_blocks
from annotation.models import (
    Assignment,
    Batch,
    Card,
    GuidelineVersion,
    Item,
    Judgment,
    Membership,
    Participation,
    Slot,
    WorkSession,
)
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
MINUTE = timedelta(minutes=1)
OTHER = Assignment.SkipReason.OTHER


def batch_for(people: int = 2, **settings: object) -> tuple[Batch, list[Participation]]:
    collection = make_collection()
    batch = make_batch(collection, [make_annotator(collection) for _ in range(people)], **settings)  # type: ignore[arg-type]
    return batch, list(batch.participations.order_by("id"))


def claim(person: Participation, moment: object = NOW) -> Card:
    card = claim_next(person, moment=moment)  # type: ignore[arg-type]
    assert card is not None
    return card


def test_whoever_lets_the_last_card_lapse_may_go_on_with_it() -> None:
    _, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    claim(one)
    later = NOW + 30 * MINUTE
    assert desk_of(one, moment=later).state == "start"
    assert desk_of(two, moment=later).state == "start"
    claim(two, later)
    assert desk_of(one, moment=later).state != "start"


def test_an_old_card_of_an_item_that_is_held_again_puts_off_nothing() -> None:
    _, (one, _) = batch_for(2, n_documents=1)
    first = claim(one)
    second = put_off(one, token=first.token, moment=NOW)
    assert second is not None
    assert second.assignment_id == first.assignment_id
    assert put_off(one, token=first.token, moment=NOW) == second
    assert Card.objects.count() == 2


def test_a_skip_that_comes_after_its_lease_was_lost_holds() -> None:
    batch, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    card = claim(one)
    later = NOW + 30 * MINUTE
    taken = claim(two, later)
    skip_item(one, token=card.token, reason=OTHER, moment=later)
    skip_item(two, token=taken.token, reason=OTHER, moment=later)
    assert list(Assignment.objects.values_list("state", flat=True)) == ["skipped", "skipped"]
    assert claim_next(one, moment=later) is None
    assert broken_invariants(batch) == []


def test_a_judged_item_cannot_be_skipped_from_an_old_tab() -> None:
    _, (one, _) = batch_for(2, n_documents=2)
    card = claim(one)
    record_judgment(one, token=card.token, grade=2, moment=NOW)
    skip_item(one, token=card.token, reason=OTHER, moment=NOW)
    assert Assignment.objects.get(pk=card.assignment_id).state == "judged"


def test_an_item_taken_up_again_pins_the_guideline_then_shown() -> None:
    batch, (one, _) = batch_for(2, n_documents=1)
    first = claim(one)
    newer = GuidelineVersion.objects.create(collection=batch.collection, number=99, sha256="9" * 64)
    batch.collection.guideline = newer
    batch.collection.save(update_fields=["guideline"])
    assert put_off(one, token=first.token, moment=NOW) is None
    acknowledge_guideline(one, number=99, moment=NOW)
    record_judgment(one, token=claim(one).token, grade=2, moment=NOW)
    assert Judgment.objects.get().guideline == newer


def judge_to_the_limit(person: Participation) -> Judgment:
    """The break of ten minutes begins at minute 50."""
    for minute in range(0, 51, 10):
        card = claim(person, NOW + minute * MINUTE)
        outcome, _ = record_judgment(person, token=card.token, grade=2, moment=NOW + minute * MINUTE)
    assert isinstance(outcome, Recorded)
    assert break_until(person, moment=NOW + 51 * MINUTE) == NOW + 60 * MINUTE
    return outcome.judgment


def test_a_revision_during_the_break_begins_no_session() -> None:
    _, (one, _) = batch_for(2, n_documents=20, session_minutes=50, break_minutes=10)
    judge_to_the_limit(one)
    card = reopen(one, moment=NOW + 51 * MINUTE)
    assert card is not None
    record_judgment(one, token=card.token, grade=3, moment=NOW + 52 * MINUTE)
    assert WorkSession.objects.count() == 1
    claim(one, NOW + 61 * MINUTE)
    assert WorkSession.objects.latest("pk").started_at == NOW + 61 * MINUTE


def test_a_card_of_another_batch_judged_during_the_break_counts_to_the_session_before() -> None:
    batch, (one, _) = batch_for(2, n_documents=20, session_minutes=50, break_minutes=10)
    other = make_batch(batch.collection, [one.annotator], name="Other", session_minutes=50, break_minutes=10)
    there = other.participations.get()
    card = claim(there)
    judge_to_the_limit(one)
    outcome, workspace = record_judgment(there, token=card.token, grade=1, moment=NOW + 51 * MINUTE)
    assert isinstance(outcome, Recorded)
    assert workspace.card is None
    assert WorkSession.objects.get().n_judged == 7


def test_a_skip_at_the_limit_gives_no_card_in_the_break() -> None:
    _, (one, _) = batch_for(2, n_documents=20, session_minutes=50, break_minutes=10)
    for minute in range(0, 50, 10):
        card = claim(one, NOW + minute * MINUTE)
        record_judgment(one, token=card.token, grade=2, moment=NOW + minute * MINUTE)
    card = claim(one, NOW + 49 * MINUTE)
    assert skip_item(one, token=card.token, reason=OTHER, moment=NOW + 51 * MINUTE) is None
    assert not Slot.objects.filter(state=Slot.State.LEASED).exists()
    assert desk_of(one, moment=NOW + 52 * MINUTE).state == "break"


def test_without_a_break_the_next_session_begins_at_once() -> None:
    _, (one, _) = batch_for(2, n_documents=20, session_minutes=50, break_minutes=0)
    for minute in range(0, 61, 10):
        card = claim(one, NOW + minute * MINUTE)
        record_judgment(one, token=card.token, grade=2, moment=NOW + minute * MINUTE)
    assert WorkSession.objects.count() == 2


def too_late(one: Participation, two: Participation) -> tuple[Judgment, Card]:
    """One's lease lapses, two takes the slot over, then one's judgment comes. With two's card."""
    card = claim(one)
    taken = claim(two, NOW + 30 * MINUTE)
    assert taken.assignment.item_id == card.assignment.item_id
    outcome, _ = record_judgment(one, token=card.token, grade=2, moment=NOW + 30 * MINUTE)
    assert isinstance(outcome, Recorded)
    return outcome.judgment, taken


def test_a_surplus_judgment_makes_no_item_half_judged_and_stays_surplus_when_revised() -> None:
    _, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    late, _ = too_late(one, two)
    assert late.surplus
    assert Item.objects.get().n_judged == 0
    card = reopen(one, moment=NOW + 31 * MINUTE)
    assert card is not None
    record_judgment(one, token=card.token, grade=3, moment=NOW + 31 * MINUTE)
    assert list(Judgment.objects.order_by("pk").values_list("grade", "surplus")) == [(2, True), (3, True)]


def test_a_late_judgment_takes_another_open_slot_but_none_that_is_kept_for_someone() -> None:
    for kept in (False, True):
        batch, (one, two, three) = batch_for(3, n_documents=1, judgments_per_item=2)
        second = Slot.objects.filter(batch=batch).latest("n")
        Slot.objects.filter(pk=second.pk).update(reserved_for=three.annotator, due=0)
        card = claim(one)
        claim(two, NOW + 30 * MINUTE)
        if not kept:
            Slot.objects.filter(pk=second.pk).update(reserved_for=None, due=None)
        recount_blocks(batch)
        outcome, _ = record_judgment(one, token=card.token, grade=2, moment=NOW + 30 * MINUTE)
        assert isinstance(outcome, Recorded)
        assert outcome.judgment.surplus is kept
        assert broken_invariants(batch) == []


def test_a_late_judgment_takes_no_slot_of_the_other_reading() -> None:
    batch, (one, two) = batch_for(2, n_documents=1, judgments_per_item=1)
    Slot.objects.create(
        collection=batch.collection, batch=batch, item=batch.items.get(), n=1, block=0, reading=2,
        reserved_for=one.annotator, due=0,
    )  # fmt: skip
    late, _ = too_late(one, two)
    assert late.surplus
    assert Slot.objects.get(reading=2).state == Slot.State.OPEN


def test_a_form_that_comes_again_after_its_grade_was_changed_is_answered_as_before() -> None:
    _, (one, _) = batch_for(2, n_documents=2)
    card = claim(one)
    record_judgment(one, token=card.token, grade=3, moment=NOW)
    asked, _ = record_judgment(one, token=card.token, grade=1, moment=NOW)
    assert isinstance(asked, Conflict)
    record_judgment(one, token=asked.card.token, grade=1, moment=NOW)
    again, _ = record_judgment(one, token=card.token, grade=3, moment=NOW)
    assert isinstance(again, Recorded)
    assert (again.judgment.grade, again.replayed) == (3, True)
    assert list(Judgment.objects.order_by("pk").values_list("grade", flat=True)) == [3, 1]


def test_who_was_away_for_just_a_quarter_of_an_hour_goes_on() -> None:
    _, (one, _) = batch_for(2, n_documents=3)
    for minute, n_sessions in ((0, 1), (15, 1), (31, 2)):
        record_judgment(one, token=claim(one, NOW + minute * MINUTE).token, grade=2, moment=NOW + minute * MINUTE)
        assert WorkSession.objects.count() == n_sessions


def test_a_second_reading_does_not_come_to_who_has_put_off_or_skipped_the_first() -> None:
    batch, (one, _) = batch_for(2, n_documents=1, judgments_per_item=1)
    Slot.objects.create(
        collection=batch.collection, batch=batch, item=batch.items.get(), n=1, block=0, reading=2,
        reserved_for=one.annotator, due=0,
    )  # fmt: skip
    card = claim(one)
    assert card.assignment.reading == 1
    again = put_off(one, token=card.token, moment=NOW)
    assert again is not None
    assert again.assignment.reading == 1
    assert skip_item(one, token=again.token, reason=OTHER, moment=NOW) is None


def test_a_quick_revision_is_not_early() -> None:
    _, (one, _) = batch_for(2, n_documents=2, minimum_seconds=10)
    card = claim(one)
    record_judgment(one, token=card.token, grade=2, moment=NOW)
    reopened = reopen(one, moment=NOW)
    assert reopened is not None
    record_judgment(one, token=reopened.token, grade=3, moment=NOW)
    assert list(Judgment.objects.order_by("pk").values_list("early", flat=True)) == [True, False]


@pytest.mark.parametrize(("role", "blind"), [("annotator", True), ("researcher", False), ("admin", False)])
def test_who_may_see_gold_judges_but_not_blind(role: str, blind: bool) -> None:
    batch, (one, _) = batch_for(2, n_documents=1)
    user = one.annotator.user
    assert user is not None
    Membership.objects.get_or_create(collection=batch.collection, user=user, role=role)
    record_judgment(one, token=claim(one).token, grade=2, moment=NOW)
    assert Judgment.objects.get().blind is blind
