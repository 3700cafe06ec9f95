"""A person has read what they were told."""

from datetime import datetime

from annotation.models import Feedback, Participation


def mark_read(participation: Participation, *, moment: datetime) -> int:
    """All of it in the batch; how much was new."""
    told = Feedback.objects.filter(batch=participation.batch_id, annotator=participation.annotator_id)
    return told.filter(seen_at__isnull=True, created_at__lte=moment).update(seen_at=moment)
