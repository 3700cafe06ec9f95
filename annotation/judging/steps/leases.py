"""Leases on slots: for ten minutes an item is one person's to judge, renewed while its page is used.

A person holds at most six in a batch: the card they read, and those that the page has fetched
ahead.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotation.judging.steps.workspace import Workspace, card_of, lock_participation, lock_workspace
from annotation.models import Assignment, Card, Item, Participation, Slot
from annotation.models.prepared import KEY, MOMENT, Blank, Insert, Update, apply_together

LEASE = timedelta(minutes=10)
LEASED = Assignment.State.LEASED

# The item is asked once the slot is locked: it may have been withheld since the slot was found.
_LEASE_SLOT = Update(
    lambda: Slot.objects.filter(Exists(Item.objects.filter(pk=OuterRef("item"), withheld=False)), pk=Blank("pk", KEY)),
    state=Slot.State.LEASED,
    lease_until=Blank("lease_until", MOMENT),
)
_INSERT_ASSIGNMENT, _INSERT_CARD = Insert(Assignment), Insert(Card)


@transaction.atomic
def renew_lease(participation: Participation, *, token: str, moment: datetime) -> bool:
    """Prolong what the person holds, for a page that is in use. False when the slot of its card has gone to another. A
    card that is open again has none to lose.
    """
    locked = lock_participation(participation)  # a step that gives several slots back takes them in another order
    mine = Assignment.objects.filter(
        batch=participation.batch_id, annotator=participation.annotator_id, state=Assignment.State.LEASED
    )
    is_leased = mine.filter(cards__token=token).exists()
    if not is_leased and not (locked.reopened and locked.reopened.token == token):
        return False
    slots = Slot.objects.filter(state=Slot.State.LEASED, pk__in=mine.values("slot"))
    return bool(slots.update(lease_until=moment + LEASE)) or not is_leased


@transaction.atomic
def release_ahead(participation: Participation, *, tokens: Sequence[str], moment: datetime, page: str = "") -> int:
    """A page is closed or left: give back the cards it fetched ahead and never showed, but those that another page of
    the person holds too. How many went back.

    The person may meet the items again, then under the same cards. Raises `Card.DoesNotExist` for a foreign token.
    """
    workspace = lock_workspace(participation, moment=moment)
    cards = [card_of(workspace, token) for token in tokens]
    waiting = [card for card in (*workspace.leased, *workspace.lapsed) if card.shown_at is None and card in cards]
    for card in waiting:
        card.pages = " ".join(other for other in card.pages.split() if other != page)
    Card.objects.bulk_update(waiting, ["pages"])
    n_back = _give_back([card for card in waiting if not card.pages], workspace)
    apply_together(workspace.blocks.statements(participation.batch_id))
    return n_back


def give_back_waiting(workspace: Workspace) -> None:
    """Give back what waits behind the card in front of the person, before they have seen it."""
    waiting = [card for card in workspace.leased[1:] if card.shown_at is None]
    for card in waiting:
        card.pages = ""
    Card.objects.bulk_update(waiting, ["pages"])
    _give_back(waiting, workspace)


def _give_back(cards: Sequence[Card], workspace: Workspace) -> int:
    """How many went back. What is just being withheld stays until the next deed or the end of its lease: whoever
    withholds an item holds all its slots, and could wait for one that this step holds.
    """
    slots = Slot.objects.filter(pk__in=[card.assignment.slot_id for card in cards])
    free = set(slots.select_for_update(skip_locked=True).values_list("pk", flat=True))
    going = [card for card in cards if card.assignment.slot_id in free]
    for card in going:
        end_assignment(card.assignment, Assignment.State.EXPIRED, workspace)
        workspace.drop(card)
    return len(going)


def add_page_to_waiting_cards(workspace: Workspace) -> None:
    """Note on the waiting cards that the page holds them, too: each goes back when the last of its pages goes."""
    for card in workspace.cards[1:]:
        if card.shown_at is None and _add_page(card, workspace.page):
            card.save(update_fields=["pages"])


def _add_page(card: Card, page: str) -> bool:
    """Note that the page holds the card. False where that was noted before."""
    pages = card.pages.split()
    if not page or page in pages:
        return False
    card.pages = " ".join([*pages, page])
    return True


def lease_slot(slot: Slot, workspace: Workspace) -> Card | None:
    """Give a free slot to the person: end the lapsed lease on it, if any, and open the assignment and its card.

    `slot.again`, which the search for slots has set: the person's earlier assignment of its item, if any. None, and
    nothing is changed, where its item has been withheld meanwhile.
    """
    lease_until = workspace.moment + LEASE
    if not _LEASE_SLOT.apply(pk=slot.pk, lease_until=lease_until):
        return None
    workspace.blocks.take(slot)
    if slot.state == Slot.State.LEASED:
        Assignment.objects.filter(slot=slot, state=Assignment.State.LEASED).update(
            slot=None, state=Assignment.State.EXPIRED, ended_at=workspace.moment
        )
    slot.state, slot.lease_until = Slot.State.LEASED, lease_until
    shown_at = None if workspace.cards else workspace.moment
    again: int | None = slot.again  # type: ignore[attr-defined]  # from next_slot
    card = _first_card(slot, workspace) if again is None else _card_again(again, slot, workspace)
    card.shown_at = shown_at
    _add_page(card, workspace.page)
    if card.pk is None:
        card.issued_at = workspace.moment
        _INSERT_CARD.add(card)
    else:
        card.save(update_fields=["shown_at", "pages"])
    workspace.leased.append(card)
    return card


def _first_card(slot: Slot, workspace: Workspace) -> Card:
    """A card of the person's one assignment with this item, which is made now."""
    person = workspace.participation
    assignment = Assignment(
        collection_id=person.batch.collection_id,
        batch_id=person.batch_id,
        item=slot.item,
        annotator_id=person.annotator_id,
        slot=slot,
        reading=slot.reading,
        guideline_id=person.batch.collection.guideline_id,
        claimed_at=workspace.moment,
    )
    return Card(assignment=_INSERT_ASSIGNMENT.add(assignment), revision=1)


