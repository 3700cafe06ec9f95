"""A person's workspace in a batch: the cards they hold, in order, and their session."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import attrgetter

from django.db.models import Exists, OuterRef
from django.db.models.expressions import Combinable

from annotation.judging.steps.block_changes import BlockChanges, Change
from annotation.judging.steps.sessions import latest_session, touch_session
from annotation.judging.steps.tally import Tally, tally_of
from annotation.kernel.access import judging_blind
from annotation.models import Assignment, Batch, Card, Participation, WorkSession
from annotation.models.prepared import KEY, MOMENT, Blank, Rows, Update, apply_together

NEVER = 2**31 - 1  # no block has so many cards


def _unfinished() -> Combinable:
    """Of a participation: whether the person has put off, lost or given back a card."""
    states = [Assignment.State.EXPIRED, Assignment.State.LATER]
    mine = Assignment.objects.filter(batch=OuterRef("batch"), annotator=OuterRef("annotator"), state__in=states)
    return Exists(mine)


_LOCK_PARTICIPATION = Rows(
    lambda: (
        Participation.objects.select_for_update(of=("self",))
        .select_related("batch__collection", "annotator")
        .annotate(judges_blind=judging_blind(), has_unfinished=_unfinished())
        .filter(pk=Blank("pk", KEY))
    )
)
_OF_ASSIGNMENT = [f"assignment__{name}" for name in ("item", "annotator", "slot", "reading", "state", "guideline")]
_OF_ITEM = [f"assignment__item__{name}" for name in ("collection", "batch", "topic", "document", "scale", "block")]
_OF_SLOT = [f"assignment__slot__{name}" for name in ("block", "state", "lease_until")]
_LEASED_CARDS = Rows(
    lambda: (
        Card.objects.filter(
            assignment__batch=Blank("batch", KEY),
            assignment__annotator=Blank("annotator", KEY),
            assignment__state=Assignment.State.LEASED,
        )
        .select_related("assignment__item", "assignment__slot")
        .only(*(field.name for field in Card._meta.concrete_fields), *_OF_ASSIGNMENT, *_OF_ITEM, *_OF_SLOT)  # noqa: SLF001
    )
)
_MARK_SHOWN = Update(lambda: Card.objects.filter(pk=Blank("pk", KEY)), shown_at=Blank("moment", MOMENT))


@dataclass
class Workspace:
    """`leased`: cards under live leases, the one in front of the person first, then those that wait, in their order.

    `lapsed`: cards whose lease has run out and that nobody else has taken. Steps bring all of it up
    to date as they go, so that nothing is read twice. `is_touched`: the step has noted in the
    session that the person is at work; `has_judged`: it has written a judgment, which may be
    undone. `is_blind`, of a locked workspace: whether the person judges without being able to look
    up what is known about the pairs. `has_unfinished`: whether cards of the batch may come to the person again, because
    they have put them off, lost or given them back. `page`: the name of the page that asks, if it can hold a card
    ahead. `blocks`: what the step changes of the blocks, until `write_last` writes it.
    """

    participation: Participation
    moment: datetime
    page: str = ""
    leased: list[Card] = field(default_factory=list)
    lapsed: list[Card] = field(default_factory=list)
    is_touched: bool = False
    has_judged: bool = False
    is_blind: bool = True
    has_unfinished: bool = True
    blocks: BlockChanges = field(default_factory=BlockChanges)

    @cached_property
    def session(self) -> WorkSession | None:
        """The one running or, during a break, the one that led to it."""
        return latest_session(self.participation.annotator.user_id, moment=self.moment)

    @cached_property
    def tally(self) -> Tally:
        """How far the batch is."""
        return tally_of(self.participation.batch)

    def touch(self, *, judged: int = 0) -> WorkSession:
        """Go on with the session or begin one, with so many judgments more."""
        self.session = touch_session(self.participation, moment=self.moment, judged=judged)
        self.is_touched = True
        return self.session

    @property
    def reopened(self) -> Card | None:
        """The card that undo brought back; it comes before all others until the batch is closed."""
        person = self.participation
        if person.reopened_id is None or person.batch.state == Batch.State.CLOSED:
            return None
        return person.reopened

    @property
    def cards(self) -> list[Card]:
        """What the person has before them: the current card, then those that wait."""
        return [*([self.reopened] if self.reopened else []), *self.leased]

    @property
    def card(self) -> Card | None:
        return self.cards[0] if self.cards else None

    @property
    def done(self) -> int:
        """Cards of the block that are behind the person or in their hands."""
        return self.participation.done_in_block + self.n_leased_in(self.participation.block)

    @property
    def visit_is_over(self) -> bool:
        """Whether the cards that the person came to the block for are done, where coins decide what comes."""
        person = self.participation
        return person.batch.coin_shares is not None and self.done >= person.thrown

    @property
    def values(self) -> dict[str, object]:
        """What fills the blanks of the statements that find the next slot."""
        person = self.participation
        return {
            "annotator": person.annotator_id,
            "batch": person.batch_id,
            "block": -1 if person.block is None else person.block,
            "done": self.done,
            "moment": self.moment,
            "pairs_end": NEVER if person.pairs_end is None else person.pairs_end,
            "participation": person.pk,
            "salt": person.salt,
        }

    def drop(self, card: Card) -> None:
        """Forget a card that was handed in, or that the person can no longer hand in."""
        self.leased = [each for each in self.leased if each.assignment_id != card.assignment_id]
        self.lapsed = [each for each in self.lapsed if each.assignment_id != card.assignment_id]

    def arrange(self) -> None:
        """Put the leased cards into the order in which the person meets them."""
        self.leased.sort(key=lambda card: (card.shown_at is None, card.issued_at, card.pk))

    def n_leased_in(self, block: int | None) -> int:
        """How many of the leased cards stand in the block."""
        return sum(block_of(card.assignment) == block for card in self.leased)


def lock_participation(participation: Participation) -> Participation:
    """The participation, locked until the transaction ends. Call it first in every step."""
    return _LOCK_PARTICIPATION.all(pk=participation.pk)[0]


def lock_workspace(participation: Participation, *, moment: datetime, page: str = "") -> Workspace:
    """`workspace_of`, locked until the transaction ends: a person's tabs and retries take turns."""
    locked = lock_participation(participation)
    workspace = workspace_of(locked, moment=moment)
    workspace.page = page
    workspace.is_blind = bool(vars(locked)["judges_blind"])
    workspace.has_unfinished = bool(vars(locked)["has_unfinished"])
    return workspace


