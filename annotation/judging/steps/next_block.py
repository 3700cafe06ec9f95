"""Which block comes after the one that a person is in.

The rows of blocks propose, in the person's order; the slots of one block after another decide. The
first few rows are read from an index: blocks stand on a ring, and whoever leaves one goes on from a
point of the ring that their salt and this block give, to the blocks with room that come next. So
what it costs does not grow with the blocks. Where a block has nothing for the person, that is
noted, and it is not proposed again until a slot has become free there. Leases that have lapsed are
in no row: the blocks of such slots are proposed besides. Where the rows propose nothing, all free
slots of the batch are asked once, by the indexes of what is open and of what is leased.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from django.db.models import BigIntegerField, Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from annotation.judging.steps.next_slot import (
    BATCH,
    BLOCK,
    FREE_AGAIN,
    NOW,
    PRIME,
    PUT_OFF,
    SHARED,
    Readiness,
    assignments_of_item,
    free_here,
    free_slots,
    own_order,
    without_first,
)
from annotation.judging.steps.workspace import Workspace
from annotation.models import Assignment, Block, LeftBlock, Slot
from annotation.models.prepared import KEY, Blank, Literal, Values

FEW = 8  # blocks to look at before all of them are asked for
# in the statements themselves, so that their plans use the indexes (`block_by_kind`, `slot_open`, `slot_leased`)
BEGUN, FRESH, KEPT_BEGUN, KEPT_FRESH = (Literal(kind) for kind in Block.Kind if kind != Block.Kind.FULL)
OPEN, KEPT = (BEGUN, FRESH), (KEPT_BEGUN, KEPT_FRESH)
NOT_TAKEN = Q(state=Literal(Slot.State.OPEN))
LAPSED = Q(state=Literal(Slot.State.LEASED), lease_until__lt=NOW)
REST = Case(When(n_open__gt=0, then=0), default=1)
PARTICIPATION, CANDIDATE = Blank("participation", KEY), Blank("candidate", KEY)
PUT_OFF_WEIGHT = 2  # what the person put off comes after what others' reservations leave free


@dataclass(frozen=True, order=True)
class Candidate:
    """A block that may have something, by its place in the person's order.

    `rest`: nothing in it is simply open. Another topic comes before the same one again, half-judged blocks before
    fresh ones, then the person's own order: on from where they begin on the ring.
    """

    rest: int
    same_topic: int
    fresh: int
    place: int
    number: int
    key: int
    n_freed: int


def next_block(workspace: Workspace, passed: Collection[int] = ()) -> tuple[int, Readiness] | None:
    """The number of a block to go on to, none of those passed: one with open slots, else one where others' reservations
    have fallen free, else one with what the person put off; and what may be taken there.
    """
    best: tuple[int, int] | None = None
    for candidate in _candidates(workspace):
        if best and best[0] <= candidate.rest:  # nothing in this block or after it is better
            break
        if candidate.number in passed:
            continue
        rank = _rank_in(candidate, workspace)
        if rank is None:
            _note_left(candidate, workspace)
        elif best is None or rank < best[0]:
            best = rank, candidate.number
        if rank is not None and rank <= candidate.rest:
            break
    best = best or _overlooked(workspace, passed)
    return best and (best[1], PUT_OFF if best[0] >= PUT_OFF_WEIGHT else FREE_AGAIN)


def work_left(workspace: Workspace) -> bool:
    """Whether a claim would find anything now. What is reserved for the person in another block than theirs is no
    reason to go there.
    """
    if _LEFT_HERE.rows(**workspace.values):
        return True
    if any(_rank_in(candidate, workspace) is not None for candidate in _candidates(workspace)):
        return True
    return bool(_free_anywhere(workspace))


def _overlooked(workspace: Workspace, passed: Collection[int]) -> tuple[int, int] | None:
    """The rank and number of a block whose row or note keeps from the person what its slots have: it is counted anew.

    Asked where the rows have nothing, so that a wrong one never ends anybody's work.
    """
    for rank, number in sorted(_free_anywhere(workspace)):
        if number not in passed:
            workspace.blocks.wrong.add(number)
            return rank, number
    return None


def _free_anywhere(workspace: Workspace) -> list[tuple[int, int]]:
    """The rank and block of the best open slot of the batch and of the best one under a lease that has lapsed."""
    rows = (row for statement in _ANYWHERE for row in statement.rows(**workspace.values))
    return [(int(rank), int(number)) for rank, number in rows]


def _candidates(workspace: Workspace) -> Iterator[Candidate]:
    """In the person's order: the first few with open slots, of other topics; if none of them will do, all others."""
    lapsed = [Candidate(*row) for row in _LAPSED.rows(**workspace.values)]
    freed = [
        Candidate(*row)
        for number in workspace.blocks.freed
        for row in _ONE_BLOCK.rows(**workspace.values, candidate=number)
    ]
    few = [Candidate(*row) for row in _FIRST_BLOCKS.rows(**workspace.values)]
    seen = {each.key: each for each in (*few, *lapsed, *freed)}
    yield from sorted(seen.values())
    others = _ALL_BLOCKS if len(few) == FEW else _LAST_BLOCKS
    yield from (each for row in others.rows(**workspace.values) if (each := Candidate(*row)).key not in seen)


