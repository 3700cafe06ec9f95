"""A grade arrives: recorded once, whatever the network, the browser and the person's other tabs do."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from annotation.judging.steps.claiming import claim_for
from annotation.judging.steps.gates import guideline_of_judgment
from annotation.judging.steps.leases import lock_slot
from annotation.judging.steps.workspace import Workspace, block_of, card_of, lock_workspace
from annotation.models import Assignment, Batch, Card, Feedback, Item, Judgment, Participation, Slot
from annotation.models.prepared import KEY, MOMENT, WORD, Blank, Insert, Update, apply_together


@dataclass(frozen=True)
class Recorded:
    """The judgment is stored. `replayed`: it was stored before, and the same answer came again."""

    judgment: Judgment
    replayed: bool = False


@dataclass(frozen=True)
class Conflict:
    """The item already has another grade from this person; nothing was changed. `card` would change it."""

    judgment: Judgment
    card: Card


@dataclass(frozen=True)
class Refused:
    """Nothing was recorded, and `reason` says why."""

    reason: str


Outcome = Recorded | Conflict | Refused


@dataclass(frozen=True)
class Answer:
    """What came with the form. `wall_ms`: how long the card lay open, by the page's own clock (None if unknown)."""

    grade: int
    comment: str
    wall_ms: int | None
    active_ms: int | None
    evidence_start: int | None
    evidence_end: int | None


@transaction.atomic
def record_judgment(
    participation: Participation,
    *,
    token: str,
    grade: int,
    moment: datetime,
    wall_ms: int | None = None,
    active_ms: int | None = None,
    comment: str = "",
    evidence_start: int | None = None,
    evidence_end: int | None = None,
    ahead: int = 0,
    page: str = "",
) -> tuple[Outcome, Workspace]:
    """Record the grade on the card with this token and claim the next card, in one transaction.

    Gives the outcome and the person's workspace after it, whose first card is the next one. Up to so
    many cards `ahead` as come after that are claimed too, for the `page`. The same token and grade again is
    answered as the first time and claims nothing beyond the cards already held. Another grade on an
    answered card is a `Conflict`. A card whose slot went to someone else is kept as surplus. Raises
    `Card.DoesNotExist` for a token that is not this person's.
    """
    answer = Answer(grade, comment, wall_ms, active_ms, evidence_start, evidence_end)
    workspace = lock_workspace(participation, moment=moment, page=page)
    outcome = _record(workspace, card_of(workspace, token), answer)
    if not isinstance(outcome, Conflict):
        claim_for(workspace, ahead=ahead)
    return outcome, workspace


def _record(workspace: Workspace, card: Card, answer: Answer) -> Outcome:
    current = _current_judgment(card)
    if current is not None and current.revision >= card.revision:
        return _answered_before(workspace, card, current, answer.grade)
    if card.assignment.state == Assignment.State.SKIPPED:
        return Refused("You have skipped this item; it went to someone else.")
    if card.revision > 1 and (refusal := why_final(workspace.participation, card.assignment)):
        return Refused(refusal)
    surplus = not _settle_slot(card.assignment, workspace) if current is None else current.surplus
    judgment = _write(workspace, card, answer, surplus=surplus)
    _update_after_judgment(workspace, card, judgment)
    return Recorded(judgment)


def _answered_before(workspace: Workspace, card: Card, current: Judgment, grade: int) -> Outcome:
    earlier = current if current.token == card.token else Judgment.objects.filter(token=card.token).first() or current
    if earlier.grade == grade:
        return Recorded(earlier, replayed=True)
    if refusal := why_final(workspace.participation, card.assignment):
        return Refused(refusal)
    return Conflict(current, issue_revision(card.assignment, moment=workspace.moment))


def _current_judgment(card: Card) -> Judgment | None:
    """The judgment that holds for the card's assignment; an assignment under a lease has none."""
    if card.assignment.state == Assignment.State.LEASED:
        return None
    return Judgment.objects.filter(assignment=card.assignment_id).order_by("-revision").first()


def why_final(participation: Participation, assignment: Assignment) -> str:
    """Why the judgment can no longer be changed; empty while it can."""
    if participation.batch.state == Batch.State.CLOSED:
        return "The batch is closed; its judgments can no longer be changed."
    if Feedback.objects.filter(assignment=assignment).exists():
        return "You have been told how you did on this one; its grade can no longer be changed."
    return ""


def issue_revision(assignment: Assignment, *, moment: datetime) -> Card:
    """A card that would write the next revision: the one already issued and unanswered, else a new one."""
    last = assignment.judgments.order_by("-revision").values_list("revision", flat=True).first() or 0
    unanswered = Card.objects.filter(assignment=assignment, revision=last + 1).order_by("-id").first()
    return unanswered or Card.objects.create(
        assignment=assignment, revision=last + 1, issued_at=moment, shown_at=moment
    )


