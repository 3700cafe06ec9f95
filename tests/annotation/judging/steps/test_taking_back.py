"""Undo of the last deed, whatever it was: a skip and a "later" come back as a grade does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.grading import Recorded, record_judgment
from annotation.judging.steps.leases import renew_lease
from annotation.judging.steps.putting_off import put_off, skip_item
from annotation.judging.steps.undo import keep_grade, reopen, undo_available
from annotation.judging.steps.workspace import workspace_of
from annotation.models import Assignment, Card, Participation, Slot
from tests.annotation.judging.steps.test_judging_ahead import batch_for
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both("locks")]

NOW = timezone.now()
SECOND = timedelta(seconds=1)
BROKEN = Assignment.SkipReason.BROKEN


class Person:
    """Does one deed a second."""

    def __init__(self, participation: Participation) -> None:
        self.key, self.moment = participation.pk, NOW
        claim_next(self.row, moment=NOW)

    @property
    def row(self) -> Participation:
        return Participation.objects.select_related("batch", "annotator").get(pk=self.key)

    @property
    def card(self) -> Card:
        card = workspace_of(self.row, moment=self.moment).card
        assert card is not None
        return card

    def do(self, deed: str, token: str = "") -> Card:
        """The card that it was done with."""
        self.moment += SECOND
        card, token = self.card, token or self.card.token
        if deed == "grade":
            outcome, _ = record_judgment(self.row, token=token, grade=2, moment=self.moment)
            assert isinstance(outcome, Recorded)
        elif deed == "skip":
            skip_item(self.row, token=token, reason=BROKEN, note="Empty.", moment=self.moment)
        else:
            put_off(self.row, token=token, moment=self.moment)
        return card

    def undo(self, token: str = "") -> Card | None:
        self.moment += SECOND
        return reopen(self.row, token=token, moment=self.moment)


@pytest.mark.parametrize(("deed", "state"), [("skip", "skipped"), ("later", "later")])
def test_what_was_put_aside_comes_back_as_it_was_and_what_was_said_stays_written(deed: str, state: str) -> None:
    batch, (one, _) = batch_for()
    person = Person(one)
    person.do("grade")
    done_before = person.row.done_in_block
    old = person.do(deed)
    waiting = person.card
    back = person.undo(old.token)
    assert back is not None
    assert (person.card, back.assignment_id, back.revision) == (back, old.assignment_id, 1)
    assert back.token not in {old.token, waiting.token}
    assert (back.issued_at, back.shown_at) == (old.issued_at, old.shown_at)
    assignment, old = Assignment.objects.get(pk=old.assignment_id), Card.objects.get(pk=old.pk)
    assert (assignment.state, assignment.skip_reason, assignment.skip_note) == ("leased", "", "")
    assert person.row.done_in_block == done_before
    assert (old.taken_back, old.taken_back_at) == (state, person.moment)
    assert (old.skip_reason, old.skip_note) == (("broken", "Empty.") if deed == "skip" else ("", ""))
    assert old.put_aside_at == person.moment - SECOND
    assert person.undo(old.token) == back, "the same once more"
    person.do(deed, old.token)
    assert person.card == back, "a deed that was taken back is not repeated"
    assert keep_grade(person.row) is None
    assert person.do("grade").pk == back.pk
    assert person.card == waiting
    assert broken_invariants(batch) == []


def test_undo_goes_back_through_all_deeds_in_their_order() -> None:
    batch, (one, _) = batch_for(n_documents=6)
    person = Person(one)
    done = [person.do(deed).assignment_id for deed in ("grade", "skip", "grade", "later", "skip")]
    back = []
    while undo_available(person.row):
        card = person.undo()
        assert card is not None
        back.append(card.assignment_id)
    assert back == done[::-1]
    assert person.undo() is None
    assert broken_invariants(batch) == []


def test_a_card_whose_slot_has_gone_comes_back_all_the_same_and_is_surplus() -> None:
    batch, (one, two) = batch_for(n_documents=2, judgments_per_item=1)
    person = Person(one)
    old = person.do("skip")
    other = claim_next(two, moment=person.moment)
    assert other is not None
    assert other.assignment.item_id == old.assignment.item_id
    back = person.undo()
    assert person.card == back
    assert renew_lease(person.row, token=person.card.token, moment=person.moment)
    record_judgment(two, token=other.token, grade=1, moment=person.moment)
    judged = person.do("grade")
    assert Assignment.objects.get(pk=judged.assignment_id).state == "surplus"
    assert broken_invariants(batch) == []


@pytest.mark.parametrize("deed", ["skip", "later", "grade"])
def test_a_card_brought_back_without_a_slot_can_be_put_aside_again(deed: str) -> None:
    batch, (one, two) = batch_for(n_documents=2, judgments_per_item=1)
    person = Person(one)
    person.do("skip")
    claim_next(two, moment=person.moment)
    back = person.undo()
    person.do(deed)
    assert person.row.reopened is None
    assert back is not None
    assert Assignment.objects.get(pk=back.assignment_id).state == {"skip": "skipped", "grade": "surplus"}.get(
        deed, deed
    )
    assert broken_invariants(batch) == []


def test_a_pair_is_withheld_no_more_once_a_refusal_is_taken_back() -> None:
    batch, participations = batch_for(people=3, n_documents=1, judgments_per_item=3)
    one, two, _ = map(Person, participations)
    one.do("skip")
    two.do("skip")
    item = batch.items.get()
    assert item.withheld
    assert two.undo() is not None
    item.refresh_from_db()
    assert not item.withheld
    assert Slot.objects.filter(state=Slot.State.LEASED).count() == 2
    assert broken_invariants(batch) == []