def workspace_of(participation: Participation, *, moment: datetime) -> Workspace:
    """Reads alone: it claims nothing."""
    workspace = Workspace(participation, moment)
    for card in _leased(participation):
        slot = card.assignment.slot
        is_live = slot is not None and slot.lease_until is not None and slot.lease_until >= moment
        (workspace.leased if is_live else workspace.lapsed).append(card)
    workspace.arrange()
    return workspace


def card_of(workspace: Workspace, token: str) -> Card:
    """The person's card with this token. Raises `Card.DoesNotExist` for a foreign one."""
    for card in (*workspace.leased, *workspace.lapsed):
        if card.token == token:
            return card
    return Card.objects.select_related("assignment__item", "assignment__slot").get(
        token=token,
        assignment__batch=workspace.participation.batch_id,
        assignment__annotator=workspace.participation.annotator_id,
    )


def write_last(workspace: Workspace) -> None:
    """What a step writes at its end, in one trip: that the first card is shown from this moment on, then the blocks."""
    changes: list[Change] = []
    card = workspace.card
    if card is not None and card.shown_at is None:
        card.shown_at = workspace.moment
        changes.append((_MARK_SHOWN, {"pk": card.pk, "moment": workspace.moment}))
    workspace.blocks.recount(workspace.participation.batch)
    changes += workspace.blocks.statements(workspace.participation.batch_id)
    if changes:
        apply_together(changes)


def block_of(assignment: Assignment) -> int:
    """The block in which the person met the item: its slot's, for a repeat stands in a later one than the item."""
    slot = assignment.slot
    return assignment.item.block if slot is None else slot.block


def _leased(participation: Participation) -> list[Card]:
    """The newest card of each assignment that the person has leased."""
    cards = _LEASED_CARDS.all(batch=participation.batch_id, annotator=participation.annotator_id)
    return list({card.assignment_id: card for card in sorted(cards, key=attrgetter("pk"))}.values())
