"""Which judgments on gold are due to be told, and which that were told have been corrected since."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotation.models import Assignment, Batch, Feedback, GoldEvent, Judgment, Planting, Slot

State = Batch.State


@dataclass(frozen=True)
class FeedbackContent:
    """What is told of a judgment on a pair. `accepted` is empty where the pair is gold no more."""

    grade: int
    accepted: list[int]
    explanation: str


TELLING = Q(feedback=Batch.Feedback.CLOSED, state=State.CLOSED) | Q(
    feedback=Batch.Feedback.DELAYED, state__in=[*Batch.RUNNING, State.CLOSED]
)


def telling_batches() -> QuerySet[Batch]:
    """Batches whose people are told now, or as time goes by."""
    return Batch.objects.filter(TELLING)


def concerned_batches() -> QuerySet[Batch]:
    """The same, and batches whose people were told something, which may have to be corrected."""
    return Batch.objects.filter(TELLING | Exists(Feedback.objects.filter(batch=OuterRef("pk"))))


def due_assignments(batch: Batch, *, moment: datetime) -> "QuerySet[Assignment, Any]":
    """Judged, on a pair that is gold now, not told yet, and long enough ago; each with the gold event's id as `gold`.

    What counts for accuracy: first readings of people who judge blind; no attention checks. A pair that is to come back
    to the person as a repeat waits for that, or until the batch is closed.
    """
    judged = Assignment.objects.filter(batch=batch, state=Assignment.State.JUDGED, reading=1, feedback__isnull=True)
    if batch.feedback == Batch.Feedback.DELAYED:
        judged = judged.filter(ended_at__lte=moment - timedelta(hours=batch.feedback_hours))
    if batch.state != State.CLOSED:
        judged = judged.filter(~Exists(_repeats_to_come()))
    seeing = Judgment.objects.filter(assignment=OuterRef("pk"), blind=False)
    checks = Planting.objects.filter(item=OuterRef("item"), purpose=Planting.Purpose.CHECK)
    is_gold = GoldEvent.objects.filter(pk=OuterRef("gold"), action=GoldEvent.Action.SET, scale=batch.scale_id)
    judged = judged.annotate(gold=_last_event(batch, "item__"))
    return judged.filter(Exists(is_gold), ~Exists(checks), ~Exists(seeing)).order_by("pk")


def events_of(batch: Batch, gold: list[int]) -> dict[int, GoldEvent]:
    return GoldEvent.objects.filter(collection=batch.collection_id).in_bulk(gold)


def corrected(batch: Batch) -> list[Feedback]:
    """Feedback that differs from gold by now, with the new content; not saved. Two queries."""
    feedback = Feedback.objects.filter(batch=batch).annotate(gold=_last_event(batch, "assignment__item__"))
    events = GoldEvent.objects.filter(scale=batch.scale_id, pk__in=feedback.order_by().values("gold")).in_bulk()
    changed: list[Feedback] = []
    for row in feedback.order_by("pk"):
        event = events.get(getattr(row, "gold", 0))
        if event is None:
            continue
        content = content_of(event, before=row.grade)
        if content != FeedbackContent(row.grade, row.accepted, row.explanation):
            row.grade, row.accepted, row.explanation = content.grade, content.accepted, content.explanation
            changed.append(row)
    return changed


def content_of(event: GoldEvent, *, before: int = 0) -> FeedbackContent:
    """`before`: the grade that was told, which stays in the row of a pair that is gold no more."""
    if event.grade is None:
        return FeedbackContent(before, [], "")
    return FeedbackContent(event.grade, sorted({event.grade, *event.accepted}), event.explanation)


def _repeats_to_come() -> "QuerySet[Slot]":
    return Slot.objects.filter(
        item=OuterRef("item"), reserved_for=OuterRef("annotator"), reading=2, assignment__isnull=True
    )


def _last_event(batch: Batch, item: str) -> Subquery:
    """The id of the last event of a row's pair, set or withdrawn."""
    events = GoldEvent.objects.filter(
        collection=batch.collection_id,
        topic=OuterRef(f"{item}topic"),
        document=OuterRef(f"{item}document"),
        criterion=batch.criterion,
    )
    return Subquery(events.order_by("-pk").values("pk")[:1])
