"""Judging in any order: three people and an admin do at random what they may, and after each step all is as it must be.

The model (`model.py`) says what a step comes to; `broken_invariants` what must hold of the rows whatever happened.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotation.judging.steps import tally
from annotation.models import Assignment, Batch
from tests.annotation.judging.model import Client, Model
from tests.drawing import TIMES
from tests.factories import make_annotator, make_batch, make_collection
from tests.journeys.invariants import broken_invariants

pytestmark = [pytest.mark.django_db, pytest.mark.properties]

PEOPLE = 3
Thing = TypeVar("Thing")
Reason = Assignment.SkipReason
State = Batch.State

CLIENTS = [(0, "a"), (0, "b"), (1, "a"), (2, "")]  # one person has two pages, another a page without a script

clients = st.sampled_from(CLIENTS)
turns = st.integers(0, PEOPLE)  # of somebody among those who can do the step
grades = st.integers(1, 2)
places = st.sampled_from([0, 0, 1, 2])  # of a card on the page: the one in front, or one that waits
aheads = st.integers(0, 2)


def when(may: Callable[[Model], object]) -> Callable[..., object]:
    """A rule for a state in which it does something."""
    return precondition(lambda machine: bool(may(machine.model)))


class Judging(RuleBasedStateMachine):
    """All that happens is undone after it."""

    def __init__(self, batch: Batch) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.batch, self.model = batch, Model(batch, timezone.now())

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)

    @initialize(aheads=st.lists(aheads, min_size=1, max_size=len(CLIENTS)))
    def begin(self, aheads: list[int]) -> None:
        for client, ahead in zip(CLIENTS, aheads, strict=False):
            self.model.claim(client, ahead=ahead)

    @rule(client=clients, ahead=aheads)
    def claim(self, client: Client, ahead: int) -> None:
        self.model.claim(client, ahead=ahead)

    @when(lambda model: model.at_work)
    @rule(turn=turns, grades=st.lists(grades, min_size=1, max_size=3), ahead=aheads)
    def grade(self, turn: int, grades: list[int], ahead: int) -> None:
        """One card after the other."""
        client = one_of(self.model.at_work, turn)
        for grade in grades:
            if page := self.model.pages[client]:
                self.model.grade(client, page[0], grade, ahead=ahead)

    @when(lambda model: model.at_work)
    @rule(turn=turns, place=places, reason=st.sampled_from([Reason.BROKEN, Reason.OTHER]), ahead=aheads)
    def skip(self, turn: int, place: int, reason: Reason, ahead: int) -> None:
        client = one_of(self.model.at_work, turn)
        self.model.skip(client, one_of(self.model.pages[client], place), reason, ahead=ahead)

    @when(lambda model: model.at_work)
    @rule(turn=turns, place=places, ahead=aheads)
    def put_off(self, turn: int, place: int, ahead: int) -> None:
        client = one_of(self.model.at_work, turn)
        self.model.put_off(client, one_of(self.model.pages[client], place), ahead=ahead)

    @when(lambda model: model.forms)
    @rule(client=clients, place=st.integers(0, 9), grade=st.sampled_from([1, 2, None]))
    def send_old(self, client: Client, place: int, grade: int | None) -> None:
        """Any form that the person has ever seen: a grade, or that it is skipped."""
        if forms := self.model.forms.get(client[0]):
            card = one_of(forms, place)
            if grade is None:
                self.model.skip(client, card, Reason.OTHER)
            else:
                self.model.grade(client, card, grade)

    @when(lambda model: model.at_work)
    @rule(turn=turns)
    def give_back(self, turn: int) -> None:
        self.model.give_back(one_of(self.model.at_work, turn))

    @when(lambda model: model.at_work)
    @rule(turn=turns, place=places)
    def renew(self, turn: int, place: int) -> None:
        client = one_of(self.model.at_work, turn)
        self.model.renew(client, one_of(self.model.pages[client], place))

    @when(lambda model: model.sent)
    @rule(turn=turns)
    def undo(self, turn: int) -> None:
        self.model.undo(one_of(self.model.sent, turn))

    @when(lambda model: model.reopened)
    @rule(turn=turns)
    def keep(self, turn: int) -> None:
        self.model.keep(one_of(self.model.sent, turn))

    @rule(minutes=st.sampled_from([11, 6, 1]))
    def wait(self, minutes: int) -> None:
        self.model.wait(minutes)

    @when(lambda model: model.state == State.OPEN and model.judged)
    @rule()
    def pause(self) -> None:
        self.model.pause()

    @when(lambda model: model.state != State.CLOSED and model.judged)
    @rule()
    def close(self) -> None:
        self.model.close()

    @when(lambda model: model.state != State.OPEN)
    @rule()
    def go_on(self) -> None:
        self.model.open()

    @when(lambda model: model.judged)
    @rule(who=st.integers(0, PEOPLE - 1))
    def hold_or_let_go_on(self, who: int) -> None:
        (self.model.let_go_on if who in self.model.held else self.model.hold)(who)

    @when(lambda model: model.withheld)
    @rule()
    def release(self) -> None:
        self.model.release(min(self.model.withheld))

    @invariant()
    def holds(self) -> None:
        assert broken_invariants(self.batch, self.model.acknowledged) == []


def one_of(things: Iterable[Thing], place: int) -> Thing:
    return (rows := [*things])[place % len(rows)]


def test_whatever_people_and_admins_do_all_is_as_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    collection = make_collection()
    people = [make_annotator(collection) for _ in range(PEOPLE)]
    batch = make_batch(collection, people, n_topics=1, n_documents=3, judgments_per_item=2, session_minutes=0)
    monkeypatch.setattr(tally, "RECOUNT_AFTER", -1)  # no look at the clock of the machine
    how = settings(max_examples=round(40 * TIMES), stateful_step_count=40)
    run_state_machine_as_test(lambda: Judging(batch), settings=how)  # type: ignore[no-untyped-call]
