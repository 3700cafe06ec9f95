"""Undo: the last deed is taken back, whatever it was.

A judged card comes back, and its grade stands until a revision is saved. A card that was skipped or put off comes back
as it was, in a form of its own: what was said of it stays with the old one (`Card.taken_back`).
"""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.judging.steps.grading import issue_revision
from annotation.judging.steps.leases import end_assignment
from annotation.judging.steps.putting_off import take_back
from annotation.judging.steps.workspace import Workspace, card_of, lock_participation, lock_workspace, write_last
from annotation.models import Assignment, Batch, Card, Judgment, Participation


@transaction.atomic
def reopen(participation: Participation, *, token: str = "", moment: datetime) -> Card | None:
    """Take back what was done with the card of this token.

    Without a token, or with that of the card they have before them: their last deed in the batch, or the one before
    that of the card already brought back. The same token again changes nothing more. None when there is nothing to go
    back to or it can no longer be changed. Raises `Card.DoesNotExist` for a foreign token.
    """
    workspace = lock_workspace(participation, moment=moment)
    person = workspace.participation
    card = _card(person, token) if token else None
    if card is not None and card.taken_back:
        return person.reopened if person.reopened and person.reopened.assignment_id == card.assignment_id else None
    done = _before(person) if card is None or _is_open(person, card) else _done_with(person, card)
    if done is None:
        return None
    _let_go(workspace)
    person.reopened = _bring_back(done, workspace)
    person.save(update_fields=["reopened"])
    write_last(workspace)
    return person.reopened


@transaction.atomic
def keep_grade(participation: Participation) -> int | None:
    """Leave the reopened card as it was and go on. Its grade; None when no judged one was open."""
    participation = lock_participation(participation)
    if participation.reopened is None or participation.reopened.revision == 1:
        return None
    judgments = Judgment.objects.filter(assignment__cards=participation.reopened_id)
    grade = judgments.order_by("-revision").values_list("grade", flat=True).first()
    participation.reopened = None
    participation.save(update_fields=["reopened"])
    return grade


def undo_available(participation: Participation) -> bool:
    return _before(participation) is not None


def _let_go(workspace: Workspace) -> None:
    """Whoever goes further back than a card that they had skipped or put off leaves it to come again in its turn."""
    card = workspace.reopened
    if card is not None and card.revision == 1:
        card = card_of(workspace, card.token)
        end_assignment(card.assignment, Assignment.State.EXPIRED, workspace)
        workspace.drop(card)


def _bring_back(done: Judgment | Assignment, workspace: Workspace) -> Card:
    if isinstance(done, Judgment):
        return issue_revision(done.assignment, moment=workspace.moment)
    return take_back(done, workspace)


def _judged(participation: Participation) -> QuerySet[Judgment]:
    """First judgments of all that the person has judged in the batch and may still change."""
    if participation.batch.state == Batch.State.CLOSED:
        return Judgment.objects.none()
    return Judgment.objects.filter(
        assignment__feedback__isnull=True,
        batch=participation.batch_id,
        annotator=participation.annotator_id,
        revision=1,
    ).select_related("assignment")


def _put_aside(participation: Participation) -> QuerySet[Assignment]:
    """What the person has skipped or put off in the batch, and not met again since."""
    if participation.batch.state == Batch.State.CLOSED:
        return Assignment.objects.none()
    mine = Assignment.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)
    return mine.filter(state__in=[state for state, _ in Assignment.PUT_ASIDE]).select_related("item")


def _before(participation: Participation) -> Judgment | Assignment | None:
    """The last deed or, where a card has been brought back, the one before the deed that it was brought back from.

    Judgments in the order of first judging.
    """
    judged, aside = _judged(participation), _put_aside(participation)
    card = participation.reopened
    if card is not None and card.revision > 1:
        first = Judgment.objects.get(assignment=card.assignment_id, revision=1)
        judged, aside = judged.filter(pk__lt=first.pk), aside.filter(ended_at__lt=first.created_at)
    elif card is not None:
        done = Card.objects.filter(assignment=card.assignment_id).exclude(taken_back="").latest("pk").put_aside_at
        assert done is not None
        judged, aside = judged.filter(created_at__lte=done), aside.filter(ended_at__lt=done)
    last_judged, last_aside = judged.order_by("-pk").first(), aside.order_by("-ended_at", "-pk").first()
    if last_judged is None or last_aside is None:
        return last_judged or last_aside
    assert last_aside.ended_at is not None
    return last_aside if last_aside.ended_at >= last_judged.created_at else last_judged


def _card(participation: Participation, token: str) -> Card:
    return Card.objects.select_related("assignment").get(
        token=token, assignment__batch=participation.batch_id, assignment__annotator=participation.annotator_id
    )


def _is_open(participation: Participation, card: Card) -> bool:
    """Whether it is the card from which the person goes back, not one to go back to."""
    return card.pk == participation.reopened_id or card.assignment.state == Assignment.State.LEASED


def _done_with(participation: Participation, card: Card) -> Judgment | Assignment | None:
    judged = _judged(participation).filter(assignment=card.assignment_id).first()
    return judged or _put_aside(participation).filter(pk=card.assignment_id).first()