def _card_again(key: int, slot: Slot, workspace: Workspace) -> Card:
    """A card of the assignment with this key, which is taken up again after "later" or a lost lease.

    A card that the person has not seen is the same card still, handed out when it was at first: the page that fetched
    it may yet show it, or has shown it, and its grade is on its way.
    """
    assignment = Assignment.objects.get(pk=key)
    assignment.item, assignment.slot, assignment.state, assignment.ended_at = slot.item, slot, LEASED, None
    assignment.guideline_id = workspace.participation.batch.collection.guideline_id
    assignment.save(update_fields=["slot", "state", "guideline", "ended_at"])
    last = assignment.cards.order_by("-pk").first()
    unseen = last if last is not None and last.shown_at is None else None
    card = unseen or Card(revision=1)
    card.assignment = assignment
    return card


def lock_slot(assignment: Assignment) -> int | None:
    """Lock the slot of an assignment and read again whether it is still the assignment's. The slot's id, or None.

    Whoever takes over a lapsed lease locks the slot first too, so that exactly one of the two has it.
    """
    if assignment.slot_id is not None:
        Slot.objects.select_for_update().filter(pk=assignment.slot_id).first()
        assignment.refresh_from_db(fields=["slot", "state"])
    return assignment.slot_id


def end_assignment(assignment: Assignment, state: Assignment.State, workspace: Workspace, **fields: str) -> None:
    """End an assignment without a judgment; the slot it still holds is free for others again."""
    workspace.has_unfinished = True
    slot = lock_slot(assignment)
    if slot is not None:
        Slot.objects.filter(pk=slot).update(state=Slot.State.OPEN, lease_until=None)
        workspace.blocks.move(slot, 1)
    assignment.slot = None
    assignment.state = state
    assignment.ended_at = workspace.moment
    for name, value in fields.items():
        setattr(assignment, name, value)
    assignment.save(update_fields=["slot", "state", "ended_at", *fields])


def end_lapsed(workspace: Workspace) -> None:
    """Give back what the person let lapse, so that they may meet it again."""
    for card in workspace.lapsed:
        end_assignment(card.assignment, Assignment.State.EXPIRED, workspace)
    workspace.lapsed = []
