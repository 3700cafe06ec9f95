"""Undo: a judged card comes back; its old grade stands until a revision is saved."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.judging.steps.grading import issue_revision
from annotation.judging.steps.workspace import lock_participation
from annotation.models import Assignment, Batch, Card, Judgment, Participation


@transaction.atomic
def reopen(participation: Participation, *, token: str = "", moment: datetime) -> Card | None:
    """Reopen the judgment that came with the card of this token.

    Without a token, or with that of the card they have before them: their last judgment in the batch, or the one before
    the card already reopened. None when there is nothing to go back to or it can no longer be changed. Raises
    `Card.DoesNotExist` for a foreign token.
    """
    participation = lock_participation(participation)
    judgment = _before(participation) if _is_open(participation, token) else _judged_by(participation, token)
    if judgment is None:
        return None
    participation.reopened = issue_revision(judgment.assignment, moment=moment)
    participation.save(update_fields=["reopened"])
    return participation.reopened


@transaction.atomic
def keep_grade(participation: Participation) -> int | None:
    """Leave the reopened card as it was and go on. Its grade; None when none was open."""
    participation = lock_participation(participation)
    if participation.reopened_id is None:
        return None
    judgments = Judgment.objects.filter(assignment__cards=participation.reopened_id)
    grade = judgments.order_by("-revision").values_list("grade", flat=True).first()
    participation.reopened = None
    participation.save(update_fields=["reopened"])
    return grade


def undo_available(participation: Participation) -> bool:
    return _before(participation) is not None


def revisable(participation: Participation) -> QuerySet[Judgment]:
    """First judgments of all that the person has judged in the batch and may still change."""
    if participation.batch.state == Batch.State.CLOSED:
        return Judgment.objects.none()
    return Judgment.objects.filter(
        assignment__feedback__isnull=True,
        batch=participation.batch_id,
        annotator=participation.annotator_id,
        revision=1,
    ).select_related("assignment")


def _before(participation: Participation) -> Judgment | None:
    """The first judgment of the assignment judged last before the reopened one, in the order of first judging."""
    judged = revisable(participation)
    if participation.reopened_id is not None:
        before = Judgment.objects.filter(assignment__cards=participation.reopened_id, revision=1).values("pk")
        judged = judged.filter(pk__lt=before)
    return judged.order_by("-pk").first()


def _is_open(participation: Participation, token: str) -> bool:
    """Whether the token is that of the card from which the person goes back, not of a judgment to go back to."""
    if not token:
        return True
    card = Card.objects.select_related("assignment").get(
        token=token, assignment__batch=participation.batch_id, assignment__annotator=participation.annotator_id
    )
    return card.pk == participation.reopened_id or card.assignment.state == Assignment.State.LEASED


def _judged_by(participation: Participation, token: str) -> Judgment | None:
    return revisable(participation).filter(assignment__cards__token=token).first()