def _times(workspace: Workspace, card: Card, answer: Answer) -> dict[str, int | bool | None]:
    """`wall_ms` is the page's own count, which cannot have begun before the card was handed out."""
    most = _milliseconds(workspace.moment - card.issued_at)
    since_shown = _milliseconds(workspace.moment - (card.shown_at or card.issued_at))
    wall_ms = since_shown if answer.wall_ms is None else min(answer.wall_ms, most)
    minimum_ms = workspace.participation.batch.minimum_seconds * 1000
    return {
        "wall_ms": wall_ms,
        "active_ms": None if answer.active_ms is None else min(answer.active_ms, wall_ms),
        "early": card.revision == 1 and wall_ms < minimum_ms,
    }


def _milliseconds(span: timedelta) -> int:
    return max(0, int(span.total_seconds() * 1000))


# The condition on `lease_until` claims the slot: no row is changed once another person has taken it over.
_SETTLE_SLOT = Update(
    lambda: Slot.objects.filter(pk=Blank("pk", KEY), state=Slot.State.LEASED, lease_until=Blank("lease_until", MOMENT)),
    state=Slot.State.JUDGED,
    lease_until=None,
)


def _settle_slot(assignment: Assignment, workspace: Workspace) -> bool:
    """Make the assignment's slot its own for good; if it was lost, take another free one of the item.

    Who takes over a lapsed lease changes its end. So a lease that still ends as it was read is still the assignment's.
    """
    slot = assignment.slot if assignment.state == Assignment.State.LEASED else None
    if slot is not None and _SETTLE_SLOT.apply(pk=slot.pk, lease_until=slot.lease_until):
        return True
    if lock_slot(assignment) is None and (spare := _spare_slot(assignment)):
        assignment.slot = spare
        workspace.blocks.move(spare.pk, -1)
    if assignment.slot_id is None:
        return False
    Slot.objects.filter(pk=assignment.slot_id).update(state=Slot.State.JUDGED, lease_until=None)
    return True


def _spare_slot(assignment: Assignment) -> Slot | None:
    open_to_person = Q(reserved_for__isnull=True) | Q(reserved_for=assignment.annotator_id)
    return (
        Slot.objects.select_for_update(skip_locked=True)
        .filter(open_to_person, item=assignment.item_id, reading=assignment.reading, state=Slot.State.OPEN)
        .order_by("n")
        .first()
    )


_INSERT_JUDGMENT = Insert(Judgment)


def _write(workspace: Workspace, card: Card, answer: Answer, *, surplus: bool) -> Judgment:
    participation, item = workspace.participation, card.assignment.item
    judgment = Judgment(
        collection_id=item.collection_id,
        batch_id=item.batch_id,
        item=item,
        topic_id=item.topic_id,
        document_id=item.document_id,
        annotator_id=participation.annotator_id,
        assignment=card.assignment,
        revision=card.revision,
        token=card.token,
        criterion=participation.batch.criterion,
        scale_id=item.scale_id,
        guideline_id=guideline_of_judgment(participation, card),
        grade=answer.grade,
        comment=answer.comment,
        evidence_start=answer.evidence_start,
        evidence_end=answer.evidence_end,
        surplus=surplus,
        blind=workspace.is_blind,
        created_at=workspace.moment,
        **_times(workspace, card, answer),
    )
    return _INSERT_JUDGMENT.add(judgment)


# What a judgment changes beside its own row.
_END_ASSIGNMENT = Update(
    lambda: Assignment.objects.filter(pk=Blank("pk", KEY)),
    slot=Blank("slot", KEY),
    state=Blank("state", WORD),
    ended_at=Blank("moment", MOMENT),
)
_COUNT_ON_ITEM = Update(lambda: Item.objects.filter(pk=Blank("pk", KEY)), n_judged=F("n_judged") + 1)
_COUNT_ON_PARTICIPATION = Update(
    lambda: Participation.objects.filter(pk=Blank("pk", KEY)),
    n_judged=Blank("n_judged", KEY),
    done_in_block=Blank("done_in_block", KEY),
    reopened=None,
)


def _update_after_judgment(workspace: Workspace, card: Card, judgment: Judgment) -> None:
    """Bring assignment, item, person and session up to the new judgment."""
    participation, assignment = workspace.participation, card.assignment
    first = judgment.revision == 1
    changes: list[tuple[Update, dict[str, object]]] = []
    if first:
        assignment.state = Assignment.State.SURPLUS if judgment.surplus else Assignment.State.JUDGED
        assignment.ended_at = workspace.moment
        end = {"slot": assignment.slot_id, "state": assignment.state, "moment": workspace.moment}
        changes.append((_END_ASSIGNMENT, {"pk": assignment.pk, **end}))
        participation.n_judged += 1
        participation.done_in_block += block_of(assignment) == participation.block
        if not judgment.surplus:
            changes.append((_COUNT_ON_ITEM, {"pk": judgment.item_id}))
            workspace.blocks.of(block_of(assignment)).begun = True
    participation.reopened = None
    done = {"n_judged": participation.n_judged, "done_in_block": participation.done_in_block}
    apply_together([*changes, (_COUNT_ON_PARTICIPATION, {"pk": participation.pk, **done})])
    workspace.drop(card)
    workspace.has_judged = True
    workspace.touch(judged=int(first))
