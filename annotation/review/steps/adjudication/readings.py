"""An adjudicator's meeting with a pair: opened under a lease, graded blind, left for another.

One person has a pair at a time; a constraint keeps to that, whoever comes at the same moment. A
lease that has run out is taken over by the next who comes, and by nobody else: who comes back first
goes on.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.kernel.access import laid_pair_for
from annotation.models import AdjudicationReading, Collection, Item, Knew, Planting, User
from annotation.review.read.adjudication import prior_knowledge

HOLD = timedelta(minutes=30)
State = AdjudicationReading.State


class AdjudicationError(Exception):
    """It cannot be; the message says why."""


@transaction.atomic
def open_pair(item: Item, *, reader: User, moment: datetime, knew: Knew | None = None) -> AdjudicationReading:
    """The person's reading of the pair, theirs for `HOLD` from now on. One that they left or let lapse goes on.

    `knew`: what the page they came from has told them. Raises `AdjudicationError` while somebody else has the pair.
    """
    refuse_check(item)
    readings = AdjudicationReading.objects.filter(**_pair(item))
    readings.filter(state=State.OPEN, held_until__lte=moment).exclude(reader=reader).update(state=State.LEFT)
    own = readings.filter(reader=reader).exclude(state=State.DECIDED).order_by("-pk").first()
    own = own or _new(item, reader, moment, knew)
    if own.state != State.OPEN and own.seen_at is None:
        own.opened_at, own.knew = moment, knew or prior_knowledge(item, reader)
    own.state, own.held_until = State.OPEN, moment + HOLD
    try:
        with transaction.atomic():
            own.save()
    except IntegrityError:
        raise AdjudicationError(_taken_message(readings, item)) from None
    return own


def open_next(
    collection: Collection, pairs: Iterable[tuple[str, str]], *, reader: User, moment: datetime
) -> Item | None:
    """The first of the pairs (topic number, docno) that nobody else has, opened; None where there is none."""
    for number, docno in pairs:
        item = laid_pair_for(reader, collection.slug, number, docno)
        try:
            open_pair(item, reader=reader, moment=moment)
        except AdjudicationError:
            continue  # somebody came first
        return item
    return None


@transaction.atomic
def grade_blind(
    item: Item, *, grade: int, reader: User, moment: datetime, knew: Knew | None = None
) -> AdjudicationReading:
    """Keep the grade that the person gives before they see anybody's; from now on they may. It is never changed.

    Once what people said was shown it is too late for one: the reading stays as it is.
    """
    refuse_grade(item, grade)
    reading = open_pair(item, reader=reader, moment=moment, knew=knew)
    if reading.seen_at is None:
        reading.grade, reading.seen_at = grade, moment
        reading.save(update_fields=["grade", "seen_at"])
    return reading


@transaction.atomic
def look_at_pair(item: Item, *, reader: User, moment: datetime) -> AdjudicationReading:
    """Show what people said without a grade before; a decision of this person on the pair is not blind any more."""
    reading = open_pair(item, reader=reader, moment=moment)
    if reading.seen_at is None:
        reading.seen_at, reading.knew = moment, reading.knew or Knew.SEEN
        reading.save(update_fields=["seen_at", "knew"])
    return reading


def leave_pair(item: Item, *, reader: User) -> bool:
    """Give the pair back, for others to decide. What was graded and seen stays on record. Whether they had it."""
    mine = AdjudicationReading.objects.filter(**_pair(item), reader=reader, state=State.OPEN)
    return bool(mine.update(state=State.LEFT))


def refuse_check(item: Item) -> None:
    if Planting.objects.filter(item=item, purpose=Planting.Purpose.CHECK).exists():
        raise AdjudicationError("This pair is an attention check; it never enters qrels.")


def refuse_grade(item: Item, grade: int) -> None:
    if grade not in {each["grade"] for each in item.scale.grades}:
        raise AdjudicationError(f"The scale has no grade {grade}.")


def _new(item: Item, reader: User, moment: datetime, knew: Knew | None) -> AdjudicationReading:
    return AdjudicationReading(
        collection_id=item.collection_id,
        **_pair(item),
        scale_id=item.scale_id,
        reader=reader,
        knew=knew or prior_knowledge(item, reader),
        opened_at=moment,
    )


def _pair(item: Item) -> dict[str, int | str]:
    return {"topic_id": item.topic_id, "document_id": item.document_id, "criterion": item.batch.criterion}


def _taken_message(readings: QuerySet[AdjudicationReading], item: Item) -> str:
    holder = readings.filter(state=State.OPEN).select_related("reader").first()
    who = holder.reader.username if holder else "Somebody else"
    return f"{who} is deciding on topic {item.topic.number}, document {item.document.docno} now."
