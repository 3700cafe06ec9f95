"""What judging promises, in dicts beside the app: a step is taken there, and all that it has changed is compared.

`tests/journeys/invariants.py` says what must hold of the rows whatever happened. Here it is known what happened.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta

from annotation.batches.steps.batches import close_batch, pause_batch, release_item, reopen_batch
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_at
from annotation.judging.steps.grading import Conflict, Outcome, Recorded, Refused, record_judgment
from annotation.judging.steps.leases import LEASE, release_ahead, renew_lease
from annotation.judging.steps.putting_off import ENOUGH_REFUSALS, put_off, skip_item
from annotation.judging.steps.undo import keep_grade, reopen
from annotation.judging.steps.workspace import lock_participation, workspace_of
from annotation.models import Assignment, Batch, Card, Item, Judgment, Participation
from annotation.models.prepared import KEY, Blank, Values
from annotation.trust.steps.pausing import pause_annotator, resume_annotator

State = Assignment.State
Reason = Assignment.SkipReason
GIVEN_BACK = (State.EXPIRED, State.LATER)


@dataclass(frozen=True)
class Meeting:
    """Of a person with an item. `until`: the end of its lease. `grades`: one of each revision."""

    state: str
    until: datetime | None = None
    grades: tuple[int, ...] = ()

    def is_leased(self, moment: datetime) -> bool:
        return self.until is not None and self.until >= moment

    def is_lapsed(self, moment: datetime) -> bool:
        return self.until is not None and self.until < moment


Key = tuple[int, int]  # annotator, item
Client = tuple[int, str]  # a person and the name of one of their pages


class Model:
    """A batch without reservations, and its people by their place in `people`.

    `pages`: what a page has shown since its last step, the current card first; it may be out of date. `sent`: the card
    whose grade it sent last. `forms`: all cards that came to a person, the newest last. `judged`: a person's items in
    the order of first judging.
    """

    def __init__(self, batch: Batch, moment: datetime) -> None:
        self.batch, self.moment, self.state = batch.pk, moment, batch.state
        self.n_wanted = batch.judgments_per_item
        self.people = list(Participation.objects.filter(batch=batch).select_related("annotator").order_by("pk"))
        self.items = list(Item.objects.filter(batch=batch).order_by("pk").values_list("pk", flat=True))
        self.meetings = meetings_of(self.batch)
        self.acknowledged: dict[str, int] = {}
        self.pages: dict[Client, list[Card]] = {}
        self.forms: dict[int, list[Card]] = defaultdict(list)
        self.sent: dict[Client, Card] = {}
        self.judged: dict[int, list[int]] = defaultdict(list)
        self.reopened: dict[int, int] = {}
        self.refusals: Counter[int] = Counter()
        self.withheld: set[int] = set()
        self.held: set[int] = set()

    def copy(self) -> "Model":
        """One to go on from here another way."""
        other = copy(self)
        for name in ("meetings", "acknowledged", "pages", "sent", "reopened", "refusals", "withheld", "held"):
            setattr(other, name, getattr(self, name).copy())
        for name in ("forms", "judged"):
            setattr(other, name, defaultdict(list, {who: [*rows] for who, rows in getattr(self, name).items()}))
        return other

    @property
    def at_work(self) -> list[Client]:
        """Pages with a card."""
        return [client for client, cards in self.pages.items() if cards]

    # Steps of people

    def claim(self, client: Client, *, ahead: int = 0) -> None:
        who, page = client
        claim_next(self.people[who], moment=self.moment, ahead=ahead, page=page)
        self._compare(client)

    def grade(self, client: Client, card: Card, grade: int, *, ahead: int = 0) -> Outcome:
        who, page = client
        key = self.key(who, card)
        kind, meeting = self._graded(key, card, grade)
        outcome, _ = record_judgment(
            self.people[who], token=card.token, grade=grade, moment=self.moment, ahead=ahead, page=page
        )
        assert type(outcome) is kind, f"{outcome} in place of {kind.__name__}"
        if isinstance(outcome, Recorded):
            assert outcome.replayed == (meeting == self.meetings[key])
            assert outcome.judgment.grade == grade
            self.acknowledged[outcome.judgment.token] = grade
            self.sent[client] = card
            if not outcome.replayed:
                self.reopened.pop(who, None)
                if outcome.judgment.revision == 1:
                    self.judged[who].append(key[1])
        self._compare(client, key, meeting, claims=kind is not Conflict)
        if isinstance(outcome, Conflict):
            assert outcome.card.revision == len(meeting.grades) + 1
            self._show(client, [outcome.card, *self.pages[client]])
        return outcome

    def skip(self, client: Client, card: Card, reason: Reason, *, ahead: int = 0) -> None:
        who, page = client
        key = self.key(who, card)
        meeting = self.meetings[key]
        if meeting.state in (State.LEASED, *GIVEN_BACK):
            meeting = Meeting(State.SKIPPED)
            self.refusals[key[1]] += reason in Assignment.CANNOT_JUDGE
            if reason in Assignment.CANNOT_JUDGE and self.refusals[key[1]] >= ENOUGH_REFUSALS:
                self.withheld.add(key[1])
        skip_item(self.people[who], token=card.token, reason=reason, moment=self.moment, ahead=ahead, page=page)
        self._compare(client, key, meeting)

    def put_off(self, client: Client, card: Card, *, ahead: int = 0) -> None:
        who, page = client
        key = self.key(who, card)
        meeting = self.meetings[key]
        newest = Card.objects.filter(assignment=card.assignment_id).order_by("-pk").first()
        if meeting.state == State.LEASED and card == newest:
            meeting = Meeting(State.LATER)
        put_off(self.people[who], token=card.token, moment=self.moment, ahead=ahead, page=page)
        self._compare(client, key, meeting)

    def give_back(self, client: Client) -> None:
        """The page is left: what waits in it goes back, unless another page has it, too."""
        who, page = client
        waiting = self.pages[client][1:]
        before = self.meetings
        n = release_ahead(self.people[who], tokens=[c.token for c in waiting], moment=self.moment, page=page)
        keys = {self.key(who, card) for card in waiting}
        self._compare(client, claims=False, given_back=keys)
        assert n == sum(before[key] != self.meetings[key] for key in keys)

    def renew(self, client: Client, card: Card) -> None:
        who, _ = client
        meeting = self.meetings[self.key(who, card)]
        is_mine = meeting.state == State.LEASED
        reopened = lock_participation(self.people[who]).reopened
        is_open_again = reopened is not None and reopened.token == card.token
        assert renew_lease(self.people[who], token=card.token, moment=self.moment) is (is_mine or is_open_again)
        expected = {
            key: Meeting(State.LEASED, self.moment + LEASE)
            for key, each in self.meetings.items()
            if key[0] == self._annotator(who) and each.state == State.LEASED and (is_mine or is_open_again)
        }
        before, self.meetings = self.meetings, meetings_of(self.batch)
        assert self.meetings == {**before, **expected}

    def undo(self, client: Client) -> None:
        who, _ = client
        card = reopen(self.people[who], moment=self.moment)
        order = self.judged.get(who, [])
        behind = order[: order.index(self.reopened[who])] if who in self.reopened else order
        if self.state == Batch.State.CLOSED or not behind:
            assert card is None
            return
        assert card is not None
        key = self.key(who, card)
        assert (key[1], card.revision) == (behind[-1], len(self.meetings[key].grades) + 1)
        self.reopened[who] = key[1]
        self._compare(client, claims=False)

    def keep(self, client: Client) -> None:
        who, _ = client
        grade, item = keep_grade(self.people[who]), self.reopened.pop(who, None)
        assert grade == (None if item is None else self.meetings[self._annotator(who), item].grades[-1])
        self._compare(client, claims=False)

    # Steps of admins, and time

    def wait(self, minutes: int) -> None:
        self.moment += timedelta(minutes=minutes)

    def pause(self) -> None:
        self._move(pause_batch, Batch.State.PAUSED)

    def close(self) -> None:
        self._move(close_batch, Batch.State.CLOSED)

    def open(self) -> None:
        self._move(reopen_batch, Batch.State.OPEN)

    def hold(self, who: int) -> None:
        pause_annotator(self.people[who].annotator, reason="Looked at", actor=None)
        self.held.add(who)
        self._unchanged()

    def let_go_on(self, who: int) -> None:
        resume_annotator(self.people[who].annotator, reason="Looked at", actor=None)
        self.held.remove(who)
        self._unchanged()

    def release(self, item: int) -> None:
        release_item(Item.objects.get(pk=item), actor=None)
        self.withheld.remove(item)
        self._unchanged()

    # What may be

    def key(self, who: int, card: Card) -> Key:
        return self._annotator(who), card.assignment.item_id

    def may_claim(self, who: int) -> bool:
        return self.state == Batch.State.OPEN and who not in self.held

    def n_free(self, item: int) -> int:
        """Slots that nobody has filled and nobody has a live lease on."""
        return self.n_wanted - sum(
            each.state == State.JUDGED or each.is_leased(self.moment)
            for (_, of), each in self.meetings.items()
            if of == item
        )

    def _graded(self, key: Key, card: Card, grade: int) -> tuple[type[Outcome], Meeting]:
        """What a grade on the card comes to, and the meeting after it."""
        meeting, is_closed = self.meetings[key], self.state == Batch.State.CLOSED
        if len(meeting.grades) >= card.revision:
            if self.acknowledged.get(card.token, meeting.grades[-1]) == grade:
                return Recorded, meeting
            return (Refused if is_closed else Conflict), meeting
        if meeting.state == State.SKIPPED or (card.revision > 1 and is_closed):
            return Refused, meeting
        state = meeting.state if meeting.grades else self._state_of_first(key)
        return Recorded, Meeting(state, None, (*meeting.grades, grade))

    def _state_of_first(self, key: Key) -> str:
        """Without a lease of one's own it takes a slot that lies open; a lapsed one is still somebody's."""
        if self.meetings[key].state == State.LEASED:
            return State.JUDGED
        taken = [
            each
            for (_, item), each in self.meetings.items()
            if item == key[1] and each.state in (State.LEASED, State.JUDGED)
        ]
        return State.JUDGED if len(taken) < self.n_wanted else State.SURPLUS

    def _is_free_for(self, who: int, item: int) -> bool:
        meeting = self.meetings.get((self._annotator(who), item))
        may_meet = meeting is None or meeting.state in GIVEN_BACK or meeting.is_lapsed(self.moment)
        return may_meet and item not in self.withheld and self.n_free(item) > 0

    # What has become of it

    def _compare(
        self,
        client: Client,
        key: Key | None = None,
        expected: Meeting | None = None,
        *,
        claims: bool = True,
        given_back: Collection[Key] = (),
    ) -> None:
        """The step has brought the meeting of this key to what is expected; of all others no more has changed than may.
        Whoever asked for a card has one, unless there is none for them.
        """
        who, _ = client
        before, self.meetings = self.meetings, meetings_of(self.batch)
        claims = claims and self.may_claim(who)
        for each in before.keys() | self.meetings.keys():
            old, new = before.get(each), self.meetings[each]
            if each == key:
                assert expected is not None
                old = expected
            if new != old:
                assert self._may_become(who, each, old, new, claims=claims, given_back=each in given_back), (old, new)
        self._look_at_desk(client, claims=claims)

    def _may_become(
        self, who: int, key: Key, old: Meeting | None, new: Meeting, *, claims: bool, given_back: bool
    ) -> bool:
        if new.grades != (old.grades if old else ()):
            return False
        is_lapsed = old is not None and old.is_lapsed(self.moment)
        if key[0] != self._annotator(who):
            return claims and is_lapsed and new.state == State.EXPIRED
        if new.state == State.LEASED:
            is_free = old is None or old.state in GIVEN_BACK or is_lapsed
            return claims and is_free and key[1] not in self.withheld and new.until == self.moment + LEASE
        was_leased = old is not None and old.state == State.LEASED
        return new.state == State.EXPIRED and was_leased and (is_lapsed or given_back or not claims)

    def _look_at_desk(self, client: Client, *, claims: bool) -> None:
        who, _ = client
        workspace = workspace_of(lock_participation(self.people[who]), moment=self.moment)
        is_open_again = who in self.reopened and self.state != Batch.State.CLOSED
        again = [(self._annotator(who), self.reopened[who])] if is_open_again else []
        leased = {
            key for key, each in self.meetings.items() if key[0] == self._annotator(who) and each.is_leased(self.moment)
        }
        assert [self.key(who, card) for card in workspace.cards[: len(again)]] == again
        assert {self.key(who, card) for card in workspace.cards[len(again) :]} == leased
        if claims and not leased:
            assert not [item for item in self.items if self._is_free_for(who, item)]
            assert again or desk_at(workspace).state in ("waiting", "done")
        self._show(client, workspace.cards)

    def _show(self, client: Client, cards: list[Card]) -> None:
        who, _ = client
        self.pages[client] = cards
        if new := [card for card in cards if card not in self.forms.get(who, [])]:
            self.forms[who] += new

    def _move(self, step: Callable[..., None], state: Batch.State) -> None:
        step(Batch.objects.get(pk=self.batch), actor=None)
        self.state = state
        self._unchanged()

    def _unchanged(self) -> None:
        assert meetings_of(self.batch) == self.meetings

    def _annotator(self, who: int) -> int:
        return self.people[who].annotator_id


BATCH = Blank("batch", KEY)
COLUMNS = ("pk", "annotator", "item", "state", "slot__lease_until")
# compiled once, for they are asked after every step
_MEETINGS = Values(lambda: Assignment.objects.filter(batch=BATCH).values_list(*COLUMNS))
_GRADES = Values(lambda: Judgment.objects.filter(batch=BATCH).order_by("revision").values_list("assignment", "grade"))


def meetings_of(batch: int) -> dict[Key, Meeting]:
    """As the database has them."""
    grades = defaultdict[int, list[int]](list)
    for assignment, grade in _GRADES.rows(batch=batch):
        grades[assignment].append(grade)
    rows = _MEETINGS.rows(batch=batch)
    return {(annotator, item): Meeting(state, until, tuple(grades[pk])) for pk, annotator, item, state, until in rows}
