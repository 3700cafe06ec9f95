"""A person has read what they were told, and what they were answered."""

from datetime import datetime

from annotation.models import Appeal, Feedback, Participation


def mark_read(participation: Participation, *, moment: datetime) -> int:
    """All of it in the batch; how much was new."""
    answered = Appeal.objects.filter(feedback__batch=participation.batch_id, annotator=participation.annotator_id)
    n_answers = answered.filter(seen_at__isnull=True, answered_at__lte=moment).update(seen_at=moment)
    told = Feedback.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)
    return n_answers + told.filter(seen_at__isnull=True, created_at__lte=moment).update(seen_at=moment)
