"""What a person has objected to, and what they were answered. Their own rows, and nothing of anybody else's."""

from annotation.models import Appeal, Batch, Feedback, Participation, User


def own_appeals(participation: Participation) -> dict[int, Appeal]:
    """The last one to each row that was told, by the row's id. One query."""
    mine = Appeal.objects.filter(annotator=participation.annotator_id, feedback__batch=participation.batch_id)
    return {appeal.feedback_id: appeal for appeal in mine.order_by("pk")}


def told_row(participation: Participation, token: str) -> Feedback | None:
    """What was told of the person's judgment with this token."""
    told = Feedback.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)
    return told.filter(assignment__judgments__token=token).first()


def batches_with_answers(person: User) -> list[tuple[Batch, int]]:
    """Where objections were answered and the answer is not marked as read, and how many. One query."""
    answered = Appeal.objects.filter(annotator__user=person, seen_at__isnull=True).exclude(state=Appeal.State.OPEN)
    found: dict[Batch, int] = {}
    for appeal in answered.select_related("feedback__batch").order_by("feedback__batch"):
        found[appeal.feedback.batch] = found.get(appeal.feedback.batch, 0) + 1
    return list(found.items())
