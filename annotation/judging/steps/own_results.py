"""A person reads what they were told of their judgments, and may object to it.

An appeal is about a row of feedback, and about nothing else.
"""

from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.judging.read.own_results import own_appeals, own_feedback
from annotation.kernel.access import ADMIN
from annotation.kernel.audit import record_audit, short_texts
from annotation.kernel.notices import leads, tell
from annotation.models import Annotator, Appeal, Feedback, Participation


class AppealError(Exception):
    """There is nothing to object to, or an objection waits already; the message says so."""


def mark_read(participation: Participation, *, moment: datetime) -> int:
    """All results and answers of the batch; how much was new."""
    answers = own_appeals(participation).filter(seen_at__isnull=True, answered_at__lte=moment)
    results = own_feedback(participation).filter(seen_at__isnull=True, created_at__lte=moment)
    return answers.update(seen_at=moment) + results.update(seen_at=moment)


@transaction.atomic
def raise_appeal(feedback: Feedback, *, reason: str) -> Appeal:
    """The person objects to what they were told. One objection of a person and pair waits at a time."""
    person = Annotator.objects.select_for_update(no_key=True).get(pk=feedback.annotator_id)
    related = ("batch__collection", "assignment__item__topic", "assignment__item__document")
    feedback = Feedback.objects.select_related(*related).get(pk=feedback.pk)
    item = feedback.assignment.item
    _refuse(feedback, person)
    try:
        with transaction.atomic():
            appeal = Appeal.objects.create(
                collection=feedback.batch.collection,
                feedback=feedback,
                annotator=person,
                topic=item.topic,
                document=item.document,
                told_grade=feedback.grade,
                reason=reason,
            )
    except IntegrityError:
        raise AppealError("Your objection to this pair waits for an answer already.") from None
    record_audit(
        "objection raised",
        actor=person.user,
        collection=feedback.batch.collection,
        subject=f"{person.pseudonym}: topic {item.topic.number}, document {item.document.docno}",
        told=feedback.grade,
        **short_texts(reason=reason),
    )
    collection = feedback.batch.collection
    tell(
        "objection",
        leads(collection, ADMIN, besides=person.user),
        cause=f"objection {appeal.token}",
        text=f"{person.pseudonym} objects to what they were told of a pair in {feedback.batch}.",
        collection=collection,
        token=appeal.token,
    )
    return appeal


def _refuse(feedback: Feedback, person: Annotator) -> None:
    if not feedback.accepted:
        raise AppealError("The known grade was withdrawn: there is nothing to object to any more.")
    item = feedback.assignment.item
    same_pair = Appeal.objects.filter(annotator=person, topic=item.topic, document=item.document)
    same = same_pair.filter(told_grade=feedback.grade)
    if same.exclude(state=Appeal.State.OPEN).exists():
        raise AppealError("Your objection to this grade was answered already.")