def _rank_in(candidate: Candidate, workspace: Workspace) -> int | None:
    """How well the best slot of the block will do, 0 best; None where the person could take none."""
    ranks = _BEST_RANK.rows(**workspace.values, candidate=candidate.number)
    return int(ranks[0][0]) if ranks else None


def _note_left(candidate: Candidate, workspace: Workspace) -> None:
    """With the number that was read before the slots: what has become free since makes the note void."""
    left = LeftBlock(participation=workspace.participation, block_id=candidate.key, n_freed=candidate.n_freed)
    LeftBlock.objects.bulk_create(
        [left], update_conflicts=True, unique_fields=["participation", "block"], update_fields=["n_freed"]
    )


def _in_order(blocks: "QuerySet[Block, Any]", rest: Any) -> "QuerySet[Block, Any]":
    return (
        blocks.annotate(
            rest=rest,
            same_topic=_same_topic(),
            fresh=Case(When(begun=True, then=0), default=1),
            own_place=(F("place") - _beginning() + PRIME) % Value(PRIME, BigIntegerField()),
        )
        .order_by("rest", "same_topic", "fresh", "own_place")
        .values_list("rest", "same_topic", "fresh", "own_place", "number", "pk", "n_freed")
    )


def _same_topic() -> Case:
    return Case(When(topic=_last_topic(), then=1), default=0)


def _last_topic() -> Subquery:
    return Subquery(Block.objects.filter(batch=BATCH, number=BLOCK).values("topic")[:1])


def _beginning() -> Combinable:
    """Where on the ring the person goes on from the block they leave: another point for each person and block."""
    return own_order(Value(2, BigIntegerField()) + BLOCK)  # who is in none yet leaves number -1


def _not_left() -> "QuerySet[Block]":
    """Without those that the person has left with nothing for them."""
    left = LeftBlock.objects.filter(participation=PARTICIPATION, block=OuterRef("pk"), n_freed=OuterRef("n_freed"))
    return Block.objects.filter(~Exists(left), batch=BATCH)


def _all_blocks() -> "QuerySet[Block, Any]":
    return _in_order(_not_left().filter(kind__in=OPEN + KEPT), REST)


def _last_blocks() -> "QuerySet[Block, Any]":
    return _all_blocks().filter(Q(same_topic=1) | Q(kind__in=KEPT))


def _first_blocks() -> "QuerySet[Block, Any]":
    """The first with open slots, of other topics, by the index (`block_by_kind`)."""
    ahead, behind = Q(place__gte=_beginning()), Q(place__lt=_beginning())
    first, *others = (_first_of(_not_left().filter(part, kind=kind)) for kind, part in product(OPEN, (ahead, behind)))
    return _in_order(Block.objects.filter(pk__in=first.union(*others, all=True)), REST)[:FEW]


def _first_of(blocks: QuerySet[Block]) -> "QuerySet[Block, Any]":
    """Within a condition: SQLite takes no ordered part of a union."""
    first = blocks.exclude(topic=Coalesce(_last_topic(), 0)).order_by("place").values("pk")[:FEW]
    return Block.objects.filter(pk__in=first).values("pk")


def _with_lapsed_leases() -> "QuerySet[Block, Any]":
    """By the index of what is leased (`slot_leased`)."""
    lapsed = free_slots(PUT_OFF, LAPSED).filter(SHARED)
    return _in_order(Block.objects.filter(batch=BATCH, number__in=lapsed.values("block")), Value(0))


def _one_block() -> "QuerySet[Block, Any]":
    return _in_order(Block.objects.filter(batch=BATCH, number=CANDIDATE), Value(0))


def _best_rank() -> "QuerySet[Slot, Any]":
    return _ranked(free_slots(PUT_OFF).filter(SHARED, block=CANDIDATE, item__batch=BATCH, item__block=CANDIDATE))[:1]


def _anywhere(unheld: Q) -> "QuerySet[Slot, Any]":
    """Item by item: that slots stand in the blocks of their items the server takes for so rare that it counts on one
    row, and would read all that the person has met for each."""
    return _ranked(free_slots(PUT_OFF, unheld, without_first).filter(SHARED, item__block=F("block")), "block")[:1]


def _ranked(slots: QuerySet[Slot], *besides: str) -> "QuerySet[Slot, Any]":
    put_off = Exists(assignments_of_item().filter(state=Assignment.State.LATER))
    rank = Case(When(put_off, then=PUT_OFF_WEIGHT), default=0) + Case(When(transferable=True, then=1), default=0)
    return slots.annotate(rank=rank).order_by("rank").values_list("rank", *besides)


_FIRST_BLOCKS = Values(_first_blocks)
_ALL_BLOCKS = Values(_all_blocks)
_LAST_BLOCKS = Values(_last_blocks)
_LAPSED = Values(_with_lapsed_leases)
_ONE_BLOCK = Values(_one_block)
_BEST_RANK = Values(_best_rank)
_ANYWHERE = tuple(Values(partial(_anywhere, unheld)) for unheld in (NOT_TAKEN, LAPSED))
_LEFT_HERE = Values(lambda: free_here(PUT_OFF).values_list("pk")[:1])
